import AppBootSystem

/// A launch that died, as it is remembered until one is healthy: a line of JSON, `{"startedAt":"…","running":["fonts"]}`.
struct CrashMarker: Sendable, Hashable {
  /// As many are remembered: the guard goes by the last ones.
  private static let most = 100
  /// Of so many steps that ran at once a note has the first.
  private static let mostSteps = 1000
  /// More bytes are not written, nor read; the oldest notes go first.
  private static let mostBytes = 4 << 20

  /// The moment the launch began, by which one is told from another.
  let startedAt: String
  /// The ids of the steps that ran, in manifest order.
  let running: [String]

  /// The note, with its line feed.
  private var line: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("startedAt", startedAt)
      writer.member("running", running)
    }
    return writer.text + "\n"
  }

  /// A file of notes, the oldest first.
  static func text(of notes: [CrashMarker]) -> [UInt8] {
    var lines: [[UInt8]] = []
    var count = 0
    for note in notes.suffix(most).reversed() {
      let line = Array(note.line.utf8)
      count += line.count
      if count > mostBytes { break }
      lines.append(line)
    }
    return lines.reversed().flatMap(\.self)
  }

  /// The notes of a file, the oldest first; lines that are none are passed over.
  static func read(_ path: String) -> [CrashMarker] {
    guard FileSystem.kind(of: path) == .regular,
      let bytes = try? FileSystem.readFile(path, limit: mostBytes)
    else { return [] }
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap { CrashMarker(line: Array($0)) }
  }

  init(startedAt: String, running: [String]) {
    self.startedAt = startedAt
    self.running = Array(running.prefix(Self.mostSteps))
  }

  private init?(line: [UInt8]) {
    guard let document = try? JSONDocument(parsing: SourceText(name: "", bytes: line)),
      let startedAt = document.root["startedAt"]?.string, let running = document.root["running"],
      running.kind == .array
    else { return nil }
    self.init(startedAt: startedAt, running: running.elements.compactMap(\.string))
  }
}
