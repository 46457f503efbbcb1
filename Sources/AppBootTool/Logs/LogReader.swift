import AppBootAnalysis
import AppBoot
import AppBootCommands
import AppBootSystem

/// A line of a log.
struct LogLine {
  /// The bytes without a line feed at their end.
  let bytes: [UInt8]
  /// False if the line is longer than ``LogReader/lineLimit``, and more of it follows.
  let isWhole: Bool
  /// The time of the line in microseconds since 1970; `nil` if it is not known.
  let time: Int64?
  /// The id of the launch that printed the line; `nil` if it is not known.
  let launch: String?
}

/// Reads the lines of a step's log: those in its files, oldest first, and those that are added later.
///
/// The writer renames a full file (``RotatingFile``). The reader has its file open, and finds it again by its identity.
/// It reads it to its end before the next one.
struct LogReader {
  /// The most bytes of a line that are one ``LogLine``.
  static let lineLimit = 1 << 20
  private static let readSize = 1 << 16

  let step: String
  /// True if a line without a known time was returned.
  private(set) var hasUntimed = false
  /// The output that was pruned before it was read; `nil` without any. The caller clears it.
  var pruned: Pruned?
  private let directory: String
  private let name: String
  private var file: OpenLog?
  /// The bytes that have been read, from ``position`` on not returned.
  private var bytes: [UInt8] = []
  private var position = 0
  /// The offset in the file of the next line; negative if the line began in an earlier file.
  private var lineStart = 0
  /// The number of bytes that may still be read in this round.
  private var rest = 0
  /// True if the bytes that were read end a line, because another launch's follow or the log ends.
  private var endsLine = false
  /// True if lines that are added later are read too.
  private let follows: Bool

  /// Something that was pruned before it was read.
  enum Pruned: Equatable {
    case files(Int)
    /// The number of files is not known, because another launch began.
    case unknown
  }

  init(step: String, directory: String, follows: Bool) {
    (self.step, self.directory, self.follows) = (step, directory, follows)
    name = OutputLogs.name(ofStep: step)
  }

  // MARK: - Lines

  /// Allows to read what is in the files now: a writer that prints without end must not keep other logs waiting.
  mutating func beginRound() {
    let (age, isKnown) = currentAge()
    let sizes = (0...age).reduce(0) { $0 + (FileSystem.size(of: path($1)) ?? 0) }
    guard let file else { return rest = sizes }
    // The size of a file that was removed is not known.
    rest = isKnown ? sizes - file.offset : 2 * sizes + Self.lineLimit
  }

  /// Returns the time of the next line; `nil` if there is no line in this round.
  ///
  /// If the time of the line is not known, it is that of the last change of its file.
  mutating func nextTime() throws -> Int64? {
    while !hasLine {
      if try fill() { continue }
      guard !follows, position < bytes.count else { return nil }
      endsLine = true
    }
    return file.map { $0.time(at: lineStart) ?? $0.modified } ?? 0
  }

  /// Returns the next line; `nil` if there is none in this round.
  mutating func next() throws -> LogLine? {
    guard try nextTime() != nil, let end = lineEnd else { return nil }
    let time = file?.time(at: lineStart)
    if time == nil { hasUntimed = true }
    let hasFeed = end < bytes.count && bytes[end] == UInt8(ascii: "\n")
    let line = LogLine(
      bytes: Array(bytes[position..<end]), isWhole: hasFeed || endsLine, time: time,
      launch: file?.times?.launch)
    let next = end + (hasFeed ? 1 : 0)
    lineStart += next - position
    position = next
    if position == bytes.count { endsLine = false }
    return line
  }

  /// Returns the last line, if it has no end yet.
  mutating func finish() -> LogLine? {
    guard position < bytes.count else { return nil }
    defer { (lineStart, bytes, position) = (lineStart + bytes.count - position, [], 0) }
    return LogLine(
      bytes: Array(bytes[position...]), isWhole: true, time: file?.time(at: lineStart),
      launch: file?.times?.launch)
  }

  /// The end of the next line in the bytes that have been read; `nil` if they do not contain it.
  private var lineEnd: Int? {
    bytes.withUnsafeBytes { bytes in
      let rest = UnsafeRawBufferPointer(rebasing: bytes[position...])
      if let end = rest.firstLineFeed { return position + end }
      return rest.count >= Self.lineLimit || (endsLine && !rest.isEmpty) ? bytes.count : nil
    }
  }

  private var hasLine: Bool { lineEnd != nil }

  // MARK: - Files

  /// Begins with the oldest file, or with the oldest one of a launch. Returns false if there is none.
  mutating func begin(withLaunch launch: String?) throws -> Bool {
    let oldest = currentAge().age
    guard let launch else {
      file = try open(oldest)
      return file != nil
    }
    for age in 0...oldest {
      guard let next = try open(age) else { continue }
      guard next.isFile(ofLaunch: launch) else { break }
      file = next
    }
    return file != nil
  }

  /// Returns the id of the launch that wrote the newest file; `nil` if it is unknown.
  ///
  /// If the newest file has no times, the id comes from the file before it and is uncertain.
  func newestLaunch() throws -> (id: String?, isCertain: Bool) {
    if let launch = try open(0, readsAll: false)?.times?.launch { return (launch, true) }
    return (try open(1, readsAll: false)?.times?.launch, false)
  }

  /// Reads more bytes. Returns false if there are none in this round.
  private mutating func fill() throws -> Bool {
    guard rest > 0 else { return false }
    while let file {
      let new = try file.log.read(from: file.offset, limit: max(1, min(Self.readSize, rest)))
      guard new.isEmpty else {
        add(new)
        try file.readTimes()
        return true
      }
      guard try beginNext() else { return false }
      if endsLine { return true }
    }
    return false
  }

  private mutating func add(_ new: [UInt8]) {
    bytes.removeFirst(position)
    position = 0
    bytes += new
    file?.offset += new.count
    rest -= new.count
  }

  /// Begins the file after the current one, which was read to its end. Returns false if there is none.
  private mutating func beginNext() throws -> Bool {
    guard let old = file else { return false }
    for _ in 0..<100 {
      let (age, isKnown) = currentAge()
      if isKnown, age == 0 { return false }
      // The writer may have added something before it renamed the file.
      if try !old.log.read(from: old.offset, limit: 1).isEmpty { return true }
      guard let next = try isKnown ? openNext(after: age) : open(age) else { return false }
      // Otherwise files were renamed in between. Without the current file, the oldest one is the next.
      let identity = isKnown ? old.log.identity : next.log.identity
      guard FileSystem.identity(of: path(age)) == identity else { continue }
      turn(to: next, from: old, isKnown: isKnown)
      return true
    }
    return false
  }

  /// Turns to the next file; first the last line of the old one ends, if the next one does not continue it.
  private mutating func turn(to next: OpenLog, from old: OpenLog, isKnown: Bool) {
    let isSameLaunch = next.times != nil && next.times?.launch == old.times?.launch
    let isNextNumber = isSameLaunch && next.times?.number == old.times.map { $0.number + 1 }
    if position < bytes.count, !isNextNumber {
      // Only a line that is longer than a file goes on in the next one.
      endsLine = true
      return
    }
    if !isKnown, !isNextNumber { notePruned(from: old, to: next, isSameLaunch) }
    lineStart -= old.offset
    file = next
  }

  /// Opens the file after one of an age. While the writer renames files, one may be missing in between.
  private func openNext(after age: Int) throws -> OpenLog? {
    while true {
      if let next = try open(age - 1) { return next }
      guard age > 1 else { return nil }
      let next = try open(age - 2)
      if !FileSystem.exists(path(age - 1)) { return next }
    }
  }

  private mutating func notePruned(from old: OpenLog, to next: OpenLog, _ isSameLaunch: Bool) {
    guard isSameLaunch, let number = next.times?.number, let last = old.times?.number, number > last else {
      return add(.unknown)
    }
    add(.files(number - last - 1))
  }

  /// Notes the files that were pruned before the one with which the reader began.
  mutating func notePrunedBefore() {
    if let number = file?.times?.number, number > 0 { add(.files(number)) }
  }

  private mutating func add(_ new: Pruned) {
    if case .files(let count) = pruned ?? .files(0), case .files(let more) = new {
      pruned = .files(count + more)
    } else {
      pruned = .unknown
    }
  }

  /// Returns the age of the current file; if it was removed, the age of the oldest file and false.
  private func currentAge() -> (age: Int, isKnown: Bool) {
    var age = 0
    var oldest = 0
    // While the writer renames files, one is missing in between.
    while age - oldest < 3 {
      if let identity = FileSystem.identity(of: path(age)) {
        if identity == file?.log.identity { return (age, true) }
        oldest = age
      }
      age += 1
    }
    return (oldest, false)
  }

  /// Opens a file and its times; `nil` if there is no file.
  ///
  /// - Parameter readsAll: False to read of the times only as much as has the launch.
  private func open(_ age: Int, readsAll: Bool = true) throws -> OpenLog? {
    for attempt in 0..<100 {
      do {
        let log = try ReadFile(path(age))
        let times = try? ReadFile(timesPath(age))
        guard FileSystem.identity(of: path(age)) == log.identity else { continue }
        // While the writer renames files, the times follow.
        if times == nil, attempt < 50 { continue }
        let file = OpenLog(log: log, timesFile: times)
        try file.readTimes(all: readsAll)
        return file
      } catch let error as SystemError where error.isNotFound {
        return nil
      }
    }
    return nil
  }

  private func path(_ age: Int) -> String { RotatingFile.path(in: directory, name: name, age: age) }
  private func timesPath(_ age: Int) -> String { RotatingFile.timesPath(in: directory, name: name, age: age) }
}

/// An open file of a log, with its times.
private final class OpenLog {
  let log: ReadFile
  let timesFile: ReadFile?
  /// The times that have been read; `nil` if there are none.
  var times: LogTimes?
  /// The offset of the bytes to read next.
  var offset = 0
  /// The time of the file's last change in microseconds, if there are no times.
  private(set) var modified: Int64 = 0
  private var timesOffset = 0
  /// The beginning of the file with the times, until it has a line.
  private var header: [UInt8] = []
  /// The place in ``LogTimes/marks`` of the last line.
  private var mark = 0

  init(log: ReadFile, timesFile: ReadFile?) { (self.log, self.timesFile) = (log, timesFile) }

  /// Reads the times that were added.
  ///
  /// - Parameter all: False to stop once the launch is known.
  func readTimes(all: Bool = true) throws {
    while all || times == nil,
      let bytes = try timesFile?.read(from: timesOffset, limit: all ? 1 << 16 : 1 << 10),
      !bytes.isEmpty
    {
      timesOffset += bytes.count
      if times == nil {
        header += bytes
        times = LogTimes(header)
      } else {
        times?.append(bytes)
      }
    }
    if times == nil { modified = log.modified }
  }

  /// Returns whether a launch wrote the file. Without times, a change after the beginning of the launch decides.
  func isFile(ofLaunch launch: String) -> Bool {
    if let times { return times.launch == launch }
    // The id of a launch begins with its start time. A file's time can be slightly early.
    let stamp = WallClock.timestamp(microseconds: modified.addingClamped(1_000_000))
    return stamp.filter { $0 != "-" && $0 != ":" } >= launch
  }

  /// Returns the time at an offset, which is not less than at the last call.
  func time(at offset: Int) -> Int64? {
    guard let marks = times?.marks else { return nil }
    while mark + 1 < marks.count, marks[mark + 1].offset <= offset { mark += 1 }
    return marks[mark].time
  }
}
