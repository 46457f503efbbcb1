import AppBoot
import AppBootCommands
import Foundation

/// Work done by processes: the engine with `RunProcess` against the floor in C and the neighbours.
struct ProcessBenchmarks {
  let rounds: Int

  /// 1,000 × `/bin/true`, two at a time, against `posix_spawn` and `waitpid` in C.
  func manySpawns() throws -> Row {
    let steps = (0..<1000).map { (StartupStep(Self.run("/bin/true"), id: "s\($0)"), [String]?.some([])) }
    let plan = try StartupPlan(steps: steps.map { (step: $0.0, after: $0.1) })
    let raw =
      Bundle.main.executableURL?.deletingLastPathComponent().appendingPathComponent("RawSpawn").path ?? ""
    let samples = sideBySide(rounds: rounds) {
      precondition(StartupRunner(plan, configuration: Self.twoJobs).run().succeeded)
    } _: {
      Self.wait(raw, ["1000", "2", "/bin/true"])
    }
    return Row(
      work: "1,000 × /bin/true, two at a time ÷ raw posix_spawn in C", ours: text(samples.0.median),
      theirs: text(samples.1.median), ratio: ratio(samples), target: 1.05)
  }

  /// The same against `make -j2`; `nil` where make is not installed.
  func manySpawnsAgainstMake() throws -> Row? {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/make") else { return nil }
    let directory = FileManager.default.temporaryDirectory.appendingPathComponent("appboot-\(getpid())")
    try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: directory) }
    let names = (0..<1000).map { "s\($0)" }.joined(separator: " ")
    let makefile = "all: \(names)\n\(names):\n\t@/bin/true\n.PHONY: all \(names)\n"
    let path = directory.appendingPathComponent("Makefile").path
    try makefile.write(toFile: path, atomically: true, encoding: .utf8)
    let steps = (0..<1000).map { (StartupStep(Self.run("/bin/true"), id: "s\($0)"), [String]?.some([])) }
    let plan = try StartupPlan(steps: steps.map { (step: $0.0, after: $0.1) })
    let samples = sideBySide(rounds: rounds) {
      precondition(StartupRunner(plan, configuration: Self.twoJobs).run().succeeded)
    } _: {
      Self.wait("/usr/bin/make", ["-j2", "-f", path])
    }
    return Row(
      work: "the same ÷ make -j2", ours: text(samples.0.median), theirs: text(samples.1.median),
      ratio: ratio(samples), target: 1.0)
  }

  /// 200 sleeping processes of 1 to 50 ms in a random DAG, four at a time, against the best any order can do.
  func sleepingGraph(withHistory: Bool) throws -> Row {
    var random = Seeded(state: 42)
    let durations = (0..<200).map { _ in Int.random(in: 1...50, using: &random) }
    let steps = (0..<200).map { index -> (step: StartupStep, after: [String]?) in
      let after =
        index < 8 ? [] : (0..<2).map { _ in Int.random(in: max(0, index - 24)..<index, using: &random) }
      return (
        StartupStep(Self.run("/bin/sleep", "0.\(String(format: "%03d", durations[index]))"), id: "s\(index)"),
        Set(after).map { "s\($0)" }
      )
    }
    let plan = try StartupPlan(steps: steps)
    var configuration = StartupRunner.Configuration()
    configuration.jobs = 4
    if withHistory {
      let pairs = durations.enumerated().map { ("s\($0)", Int64($1) * 1_000_000) }
      configuration.history = Dictionary(uniqueKeysWithValues: pairs)
    }
    var longest = durations
    for (index, step) in steps.enumerated() {
      let before = (step.after ?? []).compactMap { Int($0.dropFirst()) }.map { longest[$0] }.max() ?? 0
      longest[index] += before
    }
    let best = Double(max(longest.max() ?? 0, durations.reduce(0, +) / 4)) * 1_000_000
    var samples = Samples()
    for _ in 0..<rounds {
      let start = now()
      precondition(StartupRunner(plan, configuration: configuration).run().succeeded)
      samples.nanoseconds.append(Double(now() - start))
    }
    let order = withHistory ? "with history" : "in manifest order"
    return Row(
      work: "200 sleeps in a DAG, four at a time, \(order) ÷ max(critical path, total ÷ 4)",
      ours: text(samples.median), theirs: text(best), ratio: samples.median / best,
      target: withHistory ? 1.05 : .infinity)
  }

  private static var twoJobs: StartupRunner.Configuration {
    var configuration = StartupRunner.Configuration()
    configuration.jobs = 2
    return configuration
  }

  private static func run(_ arguments: String...) -> RunProcess {
    var command = RunProcess()
    command.arguments = arguments
    return command
  }

  private static func wait(_ program: String, _ arguments: [String]) {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    guard (try? process.run()) != nil else { return }
    process.waitUntilExit()
  }
}

/// The same random numbers every time (an additive sequence, hashed).
struct Seeded: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    return value ^ (value >> 31)
  }
}
