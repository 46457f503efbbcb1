import AppBoot
import AppBootSystem

/// A marker of a crashed launch. It is stored until a launch is healthy.
///
/// A marker is one line of JSON: `{"startedAt":"…","process":7,"running":["fonts"]}`.
struct CrashMarker: Sendable, Hashable {
  /// The maximum number of markers that are stored. The launch guard needs only the last ones.
  private static let most = 100
  /// The maximum number of steps that a marker stores. More steps may have been running at the same time.
  private static let mostSteps = 1000
  /// The maximum size of the file in bytes. The oldest markers are dropped first.
  private static let mostBytes = 4 << 20

  /// The time at which the launch began. With the process, it identifies the launch, even if the clock does not
  /// advance.
  let startedAt: String
  /// The process identifier of the launch; `nil` if its journal does not have it.
  let process: Int32?
  /// The ids of the steps that were running at the crash, in manifest order.
  let running: [String]

  /// The marker as a line of JSON with its line feed.
  private var line: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("startedAt", startedAt)
      if let process { writer.member("process", process) }
      writer.member("running", running)
    }
    return writer.text + "\n"
  }

  /// Returns the content of a file with markers. If there are too many, the oldest ones are dropped.
  ///
  /// - Parameter notes: The markers, oldest first.
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

  /// Returns the markers in a file, oldest first; empty if the file cannot be read. Lines that are not markers are
  /// skipped.
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

  /// Returns whether the marker and a journal are of the same launch.
  func isOf(_ journal: Journal) -> Bool {
    startedAt == journal.record.startedAt && process == journal.process
  }
}

extension [CrashMarker] {
  /// Returns whether at least one of the steps was running during one of the crashes.
  func haveAny(of steps: Set<String>) -> Bool { contains { $0.running.contains(where: steps.contains) } }
}
