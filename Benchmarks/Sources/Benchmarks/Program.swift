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
    let process = Process()
    let pipe = Pipe()
    process.executableURL = Bundle.main.executableURL?.deletingLastPathComponent().appendingPathComponent(
      "Footprint")
    process.arguments = [path] + arguments
    process.standardOutput = pipe
    if let directory { process.currentDirectoryURL = URL(fileURLWithPath: directory) }
    do { try process.run() } catch { fatalError("Footprint does not start: \(error)") }
    let answer = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let numbers = answer.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    guard numbers.count == 3, numbers[2] == 0 else {
      fatalError("\(path) \(arguments.joined(separator: " ")) failed: \(answer)")
    }
    return Cost(nanoseconds: numbers[0], memory: numbers[1] * 1024)
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
