/// A log of bounded size in several files.
///
/// A full file `NAME.log` becomes `NAME.1.log`, that one `NAME.2.log`, and so on; the oldest is removed. The first
/// append of each instance also begins a new file, unless `continues` is true. No file is created before the first
/// append. Beside each file, `NAME.times` has the times of its lines (``LogTimes``).
///
/// A file ends at a line end. A line is cut only if it is longer than a file, or if another instance wrote its
/// beginning.
///
/// Several processes can write the log: the launch, and the readers of processes that earlier launches left running.
/// Each writer has a file of its own launch, and recognizes it by its file identity. A new file takes the place of the
/// writer's last one: only that file and older ones move. If a newer launch has removed the writer's last file, the new
/// file counts as older than all files of newer launches.
package struct RotatingFile: Sendable {
  private let directory: String
  private let name: String
  private let launch: String
  private let limits: LogLimits
  private var continues: Bool
  private var file: LogFile?
  private var timesFile: LogFile?
  private var times: LogTimes?
  /// The lines of the times that are not written yet.
  private var unwritten = ""
  /// The offset at which the last line of the file begins.
  private var lineStart = 0
  /// The nanoseconds after which this writer no longer waits for another one that renames files.
  var longestWait: Int64 = 1_000_000_000

  /// Creates a log without creating a file.
  ///
  /// - Parameters:
  ///   - name: The name without its extension.
  ///   - launch: The id of the launch.
  ///   - continues: True to append to a file that another writer of the launch began.
  package init(
    in directory: String, name: String, launch: String, limits: LogLimits, continues: Bool = false
  ) {
    (self.directory, self.name, self.launch) = (directory, name, launch)
    (self.limits, self.continues) = (limits, continues)
  }

  /// Appends bytes, and begins a new file when one is full.
  ///
  /// - Parameter marks: The times of the bytes, in the order of their offsets in `bytes`; the first one has offset 0.
  package mutating func append(
    _ bytes: UnsafeRawBufferPointer, _ marks: [LogTimes.Mark]
  ) throws(SystemError) {
    var rest = bytes
    var marks = marks[...]
    var time = marks.first?.time ?? 0
    try resume()
    while !rest.isEmpty {
      if file == nil { try begin(at: time) }
      let size = file?.size ?? 0
      let count = room(for: rest, in: size)
      guard count > 0 else {
        try begin(at: time)
        continue
      }
      let done = bytes.count - rest.count
      while let mark = marks.first, mark.offset < done + count {
        add(LogTimes.Mark(offset: size + mark.offset - done, time: mark.time))
        time = mark.time
        marks = marks.dropFirst()
      }
      try write(UnsafeRawBufferPointer(rebasing: rest[..<count]))
      rest = UnsafeRawBufferPointer(rebasing: rest[count...])
    }
  }

  /// Closes the files; a later append continues them.
  package mutating func close() {
    file?.close()
    timesFile?.close()
  }

  /// Returns the path of the current file, or of the file that is `age` files older.
  package static func path(in directory: String, name: String, age: Int = 0) -> String {
    path(in: directory, name: name, age: age, extension: "log")
  }

  /// Returns the path of the times of the current file, or of the file that is `age` files older.
  package static func timesPath(in directory: String, name: String, age: Int = 0) -> String {
    path(in: directory, name: name, age: age, extension: "times")
  }

  private static func path(in directory: String, name: String, age: Int, extension end: String) -> String {
    FileSystem.join(directory, age == 0 ? "\(name).\(end)" : "\(name).\(age).\(end)")
  }

  /// Returns the number of leading bytes that belong into the current file.
  private func room(for bytes: UnsafeRawBufferPointer, in size: Int) -> Int {
    let free = limits.maxSize - size
    if bytes.count <= free { return bytes.count }
    if free > 0, let end = UnsafeRawBufferPointer(rebasing: bytes[..<free]).lastLineFeed { return end + 1 }
    if size == lineStart { return size == 0 ? free : 0 }
    // The line ends in this file, unless it is longer than a file.
    let line = UnsafeRawBufferPointer(rebasing: bytes[..<min(bytes.count, lineStart + limits.maxSize - size)])
    return line.firstLineFeed.map { $0 + 1 } ?? line.count
  }

  private mutating func add(_ mark: LogTimes.Mark) {
    if let line = times?.add(mark) { unwritten += line }
  }

  /// Writes the times first: a reader must not find lines without a time.
  private mutating func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    if !unwritten.isEmpty {
      try timesFile?.append(Array(unwritten.utf8))
      unwritten = ""
    }
    if let end = bytes.lastLineFeed { lineStart = (file?.size ?? 0) + end + 1 }
    try file?.append(bytes)
  }

  // MARK: - Files

  /// Opens the launch's newest file, unless the open one is unchanged since this writer's last append.
  ///
  /// Another process may have removed the file or appended to it.
  private mutating func resume() throws(SystemError) {
    guard continues, try !reopen() else { return }
    (file, timesFile) = (nil, nil)
    let lock = lock()
    defer { lock?.release() }
    for age in ages() {
      guard let times = readTimes(age), times.launch == launch, let file = try LogFile(existing: path(age)),
        let timesFile = try LogFile(existing: timesPath(age))
      else { continue }
      (self.file, self.timesFile, self.times) = (file, timesFile, times)
      return lineStart = file.size
    }
  }

  /// Opens the files again after ``close()``. Returns false if they changed since this writer's last append.
  private mutating func reopen() throws(SystemError) -> Bool {
    guard var file, var timesFile else { return false }
    guard file.isClosed else { return file.isAsLeft }
    try file.open(path(0))
    try timesFile.open(timesPath(0))
    (self.file, self.timesFile) = (file, timesFile)
    return file.isAsLeft && timesFile.isAsLeft
  }

  private mutating func begin(at time: Int64) throws(SystemError) {
    let number = times.map { $0.number + 1 } ?? 0
    let lock = lock()
    defer { lock?.release() }
    if !continues { try removeSurplus() }
    let age = place()
    (file, timesFile, continues) = (nil, nil, true)
    try makeRoom(at: age)
    let times = LogTimes(launch: launch, number: number, time: time)
    (self.times, unwritten) = (times, times.header)
    timesFile = try LogFile(timesPath(age))
    let file = try LogFile(path(age))
    // Without the lock, another writer may have begun the same file.
    (self.file, lineStart) = (file, file.size)
  }

  /// Locks out other writers. Returns `nil` after ``longestWait``, or if the file system does not support locks.
  private func lock() -> FileLock? { FileLock.acquire(directory: directory, within: longestWait) }

  /// Returns the age of the next file.
  private func place() -> Int {
    guard continues else { return 0 }
    let ages = ages()
    if let file, let age = ages.first(where: { FileSystem.identity(of: path($0)) == file.identity }) {
      return age
    }
    // The ids of launches begin with their time.
    let newer = ages.last { age in readTimes(age).map { $0.launch > launch } ?? false }
    return newer.map { $0 + 1 } ?? 0
  }

  /// Returns the ages of the files that exist. A gap may come from a user, or from a process that was killed.
  private func ages() -> [Int] {
    var ages: [Int] = []
    var age = 0
    while age - (ages.last ?? 0) < 3 {
      if FileSystem.exists(path(age)) { ages.append(age) }
      age += 1
    }
    return ages
  }

  private func readTimes(_ age: Int) -> LogTimes? {
    (try? FileSystem.readOwnFile(timesPath(age))).flatMap { LogTimes($0) }
  }

  /// Returns the age at which files from an age on end: the first gap, or the age of the file to remove.
  ///
  /// Each launch that left something running keeps one file beyond the limit.
  private func end(from age: Int) -> Int {
    let oldest = limits.files - 1
    if age > oldest, readTimes(age)?.launch == launch { return age }
    var end = age
    while age > oldest || end < oldest, FileSystem.exists(path(end)) { end += 1 }
    return end
  }

  /// Moves the files from an age on, up to the first gap. Without a gap, removes the oldest one.
  private func makeRoom(at age: Int) throws(SystemError) {
    let end = end(from: age)
    try remove(path(end))
    try remove(timesPath(end))
    // The times follow their file: a reader finds the right ones, or none.
    for age in (age..<end).reversed() {
      try rename(path(age), to: path(age + 1))
      try rename(timesPath(age), to: timesPath(age + 1))
    }
  }

  /// Removes the files that are too old since the limit was lowered.
  private func removeSurplus() throws(SystemError) {
    var age = limits.files
    while try remove(path(age)) {
      try remove(timesPath(age))
      age += 1
    }
  }

  private func path(_ age: Int) -> String { Self.path(in: directory, name: name, age: age) }
  private func timesPath(_ age: Int) -> String { Self.timesPath(in: directory, name: name, age: age) }

  /// Removes a file. Returns false if there is none.
  @discardableResult
  private func remove(_ path: String) throws(SystemError) -> Bool {
    do throws(SystemError) {
      try FileSystem.remove(path)
      return true
    } catch {
      guard error.isNotFound else { throw error }
      return false
    }
  }

  /// Renames a file, if there is one.
  private func rename(_ path: String, to newPath: String) throws(SystemError) {
    do throws(SystemError) {
      try FileSystem.rename(path, to: newPath)
    } catch {
      guard error.isNotFound else { throw error }
    }
  }
}

/// A file to which one writer appends.
private struct LogFile: Sendable {
  let identity: FileSystem.Identity
  /// The size of the file as this writer left it.
  private(set) var size: Int
  /// The open file; `nil` if it is closed.
  private var file: AppendFile?

  /// Opens a file. If it is missing, creates it.
  init(_ path: String) throws(SystemError) { try self.init(AppendFile.waiting(own: path)) }

  /// Opens a file; `nil` if it is missing.
  init?(existing path: String) throws(SystemError) {
    do throws(SystemError) {
      try self.init(AppendFile.waiting(own: path, creating: false))
    } catch {
      guard error.isNotFound else { throw error }
      return nil
    }
  }

  private init(_ file: AppendFile) throws(SystemError) {
    guard let status = file.status else { throw .last("look at", file.path) }
    (self.file, identity, size) = (file, status.identity, status.size)
  }

  /// True if no process has removed the file or appended to it since this writer did.
  var isAsLeft: Bool {
    guard let status = file?.status else { return false }
    return status.identity == identity && status.size == size && !status.isRemoved
  }

  var isClosed: Bool { file == nil }

  mutating func close() { file = nil }

  /// Opens the path again, which may have another file now (``isAsLeft``). If the file is missing, does nothing.
  mutating func open(_ path: String) throws(SystemError) {
    do throws(SystemError) {
      file = try AppendFile.waiting(own: path, creating: false)
    } catch {
      guard error.isNotFound else { throw error }
    }
  }

  mutating func append(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    try file?.append(bytes)
    size += bytes.count
  }

  mutating func append(_ bytes: [UInt8]) throws(SystemError) {
    try file?.append(bytes)
    size += bytes.count
  }
}
