/// One file of a step's log: `LAUNCH/NAME.log` in the directory of the logs, or `LAUNCH/NAME.NUMBER.log`.
package struct LogFile: Sendable, Hashable, Comparable {
  private static let ending = "log"
  private static let timesEnding = "times"

  /// The id of the launch. The ids of launches begin with their time.
  package let launch: String
  /// The name of the log. It has no dot.
  package let name: String
  /// The number of the file within the launch, from 0.
  package internal(set) var number: Int

  package init(launch: String, name: String, number: Int = 0) {
    (self.launch, self.name, self.number) = (launch, name, number)
  }

  /// Reads a file name; `nil` if it does not have one of the endings.
  private init?(launch: String, fileName: String, endings: Set<String>) {
    let parts = fileName.split(separator: ".", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), !parts[0].isEmpty, endings.contains(String(parts[parts.count - 1]))
    else { return nil }
    let number = parts.count == 3 ? Int(parts[1]) : 0
    guard let number, number > 0 || parts.count == 2 else { return nil }
    self.init(launch: launch, name: String(parts[0]), number: number)
  }

  /// Orders the files of a step as they were written.
  package static func < (first: LogFile, second: LogFile) -> Bool {
    (first.launch, first.number, first.name) < (second.launch, second.number, second.name)
  }

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
  /// - Throws: `SystemError` if a directory exists and cannot be read.
  package static func all(in logs: String) throws(SystemError) -> [String: [LogFile]] {
    var files: [LogFile] = []
    for launch in try launches(in: logs) {
      files += try list(launch, in: logs, endings: [ending])
    }
    return Dictionary(grouping: files.sorted(), by: \.name)
  }

  /// Returns the files that the logs of a new launch replace, as ``all(in:)`` does.
  ///
  /// It leaves out the files of launches whose processes still write to them (``lock(launch:in:)``). It removes the
  /// directories of launches that have no files left.
  package static func replaceable(in logs: String) throws(SystemError) -> [String: [LogFile]] {
    var files: Set<LogFile> = []
    for launch in try launches(in: logs) {
      let directory = directory(ofLaunch: launch, in: logs)
      guard !FileLock.isHeld(directory: directory) else { continue }
      // A process that was killed can leave times without their file.
      let found = try list(launch, in: logs, endings: [ending, timesEnding])
      if found.isEmpty { try? FileSystem.remove(directory) }
      files.formUnion(found)
    }
    return Dictionary(grouping: files.sorted(), by: \.name)
  }

  /// Locks the files of a launch, so that later launches do not replace them. Returns `nil` if that is not possible.
  ///
  /// If the directory of the launch is missing, creates it.
  package static func lock(launch: String, in logs: String) -> FileLock? {
    let directory = directory(ofLaunch: launch, in: logs)
    try? FileSystem.createDirectory(directory, mode: 0o700)
    return FileLock.share(directory: directory)
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
      FileSystem.kind(of: directory(ofLaunch: $0, in: logs), followingLinks: false) == .directory
    }
  }

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
