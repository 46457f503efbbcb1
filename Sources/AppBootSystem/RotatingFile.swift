/// A log of bounded size in several files.
///
/// A full file `NAME.log` becomes `NAME.1.log`, that one `NAME.2.log`, and so on; the oldest is removed. The first
/// append of each instance also begins a new file, unless `continues` is true. No file is created before the first
/// append. Beside each file, `NAME.times` has the times of its lines (``LogTimes``).
///
/// A file ends at a line end. A line is cut only if it is longer than a file, or if another instance wrote its
/// beginning.
package struct RotatingFile: Sendable {
  /// The limits of a log's size.
  package struct Limits: Sendable, Hashable {
    /// The most bytes of one file.
    ///
    /// A line whose beginning was appended on its own may exceed it; the line itself is not longer.
    package var maxSize: Int
    /// The maximum number of files, including the current one.
    package var files: Int

    package init(maxSize: Int = 1 << 20, files: Int = 3) {
      (self.maxSize, self.files) = (maxSize, files)
    }
  }

  private let directory: String
  private let name: String
  private let launch: String
  private let limits: Limits
  private var continues: Bool
  private var file: AppendFile?
  private var timesFile: AppendFile?
  private var times: LogTimes?
  /// The lines of the times that are not written yet.
  private var unwritten = ""
  private var size = 0
  /// The offset at which the last line of the file begins.
  private var lineStart = 0

  /// Creates a log without creating a file.
  ///
  /// - Parameters:
  ///   - name: The name without its extension.
  ///   - launch: The id of the launch.
  ///   - continues: True to append to the current file of another writer.
  package init(
    in directory: String, name: String, launch: String, limits: Limits, continues: Bool = false
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
    while !rest.isEmpty {
      if file == nil, continues { try resume() }
      if file == nil { try begin(at: time) }
      let count = room(for: rest)
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
    (file, timesFile, times) = (nil, nil, nil)
    continues = true
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
    if let line = times?.add(mark) { unwritten += line }
  }

  /// Writes the times first: a reader must not find lines without a time.
  private mutating func write(_ bytes: UnsafeRawBufferPointer) throws(SystemError) {
    if !unwritten.isEmpty {
      try timesFile?.append(Array(unwritten.utf8))
      unwritten = ""
    }
    try file?.append(bytes)
    if let end = bytes.lastLineFeed { lineStart = size + end + 1 }
    size += bytes.count
  }

  /// Opens the current file, unless its times cannot be read.
  private mutating func resume() throws(SystemError) {
    continues = false
    let (path, timesPath) = (path(0), timesPath(0))
    guard let size = FileSystem.size(of: path), let bytes = try? FileSystem.readOwnFile(timesPath),
      let times = LogTimes(bytes), times.launch == launch
    else { return }
    (self.size, lineStart, self.times) = (size, size, times)
    file = try AppendFile.waiting(own: path)
    timesFile = try AppendFile.waiting(own: timesPath)
  }

  private mutating func begin(at time: Int64) throws(SystemError) {
    let number = times.map { $0.number + 1 } ?? 0
    if file == nil { try removeSurplus() }
    (file, timesFile) = (nil, nil)
    // The times follow their file: a reader finds the right ones, or none.
    for age in stride(from: limits.files - 1, through: 0, by: -1) {
      let isLast = age == limits.files - 1
      if try isLast ? remove(path(age)) : rename(path(age), to: path(age + 1)) {
        if !isLast, try rename(timesPath(age), to: timesPath(age + 1)) { continue }
        try remove(isLast ? timesPath(age) : timesPath(age + 1))
      } else {
        try remove(timesPath(age))
      }
    }
    let times = LogTimes(launch: launch, number: number, time: time)
    (self.times, unwritten) = (times, times.header)
    timesFile = try AppendFile.waiting(own: timesPath(0))
    file = try AppendFile.waiting(own: path(0))
    (size, lineStart) = (0, 0)
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

  /// Renames a file. Returns false if there is none.
  private func rename(_ path: String, to newPath: String) throws(SystemError) -> Bool {
    do throws(SystemError) {
      try FileSystem.rename(path, to: newPath)
      return true
    } catch {
      guard error.isNotFound else { throw error }
      return false
    }
  }
}
