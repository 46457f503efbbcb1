import AppBootTestKit
import AppBootTestSupport
import Testing

@testable import AppBoot
@testable import AppBootRecords

@Suite("A plan in safe mode")
struct SafeModeTests {
  private func plan(_ steps: [(id: String, policy: FailurePolicy, after: [String]?)]) throws -> LaunchPlan {
    try LaunchPlan(
      steps: steps.map { id, policy, after in
        var step = LaunchStep(FakeCommand(), id: id)
        step.onFailure = policy
        return (step, after)
      })
  }

  private func states(_ plan: LaunchPlan) async -> [String: String] {
    let record = await LaunchRunner(plan).run()
    #expect(record.outcome == .succeeded)
    return Dictionary(uniqueKeysWithValues: record.map { ($0.id, $0.state.name) })
  }

  private func mode(_ culprit: String, _ level: SafeMode.Level = .culprits) -> SafeMode {
    SafeMode(culprits: [culprit], level: level, reason: "it crashed twice")
  }

  @Test("Safe mode skips a culprit that may fail, and runs the steps after it")
  func tolerated() async throws {
    let plan = try plan([("a", .stop, nil), ("b", .continue, nil), ("c", .stop, nil)]).inSafeMode(mode("b"))
    #expect(await states(plan) == ["a": "succeeded", "b": "skipped", "c": "succeeded"])
    #expect(plan[1].skip == .safeMode("safe mode: the last launches crashed in this step"))
    #expect(plan.safeMode == mode("b"))
  }

  @Test("Safe mode skips the steps that depend on a culprit")
  func dependents() async throws {
    let plan = try plan([
      ("a", .skipDependents, []), ("b", .stop, ["a"]), ("c", .stop, ["b"]), ("d", .stop, []),
    ]).inSafeMode(mode("a"))
    #expect(await states(plan) == ["a": "skipped", "b": "skipped", "c": "skipped", "d": "succeeded"])
    #expect(plan[2].skip == .safeMode("safe mode: it comes after \"a\", which is skipped"))
  }

  @Test("Safe mode runs a culprit that the launch needs, and its command sees the mode")
  func stop() async throws {
    let plan = try plan([("a", .stop, nil), ("b", .continue, nil)]).inSafeMode(mode("a"))
    #expect(await states(plan) == ["a": "succeeded", "b": "succeeded"])
    let seen = SeenSafeMode()
    let step = LaunchStep(seen, id: "a")
    let told = try LaunchPlan(steps: [(step, nil)]).inSafeMode(mode("a"))
    let record = await LaunchRunner(told).run()
    #expect(record[0].details.note == "true a")
    let normal = await LaunchRunner(try LaunchPlan(steps: [(step, nil)])).run()
    #expect(normal[0].details.note == "false -")
  }

  @Test("On its second level, safe mode skips every optional step after the culprit")
  func followers() async throws {
    let plan = try plan([
      ("a", .stop, []), ("b", .continue, ["a"]), ("c", .stop, ["b"]), ("d", .skipDependents, ["c"]),
      ("e", .stop, ["d"]), ("f", .continue, []),
    ]).inSafeMode(mode("a", .followers))
    #expect(
      await states(plan) == [
        "a": "succeeded", "b": "skipped", "c": "succeeded", "d": "skipped", "e": "skipped", "f": "succeeded",
      ])
    #expect(plan[1].skip == .safeMode("safe mode: it is optional and comes after \"a\""))
  }

  @Test("One search finds the steps to skip, however many they are")
  func large() throws {
    // Every step is optional and comes after the one before it: a search from each would be 10^8 visits.
    let count = 10_000
    let steps = (0..<count).map { index in
      var step = LaunchStep(FakeCommand(), id: "s\(index)")
      step.onFailure = index.isMultiple(of: 2) ? .continue : .skipDependents
      return step
    }
    let plan = LaunchPlan(
      name: "large", options: LaunchOptions(), steps: steps,
      graph: DependencyGraph(sequenceOf: count),
      environment: LaunchEnvironment())
    let safe = plan.inSafeMode(
      SafeMode(culprits: ["s0"], level: .followers, reason: "it crashed"))
    #expect(safe.steps.allSatisfy { $0.skip != nil })
  }

  @Test("Safe mode ignores a culprit that no longer exists, and keeps earlier reasons")
  func unknown() async throws {
    let plan = try plan([("a", .continue, nil)])
    #expect(await states(plan.inSafeMode(mode("gone"))) == ["a": "succeeded"])
    var step = LaunchStep(FakeCommand(), id: "a")
    step.onFailure = .continue
    step.skip = .excluded("--skip a")
    #expect(try LaunchPlan(steps: [(step, nil)]).inSafeMode(mode("a"))[0].skip == .excluded("--skip a"))
  }

  private struct SeenSafeMode: Command {
    func execute(in context: LaunchContext) {
      context.note("\(context.isSafeMode) \(context.safeModeCulprit ?? "-")")
    }
  }
}
