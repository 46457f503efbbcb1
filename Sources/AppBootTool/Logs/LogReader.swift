import AppBoot
import AppBootSystem

/// A line of a log.
struct LogLine {
  /// The bytes without a line feed at their end.
  let bytes: [UInt8]
  /// False if the line is longer than ``LogReader/lineLimit``, and more of it follows.
  let isWhole: Bool
  /// The time of the line in microseconds since 1970; `nil` if it is not known.
  let time: Int64?
  /// The stream that the line was printed to; `nil` if it is not known.
  let stream: CapturedStream?
  /// The id of the launch that printed the line.
  let launch: String
}

/// Reads the lines of a step's log: those in its files, oldest first, and those that are added later.
///
/// The reader reads a file to its end before it opens the next one. A file that it has open can be pruned meanwhile.
struct LogReader {
  /// The most bytes of a line that are one ``LogLine``.
  static let lineLimit = 1 << 20
  private static let readSize = 1 << 16

  let step: String
  /// The name of the step's log.
  let name: String
  /// True if a line without a known time was returned.
  private(set) var hasUntimed = false
  /// The output that was pruned before it was read; `nil` without any. The caller clears it.
  var pruned: Pruned?
  private let directory: String
  private var file: OpenLog?
  /// The files after the open one at the beginning of the round, the oldest first.
  private var later: [LogFile] = []
  /// True if the open file was pruned before the round began.
  private var isPruned = false
  /// The bytes that have been read, from ``position`` on not returned.
  private var bytes: [UInt8] = []
  private var position = 0
  /// The offset in the file of the next line; negative if the line began in an earlier file.
  private var lineStart = 0
  /// The number of bytes that may still be read in this round.
  private(set) var rest = 0
  /// The number of bytes before the end to begin with; `nil` for the whole log.
  var tail: Int?
  /// The place at which reading ends; `nil` for the end of the log, which moves.
  private var stop: Place?
  /// The place of the first line that is read; `nil` before ``begin(with:)``.
  private var start: Place?
  /// True if the log has lines before those that are read.
  private(set) var hasEarlier = false
  /// True if the bytes up to the next line feed are the rest of a line that is left out.
  private var skipsLine = false
  /// True if the bytes that were read end a line, because another launch's follow or the log ends.
  private var endsLine = false
  /// True if lines that are added later are read too.
  private let follows: Bool

  /// A place in the log.
  private struct Place {
    let file: LogFile
    let offset: Int
  }

  /// Something that was pruned before it was read.
  enum Pruned: Equatable {
    case files(Int)
    /// The number of files is not known, because another launch began.
    case unknown
  }

  init(step: String, name: String, directory: String, follows: Bool) {
    (self.step, self.name, self.directory, self.follows) = (step, name, directory, follows)
  }

  // MARK: - Lines

  /// Allows to read what is in the files now: a writer that prints without end must not keep other logs waiting.
  ///
  /// - Parameter files: The files of the log, the oldest first.
  mutating func beginRound(_ files: [LogFile]) {
    guard let file else { return }
    later = files.filter { $0 > file.file && $0 <= stop?.file ?? $0 }
    isPruned = !files.contains(file.file)
    // A pruned file still has its bytes.
    rest = later.reduce(size(of: file.file, file.log.size) - file.offset) { $0 + size(of: $1) }
  }

  /// Returns the bytes of a file up to the place at which reading ends.
  private func size(of file: LogFile, _ known: Int? = nil) -> Int {
    let size = known ?? FileSystem.size(of: file.path(in: directory)) ?? 0
    return min(size, stop.map { $0.file == file ? $0.offset : size } ?? size)
  }

  /// Returns a reader of the lines before those that this one has read; `nil` if there are none.
  ///
  /// - Parameter count: The number of bytes to read.
  func earlier(_ count: Int, _ files: [LogFile]) throws -> LogReader? {
    guard hasEarlier, let start else { return nil }
    var reader = LogReader(step: step, name: name, directory: directory, follows: false)
    (reader.tail, reader.stop) = (count, start)
    let own = files.filter { $0 <= start.file && $0.launch == start.file.launch }
    guard try reader.begin(with: own) else { return nil }
    reader.beginRound(files)
    return reader
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
    return file.map { $0.mark(at: lineStart)?.time ?? $0.modified } ?? 0
  }

  /// Returns the next line; `nil` if there is none in this round.
  mutating func next() throws -> LogLine? {
    guard try nextTime() != nil, let end = lineEnd, let file else { return nil }
    let mark = file.mark(at: lineStart)
    if mark == nil { hasUntimed = true }
    let hasFeed = end < bytes.count && bytes[end] == UInt8(ascii: "\n")
    let line = LogLine(
      bytes: Array(bytes[position..<end]), isWhole: hasFeed || endsLine, time: mark?.time,
      stream: mark?.stream, launch: file.file.launch)
    let next = end + (hasFeed ? 1 : 0)
    lineStart += next - position
    position = next
    if position == bytes.count { endsLine = false }
    return line
  }

  /// Returns the last line, if it has no end yet.
  mutating func finish() -> LogLine? {
    guard position < bytes.count, let file else { return nil }
    defer { (lineStart, bytes, position) = (lineStart + bytes.count - position, [], 0) }
    let mark = file.mark(at: lineStart)
    return LogLine(
      bytes: Array(bytes[position...]), isWhole: true, time: mark?.time, stream: mark?.stream,
      launch: file.file.launch)
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

  /// Begins with the first of the files that exists. Returns false if there is none.
  mutating func begin(with files: [LogFile]) throws -> Bool {
    var (files, offset) = (files[...], 0)
    if let tail {
      var size = 0
      let first = files.lastIndex { file in
        size += self.size(of: file)
        return size >= tail
      }
      if let first {
        hasEarlier = first > 0 || size > tail
        (files, offset) = (files[first...], size - tail)
      }
    }
    for next in files {
      file = try OpenLog(next, in: directory)
      guard let file else { continue }
      start = Place(file: next, offset: next == files.first ? offset : 0)
      // In another file, the beginning is not in the middle of a line.
      guard next == files.first, offset > 0 else { return true }
      (file.offset, lineStart, skipsLine) = (offset, offset, true)
      return true
    }
    return false
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
    var added = new[...]
    if skipsLine {
      let end = new.firstIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? new.count
      lineStart += end
      skipsLine = end == new.count && new.last != UInt8(ascii: "\n")
      // A line that is longer than what is read is left out.
      if !skipsLine, rest > end { start = file.map { Place(file: $0.file, offset: lineStart) } }
      added = new[end...]
    }
    bytes += added
    file?.offset += new.count
    rest -= new.count
  }

  /// Begins the file after the current one, which was read to its end. Returns false if there is none.
  ///
  /// If the next file does not continue the last line of the current one, first this line ends.
  private mutating func beginNext() throws -> Bool {
    while let old = file, let next = later.first {
      let isNextNumber = next.launch == old.file.launch && next.number == old.file.number + 1
      // Only a line that is longer than a file goes on in the next one.
      endsLine = position < bytes.count && !isNextNumber
      if endsLine { return true }
      later.removeFirst()
      guard let new = try OpenLog(next, in: directory) else { continue }
      notePruned(from: old.file, to: next)
      lineStart -= old.offset
      file = new
      return true
    }
    return false
  }

  private mutating func notePruned(from old: LogFile, to next: LogFile) {
    if next.launch == old.launch {
      let count = next.number - old.number - 1
      if count > 0 { add(.files(count)) }
    } else if isPruned {
      add(.unknown)
    }
  }

  /// Notes the files that were pruned before the one with which the reader began.
  mutating func notePrunedBefore() {
    if let number = file?.file.number, number > 0 { add(.files(number)) }
  }

  private mutating func add(_ new: Pruned) {
    if case .files(let count) = pruned ?? .files(0), case .files(let more) = new {
      pruned = .files(count + more)
    } else {
      pruned = .unknown
    }
  }
}

/// An open file of a log, with its times.
private final class OpenLog {
  let file: LogFile
  let log: ReadFile
  /// The offset of the bytes to read next.
  var offset = 0
  private let timesFile: ReadFile?
  private var times = LogTimes()
  private var timesOffset = 0
  /// The place in ``LogTimes/marks`` of the last line.
  private var mark = 0

  /// Opens a file and its times; `nil` if there is no file.
  init?(_ file: LogFile, in directory: String) throws {
    let path = file.path(in: directory)
    do throws(SystemError) {
      log = try ReadFile(path)
    } catch {
      guard error.isNotFound else { throw error }
      return nil
    }
    timesFile = try? ReadFile(file.timesPath(in: directory))
    // The file may have been removed in between, with its times.
    if timesFile == nil, !FileSystem.exists(path) { return nil }
    self.file = file
    try readTimes()
  }

  /// The time of the file's last change in microseconds.
  var modified: Int64 { log.modified }

  /// Reads the times that were added.
  func readTimes() throws {
    while let bytes = try timesFile?.read(from: timesOffset, limit: 1 << 16), !bytes.isEmpty {
      timesOffset += bytes.count
      times.append(bytes)
    }
  }

  /// Returns the mark of an offset, which is not less than at the last call; `nil` if there is none.
  func mark(at offset: Int) -> LogTimes.Mark? {
    let marks = times.marks
    guard let first = marks.first, first.offset <= max(0, offset) else { return nil }
    while mark + 1 < marks.count, marks[mark + 1].offset <= offset { mark += 1 }
    return marks[mark]
  }
}
