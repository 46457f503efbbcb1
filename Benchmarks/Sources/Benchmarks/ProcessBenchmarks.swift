import AppBoot
import AppBootCommands
import Foundation

/// Work done by processes: the engine with `RunProcess` against the floor in C and the neighbours.
struct ProcessBenchmarks {
  let rounds: Int

  /// 1,000 × `/bin/true`, two at a time, against `posix_spawn` and `waitpid` in C.
  func manySpawns() throws -> Row {
    let plan = try Self.manyPlan()
    let raw =
      Bundle.main.executableURL?.deletingLastPathComponent().appendingPathComponent("RawSpawn").path ?? ""
    let samples = sideBySide(rounds: rounds) {
      precondition(LaunchRunner(plan, configuration: Self.twoJobs).runBlocking().succeeded)
    } _: {
      Program(path: raw, arguments: ["1000", "2", "/bin/true"]).run()
    }
    return Row(
      id: "spawn-raw", work: "1,000 × /bin/true, two at a time ÷ raw posix_spawn in C",
      ours: text(samples.0.median),
      theirs: text(samples.1.median), ratio: ratio(samples))
  }

  /// The same against `make -j2`; `nil` if make is not installed.
  func manySpawnsAgainstMake() throws -> Row? {
    guard let make = Program.named("make") else { return nil }
    let names = (0..<1000).map { "s\($0)" }.joined(separator: " ")
    let plan = try Self.manyPlan()
    return try withTemporaryFolder { folder in
      let path = try folder.write(
        "all: \(names)\n\(names):\n\t@/bin/true\n.PHONY: all \(names)\n", to: "Makefile")
      let samples = sideBySide(rounds: rounds) {
        precondition(LaunchRunner(plan, configuration: Self.twoJobs).runBlocking().succeeded)
      } _: {
        Program(path: make.path, arguments: ["-j2", "-f", path]).run()
      }
      return Row(
        id: "spawn-make", work: "the same ÷ make -j2", ours: text(samples.0.median),
        theirs: text(samples.1.median), ratio: ratio(samples))
    }
  }

  private static func manyPlan() throws -> LaunchPlan {
    try LaunchPlan { for index in 0..<1000 { Step("s\(index)", run(["/bin/true"])).after([]) } }
  }

  /// 200 sleeping processes of 1 to 50 ms in a random DAG, four at a time, against the best any order can do.
  ///
  /// The best is made of what each step really took, start and end of its process included.
  func sleepingGraph(withHistory: Bool) throws -> Row {
    let graph = SleepingGraph()
    let plan = try LaunchPlan {
      for step in graph.durations.indices {
        Step("s\(step)", Self.run(graph.arguments(step))).after(graph.after[step].map { "s\($0)" })
      }
    }
    var configuration = LaunchRunner.Configuration()
    configuration.jobs = 4
    if withHistory {
      let pairs = graph.durations.enumerated().map { ("s\($0)", Duration.milliseconds($1)) }
      configuration.history = Dictionary(uniqueKeysWithValues: pairs)
    }
    var samples = (Samples(), Samples())
    for _ in 0..<rounds {
      let record = LaunchRunner(plan, configuration: configuration).runBlocking()
      precondition(record.succeeded)
      samples.0.nanoseconds.append(record.duration / .nanoseconds(1))
      samples.1.nanoseconds.append(SleepingGraph.best(of: record, after: graph.after, jobs: 4))
    }
    let order = withHistory ? "with history" : "in manifest order"
    return Row(
      id: withHistory ? "sleeps-history" : "sleeps-plain",
      work: "200 sleeps in a DAG, four at a time, \(order) ÷ max(critical path, total ÷ 4)",
      ours: text(samples.0.median), theirs: text(samples.1.median), ratio: ratio(samples))
  }

  private static var twoJobs: LaunchRunner.Configuration {
    var configuration = LaunchRunner.Configuration()
    configuration.jobs = 2
    return configuration
  }

  private static func run(_ arguments: [String]) -> RunProcess {
    var command = RunProcess()
    command.arguments = arguments
    return command
  }
}
