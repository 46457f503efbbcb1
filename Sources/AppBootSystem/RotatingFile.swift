/// A step's log of a launch, in several files of bounded size.
///
/// A full file is followed by one with the next number (``LogFile``). If the step then has too many files, its oldest
/// one is removed. No file is created before the first append. Beside each file, another one has the times of its
/// lines (``LogTimes``).
///
/// A file ends at a line end. A line is cut only if it is longer than a file, or if another instance wrote its
/// beginning.
///
/// Several processes can write the log: the launch, and the readers of processes that it left running. Each one
/// continues the newest file. No lock is needed: if two processes begin the next file at once, they share it.
package struct RotatingFile: Sendable {
  private let directory: String
  private let limits: LogLimits
  private var current: LogFile
  /// The files of the step, the oldest first, with the current one.
  private var files: [LogFile]
  private var hasBegun = false
  /// True if other processes can have begun files.
  private var isShared: Bool
  private var log: AppendFile?
  private var timesFile: AppendFile?
  private var times = LogTimes()
  /// The lines of the times that are not written yet.
  private var unwritten = ""
  /// The size of the current file as this writer left it.
  private var size = 0
  /// The offset at which the last line of the file begins.
  private var lineStart = 0

  /// Creates a log without creating a file.
  ///
  /// - Parameters:
  ///   - launch: The id of the launch.
  ///   - name: The name of the log.
  ///   - directory: The directory of the logs.
  ///   - older: The files of earlier launches, the oldest first. They count too, and are the first to be removed.
  ///   - isShared: True to continue the files of another writer.
  package init(
    launch: String, name: String, in directory: String, limits: LogLimits, older: [LogFile] = [],
    isShared: Bool = false
  ) {
    current = LogFile(launch: launch, name: name)
    (self.directory, self.limits, files, self.isShared) = (directory, limits, older, isShared)
  }

  /// Appends bytes, and begins a new file when one is full.
  ///
  /// - Parameter marks: The times of the bytes, in the order of their offsets in `bytes`; the first one has offset 0.
  package mutating func append(
    _ bytes: UnsafeRawBufferPointer, _ marks: [LogTimes.Mark]
  ) throws(SystemError) {
    var rest = bytes
    var marks = marks[...]
    var last = marks.first ?? LogTimes.Mark(offset: 0, time: 0)
    try resume()
    while !rest.isEmpty {
      let count = log == nil ? 0 : room(for: rest)
      guard count > 0 else {
        try begin(with: last)
        continue
      }
      let done = bytes.count - rest.count
      while let mark = marks.first, mark.offset < done + count {
        last = mark
        last.offset += size - done
        add(last)
        marks = marks.dropFirst()
      }
      try write(UnsafeRawBufferPointer(rebasing: rest[..<count]))
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// Closes the files; a later append continues them.
  package mutating func close() { (log, timesFile) = (nil, nil) }

  /// Notes that another process writes the log too.
  package mutating func share() { isShared = true }

  /// Returns the number of leading bytes that belong into the current file.
  private func room(for bytes: UnsafeRawBufferPointer) -> Int {
    let free = limits.maxSize - size
    if bytes.count <= free { return bytes.count }
    if free > 0, let end = UnsafeRawBufferPointer(rebasing: bytes[..<free]).lastLineFeed { return end + 1 }
    if size == lineStart { return size == 0 ? free : 0 }
    // The line ends in this file, unless it is longer than a file.
    let line = UnsafeRawBufferPointer(rebasing: bytes[..<min(bytes.count, lineStart + limits.maxSize - size)])
    return line.firstLineFeed.map { $0 + 1 } ?? line.count
  }

  private mutating func add(_ mark: LogTimes.Mark) {
    if let line = times.add(mark) { unwritten += line }
  }

  /// Writes the times first: a reader must not find lines without a time.
  private mutating func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    if !unwritten.isEmpty {
      try timesFile?.append(Array(unwritten.utf8))
      unwritten = ""
    }
    if let end = bytes.lastLineFeed { lineStart = size + end + 1 }
    try log?.append(bytes)
    size += bytes.count
  }

  // MARK: - Files

  /// Opens the current file again after ``close()``. Turns to the newest file if another process has appended to the
  /// current one or removed it.
  private mutating func resume() throws(SystemError) {
    guard hasBegun || isShared else { return }
    if hasBegun, log == nil { try open(creating: false) }
    let hasNext = isShared && FileSystem.exists(current.next.path(in: directory))
    if let status = log?.status, status.size == size, !status.isRemoved, !hasNext { return }
    close()
    let written = try LogFile.list(current.name, of: current.launch, in: directory)
    guard let newest = written.last, newest >= current else { return }
    files = files.filter { $0.launch != current.launch } + written
    (current, hasBegun) = (newest, true)
    try open(creating: false)
    beginTimes()
  }

  /// Begins the next file. If there are too many, first removes the oldest one: the disk may be full.
  private mutating func begin(with mark: LogTimes.Mark) throws(SystemError) {
    if hasBegun { current = current.next }
    hasBegun = true
    close()
    while files.count >= limits.files { try removeOldest() }
    do throws(SystemError) {
      try open(creating: true)
    } catch {
      guard error.isNotFound else { throw error }
      // It is the launch's first file, or a later launch has removed the directory, which was empty.
      try LogFile.createDirectory(ofLaunch: current.launch, in: directory)
      try open(creating: true)
    }
    beginTimes()
    add(LogTimes.Mark(offset: size, time: mark.time, stream: mark.stream))
    files.append(current)
  }

  /// Removes the oldest file, unless processes of its launch write to it. Then it no longer counts.
  private mutating func removeOldest() throws(SystemError) {
    let oldest = files.removeFirst()
    let launch = LogFile.directory(ofLaunch: oldest.launch, in: directory)
    if oldest.launch == current.launch || !FileLock.isHeld(directory: launch) {
      try oldest.remove(in: directory)
    }
  }

  /// Begins the times of a file, to which another process may have appended.
  private mutating func beginTimes() {
    size = log?.status?.size ?? 0
    (lineStart, times, unwritten) = (size, LogTimes(), "")
  }

  /// Opens the current file and its times. If one is missing and `creating` is false, opens none.
  private mutating func open(creating: Bool) throws(SystemError) {
    do throws(SystemError) {
      // The times first: a reader must not find a log without times.
      let times = try AppendFile.waiting(own: current.timesPath(in: directory), creating: creating)
      log = try AppendFile.waiting(own: current.path(in: directory), creating: creating)
      timesFile = times
    } catch {
      guard error.isNotFound, !creating else { throw error }
    }
  }
}
