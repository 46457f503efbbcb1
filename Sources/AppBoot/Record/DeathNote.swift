import AppBootSystem

/// A launch that died, as it is remembered until one is healthy: a line of JSON, `{"startedAt":"…","running":["fonts"]}`.
struct DeathNote: Sendable, Hashable {
  /// As many are remembered: the guard goes by the last ones.
  static let most = 100
  /// More bytes than so many notes have are not read.
  private static let mostBytes = 4 << 20

  /// The moment the launch began, by which one is told from another.
  let startedAt: String
  /// The ids of the steps that ran, in manifest order.
  let running: [String]

  /// The note, with its line feed.
  var line: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("startedAt", startedAt)
      writer.member("running", running)
    }
    return writer.text + "\n"
  }

  /// The notes of a file, the oldest first; lines that are none are passed over, and `nil` means that there is no note.
  static func read(_ path: String) -> [DeathNote]? {
    guard FileSystem.kind(of: path) == .regular,
      let bytes = try? FileSystem.readFile(path, limit: mostBytes)
    else { return nil }
    let notes = bytes.split(separator: UInt8(ascii: "\n")).compactMap { DeathNote(line: Array($0)) }
    return notes.isEmpty ? nil : notes
  }

  init(startedAt: String, running: [String]) {
    (self.startedAt, self.running) = (startedAt, running)
  }

  private init?(line: [UInt8]) {
    guard let document = try? JSONDocument(parsing: SourceText(name: "", bytes: line)),
      let startedAt = document.root["startedAt"]?.string, let running = document.root["running"],
      running.kind == .array
    else { return nil }
    self.init(startedAt: startedAt, running: running.elements.compactMap(\.string))
  }
}
