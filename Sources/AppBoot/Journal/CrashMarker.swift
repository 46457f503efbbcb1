import AppBootSystem

/// A crashed launch, remembered until a launch is healthy: a line of JSON,
/// `{"startedAt":"…","process":7,"running":["fonts"]}`.
struct CrashMarker: Sendable, Hashable {
  /// The number of crashes that are remembered; the guard needs only the last ones.
  private static let most = 100
  /// The number of steps that a marker stores of those that ran at once.
  private static let mostSteps = 1000
  /// The largest size of the file in bytes; the oldest markers are dropped first.
  private static let mostBytes = 4 << 20

  /// The time at which the launch began. The process is the other part of its identity, if the clock stands still.
  let startedAt: String
  /// The process of the launch, if its journal has it.
  let process: Int32?
  /// The ids of the steps that ran, in manifest order.
  let running: [String]

  /// Returns the marker as a line, with its line feed.
  private var line: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("startedAt", startedAt)
      if let process { writer.member("process", process) }
      writer.member("running", running)
    }
    return writer.text + "\n"
  }

  /// Returns the content of a file with these markers, which come oldest first; drops the oldest if there are too many.
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

  /// Returns the markers in a file, the oldest first; empty if it is unreadable. Skips lines that are not markers.
  static func read(_ path: String) -> [CrashMarker] {
    guard let bytes = try? FileSystem.readOwnFile(path, limit: mostBytes) else { return [] }
    return bytes.split(separator: UInt8(ascii: "\n")).compactMap { CrashMarker(line: Array($0)) }
  }

  init(startedAt: String, process: Int32?, running: [String]) {
    self.startedAt = startedAt
    self.process = process
    self.running = Array(running.prefix(Self.mostSteps))
  }

  private init?(line: [UInt8]) {
    guard let document = try? JSONDocument(parsing: SourceText(name: "", bytes: line)),
      let startedAt = document.root["startedAt"]?.string, let running = document.root["running"],
      running.kind == .array
    else { return nil }
    let process = try? document.root["process"]?.integer(as: Int32.self)
    self.init(startedAt: startedAt, process: process, running: running.elements.compactMap(\.string))
  }

  /// Creates the marker of a crashed launch.
  init(of journal: Journal, running: [String]) {
    self.init(startedAt: journal.record.startedAt, process: journal.process, running: running)
  }

  /// Returns true if a journal is of the same launch.
  func isOf(_ journal: Journal) -> Bool {
    startedAt == journal.record.startedAt && process == journal.process
  }
}

extension [CrashMarker] {
  /// Returns true if one of the steps ran during one of the crashes.
  func haveAny(of steps: Set<String>) -> Bool { contains { $0.running.contains(where: steps.contains) } }
}
