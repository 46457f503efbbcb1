import AppBoot
import AppBootCommands
import AppBootReports
import AppBootSystem

/// The end of the logs of one step or of all steps, as far as a live view shows it.
///
/// It reads the files, so that a slow terminal never slows a program. If more is printed than a screen can show, it
/// leaves out the lines in between.
struct LogTail {
  struct Line: Equatable {
    /// The microseconds since 1970; `nil` if they are unknown.
    let time: Int64?
    let step: String
    let text: String

    private static let words = ["error", "fail", "fatal", "panic", "exception"]

    /// True if the line probably reports an error.
    var isError: Bool {
      let text = text.lowercased()
      return Self.words.contains { text.contains($0) }
    }
  }

  /// The number of bytes at the end of the logs with which reading begins, and above which new ones are left out.
  private static let (firstBytes, mostNew) = (1 << 16, 1 << 17)
  /// The number of bytes of older lines that are read at once. Reading them takes a few milliseconds.
  private static let block = 1 << 18
  /// The number of bytes at the end of a log in which its last line is looked for.
  private static let lastBytes = 1 << 12

  private let state: String
  private let style: TextStyle
  /// The logs from their end on.
  private var merge: LogMerge?
  /// The logs at the oldest lines that were read; `nil` if those are in ``merge``.
  private var oldest: LogMerge?
  /// The step whose logs are read; `nil` for all.
  private(set) var step: String?
  /// The last lines of the steps, with the sizes of the files in which they were found.
  private var last: [String: (size: Int, text: String)] = [:]

  init(state: String, style: TextStyle) { (self.state, self.style) = (state, style) }

  /// Begins with other logs.
  mutating func select(_ step: String?) { (self.step, merge, oldest) = (step, nil, nil) }

  /// True if the logs have lines before those that were read.
  var hasOlder: Bool { (oldest ?? merge)?.hasEarlier ?? false }

  /// Returns lines before those that were read so far: as many as can be read while a key waits.
  mutating func readOlder(of count: Int) -> [Line] {
    let bytes = step == nil ? max(1 << 13, Self.block / max(1, count)) : Self.block
    guard var older = (oldest ?? merge)?.earlier(bytes) else { return [] }
    defer { oldest = older }
    return (try? lines(of: &older)) ?? []
  }

  /// Returns the new lines, and whether they replace those before.
  ///
  /// - Parameters:
  ///   - start: The time at which the launch began, as in its record.
  ///   - count: The number of steps among which the bytes are divided.
  mutating func read(launchStartedAt start: String, of count: Int) -> (lines: [Line], isReset: Bool) {
    let isReset = merge == nil
    do {
      try begin(start, count)
      try merge?.beginRound()
      if !isReset, let unread = merge?.unread, unread > Self.mostNew {
        select(step)
        return read(launchStartedAt: start, of: count)
      }
      guard var merge = merge.take() else { return ([], isReset) }
      defer { self.merge = merge }
      return (try lines(of: &merge), isReset)
    } catch {
      return ([], isReset)
    }
  }

  private func lines(of merge: inout LogMerge) throws -> [Line] {
    var lines: [Line] = []
    _ = try merge.readRound { item in
      guard case .line(let line, let step) = item else { return }
      let text = style.visible(String(decoding: line.bytes, as: UTF8.self))
      lines.append(Line(time: line.time, step: step, text: text))
    }
    return lines
  }

  private mutating func begin(_ start: String, _ count: Int) throws {
    guard merge == nil else { return }
    guard let launch = launch(startedAt: start) else { return }
    var merge = LogMerge(state: state, steps: step.map { [$0] } ?? [], launch: launch)
    merge.tail = step == nil ? max(1 << 13, Self.firstBytes / max(1, count)) : Self.firstBytes
    self.merge = merge
  }

  private func launch(startedAt start: String) -> String? {
    start.isEmpty
      ? nil : LogFile.launch(startedAt: LaunchID.compact(start), in: OutputLogs.directory(in: state))
  }

  /// Returns the last lines of steps, by step id. It reads the end of a log only after the log has changed.
  mutating func lastLines(of steps: [String], launchStartedAt start: String) -> [String: String] {
    let directory = OutputLogs.directory(in: state)
    guard let launch = launch(startedAt: start), let files = try? LogFile.all(in: directory, of: launch)
    else { return [:] }
    for step in steps {
      guard let path = files[OutputLogs.name(ofStep: step)]?.last?.path(in: directory),
        let size = FileSystem.size(of: path), size > 0, last[step]?.size != size,
        let bytes = try? ReadFile(path).read(from: max(0, size - Self.lastBytes), limit: Self.lastBytes)
      else { continue }
      let line = bytes.split(separator: UInt8(ascii: "\n")).last ?? []
      let isCut = line.startIndex == 0 && size > Self.lastBytes
      // The first byte can be in the middle of a character.
      let rest = isCut ? line.drop { $0 & 0xC0 == 0x80 } : line
      last[step] = (size, style.visible((isCut ? "…" : "") + String(decoding: rest, as: UTF8.self)))
    }
    return last.mapValues(\.text)
  }
}
