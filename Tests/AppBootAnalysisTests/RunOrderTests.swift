import AppBootTestKit
import AppBootTestSupport
import Testing

@testable import AppBoot
@testable import AppBootAnalysis

@Suite("The order of a launch's starts", .ownThread)
struct RunOrderTests {
  private func plan(_ steps: [(id: String, isBackground: Bool, after: [String]?)]) throws -> LaunchPlan {
    try LaunchPlan(
      steps: steps.map { id, isBackground, after in
        let command: any Command = isBackground ? FakeBackgroundCommand() : FakeCommand()
        return (LaunchStep(command, id: id), after)
      })
  }

  private func order(
    _ plan: LaunchPlan, jobs: Int, history: [String: Int64] = [:]
  ) -> String {
    RunOrder.of(plan, jobs: jobs, history: history).map { plan[$0].id }.joined(separator: " ")
  }

  @Test("One worker without history takes ready steps in manifest order")
  func manifestOrder() throws {
    let plan = try plan([("a", true, ["c"]), ("b", true, []), ("c", true, []), ("d", true, ["b"])])
    #expect(order(plan, jobs: 1) == "b c a d")
  }

  @Test("One worker with history takes the longest path first")
  func longestPath() throws {
    let plan = try plan([("a", true, []), ("b", true, []), ("c", true, ["b"])])
    #expect(order(plan, jobs: 1) == "a b c")
    #expect(order(plan, jobs: 1, history: ["a": 5, "b": 3, "c": 4]) == "b a c")
  }

  @Test("A step starts when a worker is free, by recorded durations")
  func workers() throws {
    let plan = try plan([("a", true, []), ("b", true, []), ("c", true, ["a"]), ("d", true, ["b"])])
    #expect(order(plan, jobs: 2, history: ["a": 9, "b": 2, "c": 1, "d": 1]) == "a b d c")
  }

  @Test("A step that only waits starts when it is ready, though no worker is free")
  func waiting() throws {
    let commands: [(id: String, command: any Command)] = [
      ("a", FakeBackgroundCommand()), ("b", FakeBackgroundCommand()), ("w", SimulatedWait()),
      ("v", SimulatedWait()),
    ]
    let plan = try LaunchPlan(steps: commands.map { (LaunchStep($0.command, id: $0.id), []) })
    #expect(order(plan, jobs: 1) == "a w v b")
    #expect(order(plan, jobs: 2) == "a b w v")
    #expect(plan.mostAtOnce(jobs: 1) == 3)
  }

  @Test("A step that the plan skips keeps its place below the entry above it")
  func skipped() throws {
    var steps: [(step: LaunchStep, after: [String]?)] = []
    for id in ["a", "b", "c", "d"] { steps.append((LaunchStep(FakeBackgroundCommand(), id: id), [])) }
    steps[0].step.skip = .excluded("--skip a")
    steps[2].step.skip = .excluded("--skip c")
    let plan = try LaunchPlan(steps: steps)
    #expect(order(plan, jobs: 1, history: ["b": 1, "d": 2]) == "a d b c")
  }

  @Test("Timeouts do not end the simulated launch")
  func limits() throws {
    var steps = [(step: LaunchStep(FakeBackgroundCommand(), id: "a"), after: [String]?.some([]))]
    steps.append((LaunchStep(FakeBackgroundCommand(), id: "b"), ["a"]))
    steps[0].step.timeout = .nanoseconds(5)
    let plan = try LaunchPlan(steps: steps, timeout: .nanoseconds(1))
    #expect(order(plan, jobs: 1, history: ["a": 100, "b": .max]) == "a b")
  }

  @Test("A real launch with one worker starts its steps in the simulated order", arguments: UInt64(0)..<30)
  func realLaunch(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    var steps: [(step: LaunchStep, after: [String]?)] = []
    var history: [String: Int64] = [:]
    for index in 0..<20 {
      let after = (0..<Int.random(in: 0...2, using: &random)).map { _ in
        Int.random(in: 0...index, using: &random)
      }
      let names = Set(after).filter { $0 < index }.sorted().map { "s\($0)" }
      steps.append((LaunchStep(FakeBackgroundCommand(), id: "s\(index)"), names))
      if random.chance(80) { history["s\(index)"] = Int64.random(in: 0...9, using: &random) }
    }
    let plan = try LaunchPlan(steps: steps.shuffled(using: &random))
    var configuration = LaunchRunner.Configuration()
    configuration.jobs = 1
    configuration.historyTimes = history
    let observer = RecordingObserver()
    configuration.observers = [observer]
    _ = LaunchRunner(plan, configuration: configuration).runBlocking()
    let starts = observer.events.compactMap { event -> Int? in
      if case .started(let step, _) = event.kind { step } else { nil }
    }
    #expect(RunOrder.of(plan, jobs: 1, history: history) == starts)
  }
}
