import AppBootBase
import AppBootTestKit
import AppBootTestSupport
import Testing

@testable import AppBoot

/// The same rules with the real clock and real threads; run under the thread sanitizer as well.
@Suite("A launch with real threads", .ownThread)
struct EngineStressTests {
  @Test("A random launch keeps the engine's rules, in both forms of run", arguments: [false, true])
  func rules(isAsync: Bool) async throws {
    for seed in UInt64(0)..<150 {
      let launch = try ThreadedLaunch(seed: seed)
      let runner = LaunchRunner(launch.plan, configuration: launch.configuration)
      let record = isAsync ? await runner.run() : await onThread { runner.runBlocking() }
      let check = LaunchCheck(
        plan: launch.plan, record: record, events: launch.observer.events, jobs: launch.jobs,
        mostAtOnce: launch.census.most,
        usedMainLaneTwice: launch.census.usedMainLaneTwice)
      for problem in check.problems() { Issue.record("seed \(seed): \(problem)") }
    }
  }

  @Test("A step that an idle worker takes times out, in both forms of run", arguments: [false, true])
  func idleWorker(isAsync: Bool) async throws {
    for _ in 0..<150 {
      let gate = Gate()
      defer { gate.open() }
      var hanging = LaunchStep(FakeBackgroundCommand { _ in gate.wait() }, id: "hanging")
      hanging.timeout = .milliseconds(1)
      // The worker of the first step is idle while the second one runs.
      let plan = try LaunchPlan(steps: [
        (LaunchStep(FakeBackgroundCommand(), id: "first"), nil),
        (LaunchStep(FakeCommand(), id: "main"), nil), (hanging, nil),
      ])
      var configuration = LaunchRunner.Configuration()
      configuration.grace = .milliseconds(1)
      let runner = LaunchRunner(plan, configuration: configuration)
      let record = isAsync ? await runner.run() : await onThread { runner.runBlocking() }
      #expect(record["hanging"]?.state.name == "timedOut")
    }
  }
}

/// Counts who runs at this moment.
private final class Census: Sendable {
  private struct Counts {
    var background = 0
    var main = 0
    var most = 0
    var usedMainLaneTwice = false
  }

  private let counts = Lock(Counts())

  var most: Int { counts.withLock(\.most) }
  var usedMainLaneTwice: Bool { counts.withLock(\.usedMainLaneTwice) }

  func enter(_ lane: Lane) {
    counts.withLock { counts in
      if lane == .main {
        counts.main += 1
        if counts.main > 1 { counts.usedMainLaneTwice = true }
      } else {
        counts.background += 1
        counts.most = max(counts.most, counts.background)
      }
    }
  }

  func leave(_ lane: Lane) {
    counts.withLock { if lane == .main { $0.main -= 1 } else { $0.background -= 1 } }
  }
}

/// A random launch whose commands do a little work, talk to their context, and sometimes throw.
private struct ThreadedLaunch {
  let plan: LaunchPlan
  let configuration: LaunchRunner.Configuration
  let observer = RecordingObserver()
  let census = Census()
  let jobs: Int

  init(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...60, using: &random)
    var steps: [(step: LaunchStep, after: [String]?)] = []
    for index in 0..<count {
      var step = LaunchStep(Self.command(census, &random), id: "s\(index)")
      step.onFailure = FailurePolicy.allCases.randomElement(using: &random) ?? .stop
      if random.chance(10) { step.retry = RetryPolicy(attempts: 2, backoff: .microseconds(1)) }
      if random.chance(10) { step.timeout = .seconds(60) }
      let after = (0..<Int.random(in: 0...2, using: &random)).map { _ in
        Int.random(in: 0...index, using: &random)
      }
      steps.append((step, Set(after.filter { $0 < index }).sorted().map { "s\($0)" }))
    }
    plan = try LaunchPlan(name: "seed \(seed)", steps: steps)
    jobs = Int.random(in: 1...8, using: &random)
    var configuration = LaunchRunner.Configuration()
    configuration.jobs = jobs
    configuration.observers = [observer]
    self.configuration = configuration
  }

  private static func command(_ census: Census, _ random: inout SeededGenerator) -> any Command {
    let fails = random.chance(3)
    let kind = Int.random(in: 0..<3, using: &random)
    // A task takes no slot.
    let work: @Sendable (LaunchContext, Lane?) throws -> Void = { context, lane in
      if let lane { census.enter(lane) }
      defer { if let lane { census.leave(lane) } }
      context.measure("work") { context.provide(kind, for: ContextKey("kind")) }
      _ = context.value(for: ContextKey<Int>("kind"))
      context.note("done")
      if fails { throw Mishap() }
    }
    switch kind {
    case 0: return FakeCommand { try work($0, .main) }
    case 1: return FakeBackgroundCommand { try work($0, .background) }
    default:
      return FakeAsyncCommand { context in
        await Task.yield()
        try work(context, nil)
      }
    }
  }
}
