import Foundation

/// A program that is run to its end, measured from outside.
struct Program {
  let path: String
  var arguments: [String] = []
  var directory: String?

  /// What one run took.
  struct Cost {
    let nanoseconds: Double
    /// The most memory it had at a time, in bytes.
    let memory: Double
  }

  /// A program of the machine; `nil` where it is not installed.
  static func named(_ name: String, _ arguments: [String] = []) -> Program? {
    let directories = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    let paths = directories.map { "\($0)/\(name)" }
    return paths.first { FileManager.default.isExecutableFile(atPath: $0) }
      .map { Program(path: $0, arguments: arguments) }
  }

  /// Runs it, its output thrown away.
  @discardableResult
  func run() -> Cost {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    let before = FileManager.default.currentDirectoryPath
    if let directory { _ = FileManager.default.changeCurrentDirectoryPath(directory) }
    defer { _ = FileManager.default.changeCurrentDirectoryPath(before) }
    var list = ([path] + arguments).map { strdup($0) } + [nil]
    defer { list.forEach { free($0) } }
    var process: pid_t = 0
    let start = now()
    guard posix_spawn(&process, path, &actions, nil, &list, environ) == 0 else {
      fatalError("\(path) does not start")
    }
    var status: Int32 = 0
    var usage = rusage()
    wait4(process, &status, 0, &usage)
    let time = Double(now() - start)
    guard status == 0 else { fatalError("\(path) \(arguments.joined(separator: " ")) failed: \(status)") }
    #if os(Linux)
    let unit = 1024.0
    #else
    let unit = 1.0
    #endif
    return Cost(nanoseconds: time, memory: Double(usage.ru_maxrss) * unit)
  }
}

/// A folder for files of a benchmark, gone at its end.
func withTemporaryFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("appboot-bench-\(getpid())")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  return try body(folder)
}

extension URL {
  func write(_ text: String, to name: String) throws -> String {
    let file = appendingPathComponent(name)
    try Data(text.utf8).write(to: file)
    return file.path
  }
}
