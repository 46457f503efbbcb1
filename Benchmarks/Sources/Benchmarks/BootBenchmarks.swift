import AppBoot
import AppBootCommands
import Foundation

/// Output, readiness and services, each against a stated figure or against make.
struct BootBenchmarks {
  let rounds: Int

  // MARK: - Output

  /// 1 GB of lines of 80 bytes through one process, against one second.
  ///
  /// The process is `cat` of a file, so that the writer costs little.
  func outputRate(_ tool: ToolBenchmarks) throws -> [Row] {
    let bytes = 1_000_000_000
    return try withTemporaryFolder { folder in
      let line = String(repeating: "x", count: 79) + "\n"
      let block = Data(String(repeating: line, count: 12_500).utf8)
      let file = folder.appendingPathComponent("lines.txt")
      FileManager.default.createFile(atPath: file.path, contents: nil)
      let handle = try FileHandle(forWritingTo: file)
      for _ in 0..<(bytes / block.count) { try handle.write(contentsOf: block) }
      try handle.close()
      _ = try folder.write(
        Self.manifest([Self.process("lines", ["/bin/cat", file.path])]), to: "commands.json")
      let runs = [("", ["run"]), ("-log", ["run", "--no-state"])]
      return runs.map { id, arguments in
        let costs = tool.costs(of: arguments, in: folder, rounds: rounds)
        let seconds = Samples(nanoseconds: costs.map(\.nanoseconds))
        return Row(
          id: "output-rate\(id)",
          work: "1 GB of output through one process\(id.isEmpty ? "" : ", without its log") ÷ 1 s",
          ours: text(seconds.median), theirs: "1 s", ratio: seconds.median / 1e9)
      }
    }
  }

  /// 1,000 processes that each write a line, two at a time, their output kept, against `make -j2 -O`.
  func manyOutputs(_ tool: ToolBenchmarks) throws -> Row? {
    guard let make = Program.named("make", ["-j2", "-O", "-f", "Makefile"]) else { return nil }
    return try withTemporaryFolder { folder in
      let steps = (0..<1000).map { Self.process("s\($0)", ["/bin/echo", "line \($0)"], after: []) }
      _ = try folder.write(Self.manifest(steps), to: "commands.json")
      let names = (0..<1000).map { "s\($0)" }.joined(separator: " ")
      let rules = (0..<1000).map { "s\($0):\n\t@/bin/echo line \($0)\n" }.joined()
      _ = try folder.write("all: \(names)\n.PHONY: all \(names)\n\(rules)", to: "Makefile")
      return tool.row(
        "output-make", "1,000 processes, two at a time, their output kept ÷ make -j2 -O: CPU time",
        tool.costs(["run", "--jobs", "2"], make, in: folder, rounds: max(3, rounds)), \.processor)
    }
  }

  // MARK: - Readiness

  /// The time from a port that opens to the start of the step that waits for it, against 3 ms.
  func readiness() throws -> Row {
    var random = Seeded(state: 7)
    var delays = Samples()
    for _ in 0..<(rounds * 4) {
      delays.nanoseconds.append(
        try Self.readinessDelay(after: Int.random(in: 50_000...250_000, using: &random)))
    }
    return Row(
      id: "readiness", work: "a port opens → the next step starts ÷ 3 ms", ours: text(delays.median),
      theirs: "3 ms", ratio: delays.median / 3e6)
  }

  private static func readinessDelay(after microseconds: Int) throws -> Double {
    let listener = try Listener()
    var wait = WaitFor()
    wait.tcp = "127.0.0.1:\(listener.port)"
    let next = Next()
    let plan = LaunchPlan(sequence: [wait, next])
    Thread.detachNewThread {
      usleep(UInt32(microseconds))
      listener.open()
    }
    precondition(LaunchRunner(plan).runBlocking().succeeded)
    defer { listener.close() }
    return Double(next.moment.time - listener.moment.time)
  }

  // MARK: - Services

  /// 100 services that are ready 0.5 s after their start, one after the other and all at once: the launch against the
  /// slowest service, and the memory of each.
  func services(_ tool: ToolBenchmarks) throws -> [Row] {
    try withTemporaryFolder { folder in
      let slowest = 0.5
      let few = folder.appendingPathComponent("few")
      let many = folder.appendingPathComponent("many")
      for (folder, count) in [(few, 1), (many, 100)] {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        _ = try folder.write(
          Self.manifest((0..<count).map { Self.service($0, slowest) }), to: "commands.json")
      }
      let arguments = ["run", "--then-stop", "--record", "record.json"]
      var (times, memory) = (Samples(), Samples())
      for _ in 0..<max(3, rounds / 2) {
        let one = tool.costs(of: arguments, in: few, rounds: 1)[0]
        let all = tool.costs(of: arguments, in: many, rounds: 1)[0]
        memory.nanoseconds.append((all.memory - one.memory) / 99)
        times.nanoseconds.append(try Self.duration(ofRecord: many.appendingPathComponent("record.json")))
      }
      return [
        Row(
          id: "services-launch", work: "launch of 100 services ÷ the slowest of them",
          ours: text(times.median),
          theirs: text(slowest * 1e9), ratio: times.median / (slowest * 1e9)),
        Row(
          id: "services-memory", work: "memory of a service ÷ 100 KB",
          ours: String(format: "%.1f KB", memory.median / 1e3), theirs: "100 KB", ratio: memory.median / 1e5),
      ]
    }
  }

  private static func service(_ number: Int, _ seconds: Double) -> String {
    let script = "sleep \(seconds); echo ready; exec sleep 60"
    return "{\"command\":\"RunService\",\"id\":\"s\(number)\",\"after\":[],"
      + "\"with\":{\"arguments\":[\"sh\",\"-c\",\"\(script)\"],\"ready\":{\"output\":\"^ready$\"}}}"
  }

  private static func duration(ofRecord file: URL) throws -> Double {
    let record = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
    guard let duration = record?["duration"] as? Double else { fatalError("\(file.path) has no duration") }
    return duration
  }

  private static func process(_ id: String, _ arguments: [String], after: [String]? = nil) -> String {
    let words = arguments.map { "\"\($0)\"" }.joined(separator: ",")
    let edges = after.map { "\"after\":[\($0.joined(separator: ","))]," } ?? ""
    return "{\"command\":\"RunProcess\",\"id\":\"\(id)\",\(edges)\"with\":{\"arguments\":[\(words)]}}"
  }

  private static func manifest(_ entries: [String]) -> String {
    "{ \"version\": 1, \"commands\": [\n\(entries.joined(separator: ",\n"))\n] }"
  }
}

/// A moment that one thread notes and another reads later.
private final class Moment: @unchecked Sendable {
  private let lock = NSLock()
  private var noted: Int64 = 0

  var time: Int64 { lock.withLock { noted } }
  func note() { lock.withLock { noted = now() } }
}

/// A step that notes when it starts.
private struct Next: Command {
  let moment = Moment()

  func execute(in context: LaunchContext) { moment.note() }
}

/// A TCP port of this machine, which is bound at first and opens later.
private final class Listener: Sendable {
  let port: UInt16
  let moment = Moment()
  private let descriptor: Int32

  init() throws {
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = descriptor
    let code = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) == 0 ? getsockname(descriptor, $0, &size) : -1
      }
    }
    guard code == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EINVAL) }
    port = UInt16(bigEndian: address.sin_port)
  }

  func open() {
    moment.note()
    listen(descriptor, 8)
  }

  func close() { Foundation.close(descriptor) }
}
