import AppBootSystem
import AppBootTestKit
import Testing

@testable import AppBoot
import AppBootTestSupport
@testable import AppBootAnalysis

/// A command whose undo is a closure that suspends.
private struct Undone: AsyncUndoableCommand {
  var body: @Sendable (LaunchContext) async throws -> Void = { _ in }
  var undoing: @Sendable (LaunchContext) async throws -> Void

  init(
    _ body: @escaping @Sendable (LaunchContext) async throws -> Void = { _ in },
    undo: @escaping @Sendable (LaunchContext) async throws -> Void
  ) {
    (self.body, undoing) = (body, undo)
  }

  func execute(in context: LaunchContext) async throws { try await body(context) }
  func undo(in context: LaunchContext) async throws { try await undoing(context) }
}

@Suite("An undo")
struct AsyncUndoTests {
  private let log = Log()

  private func step(
    _ id: String, _ command: any Command, _ change: (inout LaunchStep) -> Void = { _ in }
  ) -> (step: LaunchStep, after: [String]?) {
    var step = LaunchStep(command, id: id)
    change(&step)
    return (step, nil)
  }

  private var failing: (step: LaunchStep, after: [String]?) {
    step("fail", FakeCommand { _ in throw Mishap() }) { $0.onFailure = .rollback }
  }

  /// Sets the timeout of an attempt and of the undo. On a slow machine an attempt that times out is repeated.
  private func limit(_ step: inout LaunchStep) {
    step.timeout = .milliseconds(200)
    step.retry = RetryPolicy(attempts: 1000, backoff: .microseconds(1))
  }

  private func runner(
    _ steps: [(step: LaunchStep, after: [String]?)], jobs: Int = 1
  ) throws -> LaunchRunner {
    var configuration = LaunchRunner.Configuration()
    configuration.jobs = jobs
    return LaunchRunner(try LaunchPlan(steps: steps), configuration: configuration)
  }

  private func run(_ runner: LaunchRunner, blocks: Bool) async -> LaunchRecord {
    if blocks { return await onThread { runner.runBlocking() } }
    return await runner.run()
  }

  @Test("An asynchronous undo can suspend, and takes its turn among the others", arguments: [false, true])
  func turns(blocks: Bool) async throws {
    let log = log
    let steps = [
      step("a", FakeCommand({ _ in }, undo: { _ in log.add("a") })),
      step(
        "b",
        Undone { _ in
          log.add("b begins")
          await Task.yield()
          log.add("b ends")
        }),
      step("c", Undone { _ in throw Mishap() }),
      step("d", FakeBackgroundCommand({ _ in }, undo: { _ in log.add("d") })), failing,
    ]
    let record = await run(try runner(steps), blocks: blocks)
    #expect(log.all == ["d", "b begins", "b ends", "a"])
    #expect(record["c"]?.details.undo?.failure?.message == "out of paper")
    #expect(record["b"]?.details.undo?.endTime != nil)
    #expect(record.outcome == .failed(step: 4))
  }

  @Test("An asynchronous undo that hangs is cancelled at its step's timeout", arguments: [false, true])
  func hangs(blocks: Bool) async throws {
    let log = log
    let hanging = Undone { context in
      do {
        try await untilCancelled()
      } catch {
        log.add(context.isCancelled ? "cancelled" : "ended")
      }
    }
    let steps = [
      step("a", FakeCommand({ _ in }, undo: { _ in log.add("a") })),
      step("b", hanging, limit), failing,
    ]
    let record = await run(try runner(steps), blocks: blocks)
    #expect(record["b"]?.details.undo?.failure?.message == "undo timed out after 200ms")
    #expect(log.all.contains("a"))
    #expect(!log.all.contains("ended"))
  }

  @Test("A synchronous undo that hangs frees its worker for the next one")
  func hangingWorker() async throws {
    let gate = Gate()
    let steps = [
      step("a", FakeBackgroundCommand({ _ in }, undo: { _ in gate.open() })),
      step("b", FakeBackgroundCommand({ _ in }, undo: { _ in gate.wait() }), limit), failing,
    ]
    let record = await run(try runner(steps), blocks: false)
    #expect(record["a"]?.details.undo?.endTime != nil)
    #expect(record["b"]?.details.undo?.failure?.message == "undo timed out after 200ms")
  }

  @Test("An undo in a cancelled launch is not itself cancelled")
  func cancelledLaunch() async throws {
    let log = log
    let box = Lock<LaunchRunner?>(nil)
    let steps = [
      step("a", Undone { log.add($0.isCancelled || Task.isCancelled ? "cancelled" : "a") }),
      step("b", FakeCommand({ _ in }, undo: { log.add($0.isCancelled ? "cancelled" : "b") })),
      step("c", FakeCommand { _ in box.withLock(\.self)?.cancel("enough") }) { $0.onFailure = .rollback },
      step("d", FakeCommand()) { $0.onFailure = .rollback },
    ]
    let runner = try runner(steps)
    box.withLock { $0 = runner }
    let record = await run(runner, blocks: true)
    box.withLock { $0 = nil }
    #expect(record.cancellation == .requested("enough"))
    #expect(log.all == ["b", "a"])
  }

  @Test("A launch that is cancelled between two steps is undone if a step that never ran requires it")
  func cancelledBefore() throws {
    for policy in [FailurePolicy.rollback, .stop] {
      var last = LaunchStep(SimulatedMain(), id: "b")
      last.onFailure = policy
      let plan = try LaunchPlan(steps: [(LaunchStep(SimulatedMain(), id: "a"), nil), (last, nil)])
      var simulation = Simulation(Coordinator(plan: plan, jobs: 1, grace: 0), cancelTime: 5) { _ in
        Simulation.Work(duration: 10)
      }
      let record = LaunchRecord(folding: try simulation.run(), plan: plan)
      #expect(record["b"]?.state == .cancelled(.requested("simulated")))
      #expect((record["a"]?.details.undo != nil) == (policy == .rollback))
    }
  }

  @Test("An asynchronous undo is bounded by 10 s if its step has no timeout")
  func defaultLimit() throws {
    var last = LaunchStep(SimulatedMain(), id: "b")
    last.onFailure = .rollback
    let plan = try LaunchPlan(steps: [(LaunchStep(SimulatedAsyncUndo(), id: "a"), nil), (last, nil)])
    var simulation = Simulation(Coordinator(plan: plan, jobs: 1, grace: 0)) { work in
      if work.isUndo { return Simulation.Work(duration: .max / 2, stopsWhenTold: false) }
      return Simulation.Work(duration: 1, result: work.step == 1 ? .failure(Mishap()) : .success(()))
    }
    let record = LaunchRecord(folding: try simulation.run(), plan: plan)
    #expect(record["a"]?.details.undo?.failure?.message == "undo timed out after 10s")
    #expect(record.elapsedTime == 2 + 10_000_000_000)
  }
}
