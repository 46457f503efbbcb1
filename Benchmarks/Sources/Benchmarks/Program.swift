import Foundation

/// A program that is run to its end, measured from outside.
struct Program {
  let path: String
  var arguments: [String] = []
  var directory: String?

  /// The time of one run.
  struct Cost {
    let nanoseconds: Double
    /// The nanoseconds of CPU time, with the children that it waited for.
    let processor: Double
    /// The most memory it had at a time, in bytes; of a traced run, what it had changed at its exit.
    let memory: Double
  }

  /// A program on this machine; `nil` if it is not installed.
  static func named(_ name: String, _ arguments: [String] = []) -> Program? {
    let directories = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
    let paths = directories.map { "\($0)/\(name)" }
    return paths.first { FileManager.default.isExecutableFile(atPath: $0) }
      .map { Program(path: $0, arguments: arguments) }
  }

  /// Runs it, its output thrown away.
  @discardableResult
  func run() -> Cost { Self.inTurns([self], rounds: 1)[0][0] }

  /// Runs programs one after the other, so many times, in the directory of the first; what each of them took, by round.
  ///
  /// - Parameter dirty: True to measure the memory that they change, and no times (Linux).
  static func inTurns(_ programs: [Program], rounds: Int, dirty: Bool = false) -> [[Cost]] {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = Bundle.main.executableURL?.deletingLastPathComponent().appendingPathComponent(
      "Footprint")
    process.arguments =
      (dirty ? ["--dirty"] : []) + [String(rounds)]
      + programs.map { [$0.path] + $0.arguments }.joined(separator: ["--"])
    process.standardOutput = pipe
    if let directory = programs.first?.directory {
      process.currentDirectoryURL = URL(fileURLWithPath: directory)
    }
    do { try process.run() } catch { fatalError("Footprint does not start: \(error)") }
    let answer = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    let rows = answer.split(separator: "\n").map { line in
      let numbers = line.split(separator: " ").compactMap { Double($0) }
      return stride(from: 0, to: numbers.count - 2, by: 3).map {
        Cost(nanoseconds: numbers[$0], processor: numbers[$0 + 1], memory: numbers[$0 + 2] * 1024)
      }
    }
    guard process.terminationStatus == 0, rows.count == rounds,
      rows.allSatisfy({ $0.count == programs.count })
    else { fatalError("\(programs) failed: \(answer)") }
    return rows
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
