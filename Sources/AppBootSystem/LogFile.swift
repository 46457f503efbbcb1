/// A file of a step's log: `LAUNCH/NAME.log` in the directory of the logs, or `LAUNCH/NAME.NUMBER.log`.
package struct LogFile: Sendable, Hashable, Comparable {
  private static let ending = "log"
  private static let timesEnding = "times"

  /// The id of the launch. The ids of launches begin with their time.
  package let launch: String
  /// The name of the log. It has no dot.
  package let name: String
  /// The number of the file within the launch, from 0.
  package let number: Int

  package init(launch: String, name: String, number: Int = 0) {
    (self.launch, self.name, self.number) = (launch, name, number)
  }

  /// Reads a file name; `nil` if it does not have one of the endings.
  private init?(launch: String, fileName: String, endings: Set<String>) {
    let parts = fileName.split(separator: ".", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), !parts[0].isEmpty, endings.contains(String(parts[parts.count - 1]))
    else { return nil }
    let number = parts.count == 3 ? Int(parts[1]) ?? 0 : 0
    guard parts.count == 2 || (1..<1_000_000_000).contains(number) && String(number) == parts[1] else {
      return nil
    }
    self.init(launch: launch, name: String(parts[0]), number: number)
  }

  /// Orders the files of a step as they were written.
  package static func < (first: LogFile, second: LogFile) -> Bool {
    (first.launch, first.number, first.name) < (second.launch, second.number, second.name)
  }

  /// The file that follows this one in the launch.
  var next: LogFile { LogFile(launch: launch, name: name, number: number + 1) }

  /// Returns the path of the file in a directory of logs.
  package func path(in logs: String) -> String { path(in: logs, ending: Self.ending) }

  /// Returns the path of the file with the times (``LogTimes``).
  package func timesPath(in logs: String) -> String { path(in: logs, ending: Self.timesEnding) }

  private func path(in logs: String, ending: String) -> String {
    let file = number == 0 ? "\(name).\(ending)" : "\(name).\(number).\(ending)"
    return FileSystem.join(Self.directory(ofLaunch: launch, in: logs), file)
  }

  /// Returns the directory of a launch's log files.
  package static func directory(ofLaunch launch: String, in logs: String) -> String {
    FileSystem.join(logs, launch)
  }

  /// Returns all files in a directory of logs by the names of the logs, the oldest of each log first.
  ///
  /// - Parameter launch: The id of the launch whose files are returned; `nil` for all.
  /// - Throws: `SystemError` if a directory exists and cannot be read.
  package static func all(in logs: String, of launch: String? = nil) throws(SystemError) -> [String:
    [LogFile]]
  {
    var files: [LogFile] = []
    for name in try launches(in: logs) where launch.map({ $0 == name }) ?? true {
      files += try list(name, in: logs, endings: [ending])
    }
    return Dictionary(grouping: files.sorted(), by: \.name)
  }

  /// Returns the id of the launch with logs that began at a time; `nil` if there is none.
  package static func launch(startedAt time: String, in logs: String) -> String? {
    (try? launches(in: logs))?.last { $0.hasPrefix("\(time)-") }
  }

  /// Returns the files that the logs of a new launch replace, as ``all(in:)`` does.
  ///
  /// It leaves out the files of launches whose processes still write to them (``lock(launch:in:)``). It removes the
  /// directories of launches that have no files left.
  ///
  /// - Parameter oldest: The id of a launch. The files of older launches are removed.
  package static func replaceable(
    in logs: String, since oldest: String = ""
  ) throws(SystemError) -> [String: [LogFile]] {
    var files: Set<LogFile> = []
    for launch in try launches(in: logs) {
      let directory = directory(ofLaunch: launch, in: logs)
      guard !FileLock.isHeld(directory: directory) else { continue }
      // A process that was killed can leave times without their file.
      var found = try list(launch, in: logs, endings: [ending, timesEnding])
      if launch < oldest {
        for file in found {
          try? FileSystem.remove(file.path(in: logs))
          try? FileSystem.remove(file.timesPath(in: logs))
        }
        found = []
      }
      if found.isEmpty { try? FileSystem.remove(directory) }
      files.formUnion(found)
    }
    return Dictionary(grouping: files.sorted(), by: \.name)
  }

  /// Locks the files of a launch, so that later launches do not replace them. Returns `nil` if that is not possible.
  ///
  /// If the directory of the launch is missing, creates it.
  package static func lock(launch: String, in logs: String) -> FileLock? {
    guard let directory = try? createDirectory(ofLaunch: launch, in: logs) else { return nil }
    return FileLock.share(directory: directory)
  }

  /// Creates the directory of a launch's log files if it is missing. Returns its path.
  ///
  /// - Throws: `SystemError`, also if the directory is a link or of another user.
  @discardableResult
  package static func createDirectory(ofLaunch launch: String, in logs: String) throws(SystemError) -> String
  {
    let directory = directory(ofLaunch: launch, in: logs)
    try FileSystem.createDirectory(directory, mode: 0o700)
    try FileSystem.checkOwn(directory: directory, followingLinks: false)
    return directory
  }

  /// Removes the file and its times, if they exist.
  func remove(in logs: String) throws(SystemError) {
    // A reader that finds no times then sees that the file was removed.
    for path in [path(in: logs), timesPath(in: logs)] {
      do throws(SystemError) {
        try FileSystem.remove(path)
      } catch {
        guard error.isNotFound else { throw error }
      }
    }
  }

  /// Returns the files of a step in a launch, in the order of their numbers.
  static func list(_ name: String, of launch: String, in logs: String) throws(SystemError) -> [LogFile] {
    try list(launch, in: logs, endings: [ending]).filter { $0.name == name }.sorted()
  }

  private static func launches(in logs: String) throws(SystemError) -> [String] {
    try names(in: logs).filter {
      isLaunch($0)
        && FileSystem.kind(of: directory(ofLaunch: $0, in: logs), followingLinks: false) == .directory
    }
  }

  /// Returns whether a name has the form of a launch's id: `20261129T190940.989Z-8060`, or `0-8060` without a time.
  ///
  /// A directory with another name is the user's.
  private static func isLaunch(_ name: String) -> Bool {
    let parts = name.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[1].isEmpty, parts[1].allSatisfy(isDigit) else { return false }
    let date = parts[0].prefix(8)
    return Array(parts[0]) == [UInt8(ascii: "0")]
      || date.count == 8 && date.allSatisfy(isDigit) && parts[0].dropFirst(8).first == UInt8(ascii: "T")
  }

  private static func isDigit(_ byte: UInt8) -> Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte }

  private static func list(
    _ launch: String, in logs: String, endings: Set<String>
  ) throws(SystemError) -> [LogFile] {
    try names(in: directory(ofLaunch: launch, in: logs)).compactMap {
      LogFile(launch: launch, fileName: $0, endings: endings)
    }
  }

  private static func names(in directory: String) throws(SystemError) -> [String] {
    do throws(SystemError) {
      return try FileSystem.list(directory)
    } catch {
      guard error.isNotFound else { throw error }
      return []
    }
  }
}

/// The times of the lines of one log file, as the file beside it has them.
///
/// Each line has an offset in the log file, and the time of the bytes from there on. So several processes can append
/// lines.
///
/// ```
/// 0 1795342900123456
/// 81 1795342900124498
/// ```
package struct LogTimes: Sendable {
  /// The time from an offset in the log file on, in microseconds since 1970-01-01T00:00:00Z, and the stream of the line
  /// that begins there.
  package struct Mark: Sendable, Equatable {
    package var offset: Int
    package var time: Int64
    package var stream: CapturedStream

    package init(offset: Int, time: Int64, stream: CapturedStream = .output) {
      (self.offset, self.time, self.stream) = (offset, time, stream)
    }
  }

  /// The shortest time between two marks, in microseconds.
  static let resolution: Int64 = 100

  /// The marks in the order of their offsets.
  package private(set) var marks: [Mark] = []
  /// The beginning of a line whose end has not come yet.
  private var partial: [UInt8] = []

  package init() {}

  /// Adds what was added to the file.
  package mutating func append(_ bytes: some Collection<UInt8>) {
    partial += bytes
    let lines = partial.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    guard lines.count > 1 else { return }
    for line in lines.dropLast() {
      let words = String(decoding: line, as: UTF8.self).split(separator: " ")
      let hasErrors = words.count == 3 && words[2] == Self.errors
      guard words.count == 2 || hasErrors, let offset = Int(words[0]), let time = Int64(words[1]),
        offset >= marks.last?.offset ?? 0
      else { continue }
      marks.append(Mark(offset: offset, time: time, stream: hasErrors ? .errors : .output))
    }
    partial = Array(lines[lines.count - 1])
  }

  /// The third word of a mark of standard error; one of standard output has two words.
  private static let errors = "2"

  /// Adds a mark of a writer, and returns its line; `nil` if it is too close to the last one of the same stream.
  mutating func add(_ mark: Mark) -> String? {
    if let last = marks.last, last.stream == mark.stream, 0..<Self.resolution ~= mark.time - last.time {
      return nil
    }
    // A writer needs only the last one.
    marks = [mark]
    return "\(mark.offset) \(mark.time)\(mark.stream == .errors ? " \(Self.errors)" : "")\n"
  }
}
