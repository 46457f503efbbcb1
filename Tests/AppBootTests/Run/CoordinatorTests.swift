import AppBootTestKit
import AppBootTestSupport
import Testing

@testable import AppBoot
@testable import AppBootAnalysis

@Suite("The coordinator")
struct CoordinatorTests {
  private func used(_ time: Int64) -> LaunchEvent.Kind { .usedCPU(step: 0, time: .nanoseconds(time)) }

  @Test("The CPU time of an attempt is reported directly before the end of the attempt")
  func cpuTime() throws {
    var coordinator = Coordinator(plan: LaunchPlan(sequence: [FakeCommand()]), jobs: 1, grace: 5)
    coordinator.begin(at: 0)
    let taken = coordinator.takeMain(at: 0)
    let work = try #require(taken)
    _ = coordinator.takeEvents()
    coordinator.finish(work, WorkEnd(.success(()), cpuTime: 5), at: 7)
    let events = coordinator.takeEvents()
    #expect(events.map(\.kind).starts(with: [used(5), .ended(step: 0, state: .succeeded)]))
    #expect(events.allSatisfy { $0.moment == 7 })
  }

  @Test("The CPU time of an undo is reported directly before the end of the undo")
  func undoCPUTime() throws {
    var failing = LaunchStep(FakeCommand(), id: "failing")
    failing.onFailure = .rollback
    let plan = try LaunchPlan(steps: [(LaunchStep(FakeCommand(), id: "done"), nil), (failing, nil)])
    var coordinator = Coordinator(plan: plan, jobs: 1, grace: 5)
    coordinator.begin(at: 0)
    let taken = coordinator.takeMain(at: 0)
    coordinator.finish(try #require(taken), WorkEnd(.success(())), at: 1)
    let takenNext = coordinator.takeMain(at: 1)
    coordinator.finish(try #require(takenNext), WorkEnd(.failure(CancellationError())), at: 2)
    let takenUndo = coordinator.takeUndo(lane: .main, at: 2)
    _ = coordinator.takeEvents()
    coordinator.finish(try #require(takenUndo), WorkEnd(.success(()), cpuTime: 7), at: 3)
    #expect(
      coordinator.takeEvents().map(\.kind).starts(with: [used(7), .undoEnded(step: 0, failure: nil)]))
  }

  @Test(
    "The undo of a process is killed after its timeout and grace, and the next undo waits for its exit")
  func undoOfProcess() throws {
    var failing = LaunchStep(FakeCommand(), id: "failing")
    failing.onFailure = .rollback
    let steps = [LaunchStep(SimulatedProcess(), id: "a"), LaunchStep(SimulatedProcess(), id: "b"), failing]
    let plan = try LaunchPlan(steps: steps.map { ($0, nil) })
    var coordinator = Coordinator(plan: plan, jobs: 1, grace: 5)
    coordinator.begin(at: 0)
    for _ in 0..<2 {
      let taken = coordinator.takeOther(at: 0)
      coordinator.finish(try #require(taken), .success(()), at: 0)
    }
    let last = coordinator.takeMain(at: 0)
    coordinator.finish(try #require(last), .failure(CancellationError()), at: 0)
    let taken = coordinator.takeOther(at: 0)
    let undo = try #require(taken)
    #expect(undo == EngineWork(step: 1, attempt: 1, kind: .polled, isUndo: true))
    let limit = Coordinator.defaultUndoLimit
    #expect(coordinator.expire(at: limit) == [Interruption(work: undo, isForced: false, abandons: false)])
    #expect(coordinator.takeOther(at: limit) == nil)
    #expect(coordinator.expire(at: limit + 5) == [Interruption(work: undo, isForced: true, abandons: true)])
    _ = coordinator.takeEvents()
    coordinator.finish(undo, .failure(CancellationError()), at: limit + 6)
    let failure = Failure(message: "undo timed out after 10s", type: "AppBoot.Timeout")
    #expect(coordinator.takeEvents().map(\.kind) == [.undoEnded(step: 1, failure: failure)])
    let next = coordinator.takeOther(at: limit + 6)
    #expect(next?.step == 0)
  }

  @Test(
    "A step that only waits is stopped when another one fails, and a later interrupt does not hide the failure"
  )
  func uselessWait() throws {
    let steps = [LaunchStep(SimulatedWait(), id: "wait"), LaunchStep(SimulatedProcess(), id: "bad")]
    let plan = try LaunchPlan(steps: steps.map { ($0, []) })
    var coordinator = Coordinator(plan: plan, jobs: 1, grace: 5)
    coordinator.begin(at: 0)
    let taken = [coordinator.takeOther(at: 0), coordinator.takeOther(at: 0)]
    let wait = try #require(taken.compactMap(\.self).first { $0.step == 0 })
    let bad = try #require(taken.compactMap(\.self).first { $0.step == 1 })
    coordinator.finish(bad, .failure(Mishap()), at: 1)
    #expect(coordinator.expire(at: 1) == [Interruption(work: wait, isForced: false, abandons: true)])
    #expect(coordinator.cancel(.requested("SIGTERM"), at: 2).isEmpty)
    #expect(coordinator.expire(at: 6) == [Interruption(work: wait, isForced: true, abandons: true)])
    _ = coordinator.takeEvents()
    coordinator.finish(wait, .failure(CancellationError()), at: 7)
    #expect(coordinator.takeEvents().map(\.kind) == [.launchEnded(.failed(step: 1))])
  }

  @Test(
    "A process finishes when another step fails, and with failFast it is stopped", arguments: [false, true])
  func failFast(isFast: Bool) throws {
    let steps = ["other", "bad"].map { LaunchStep(SimulatedProcess(), id: $0) }
    var plan = try LaunchPlan(steps: steps.map { ($0, []) })
    plan.failsFast = isFast
    var coordinator = Coordinator(plan: plan, jobs: 2, grace: 5)
    coordinator.begin(at: 0)
    let taken = [coordinator.takeOther(at: 0), coordinator.takeOther(at: 0)].compactMap(\.self)
    let other = try #require(taken.first { $0.step == 0 })
    coordinator.finish(try #require(taken.first { $0.step == 1 }), .failure(Mishap()), at: 1)
    let stops = isFast ? [Interruption(work: other, isForced: false, abandons: true)] : []
    #expect(coordinator.expire(at: 1) == stops)
    _ = coordinator.takeEvents()
    coordinator.finish(other, isFast ? .failure(CancellationError()) : .success(()), at: 2)
    #expect(coordinator.takeEvents().last?.kind == .launchEnded(.failed(step: 1)))
  }

  @Test("The CPU time of an attempt that returns after its end is reported at once, but not after the launch")
  func lateCPUTime() throws {
    var hanging = LaunchStep(FakeBackgroundCommand(), id: "hanging")
    hanging.timeout = .nanoseconds(1)
    hanging.onFailure = .continue
    let plan = try LaunchPlan(steps: [(hanging, nil), (LaunchStep(FakeCommand(), id: "next"), nil)])
    var coordinator = Coordinator(plan: plan, jobs: 1, grace: 5)
    coordinator.begin(at: 0)
    let taken = coordinator.takeOther(at: 0)
    _ = coordinator.expire(at: 1)
    let takenNext = coordinator.takeMain(at: 1)
    let (work, next) = (try #require(taken), try #require(takenNext))
    _ = coordinator.takeEvents()
    coordinator.finish(work, WorkEnd(.success(()), cpuTime: 5), at: 2)
    #expect(coordinator.takeEvents() == [LaunchEvent(used(5), at: 2)])
    coordinator.finish(next, WorkEnd(.success(())), at: 3)
    _ = coordinator.takeEvents()
    coordinator.finish(work, WorkEnd(.success(()), cpuTime: 5), at: 4)
    #expect(coordinator.isFinished && coordinator.takeEvents().isEmpty)
  }

  /// A process whose own grace is 5 s.
  private struct PatientProcess: PolledCommand {
    let grace: Int64? = 5_000_000_000
    func execute(in context: LaunchContext) async {}
  }

  @Test(
    "A process that was asked to stop is killed after its own grace, or after 2 s by default, and not earlier",
    arguments: [true, false], [2, 5] as [Int64])
  func grace(isCancelled: Bool, seconds: Int64) throws {
    let second: Int64 = 1_000_000_000
    let command: any Command = seconds == 5 ? PatientProcess() : SimulatedProcess()
    var step = LaunchStep(command, id: "a")
    if !isCancelled { step.timeout = .seconds(1) }
    let grace = LaunchRunner.Configuration().grace.nanoseconds
    var coordinator = Coordinator(plan: try LaunchPlan(steps: [(step, nil)]), jobs: 1, grace: grace)
    coordinator.begin(at: 0)
    let taken = coordinator.takeOther(at: 0)
    let work = try #require(taken)
    let asked =
      isCancelled ? coordinator.cancel(.requested("test"), at: second) : coordinator.expire(at: second)
    #expect(asked == [Interruption(work: work, isForced: false, abandons: !isCancelled)])
    let end = (1 + seconds) * second
    #expect(coordinator.expire(at: end - 1).isEmpty)
    #expect(coordinator.expire(at: end) == [Interruption(work: work, isForced: true, abandons: true)])
  }

  @Test(
    "A cancelled launch rolls back for a step that has not run, but not for one that the plan skips",
    arguments: [true, false])
  func rollbackOfSkipped(isSkipped: Bool) throws {
    var steps = ["done", "running", "last"].map { LaunchStep(SimulatedMain(), id: $0) }
    steps[0].onFailure = .rollback
    steps[2].onFailure = .rollback
    if isSkipped { steps[2].skip = .excluded("--skip last") }
    let plan = try LaunchPlan(steps: steps.map { ($0, nil) })
    var coordinator = Coordinator(plan: plan, jobs: 1, grace: 5)
    coordinator.begin(at: 0)
    let done = coordinator.takeMain(at: 0)
    coordinator.finish(try #require(done), .success(()), at: 1)
    let running = coordinator.takeMain(at: 1)
    _ = coordinator.cancel(.requested("test"), at: 2)
    coordinator.finish(try #require(running), .failure(CancellationError()), at: 3)
    let undo = coordinator.takeMain(at: 3)
    #expect(undo?.step == (isSkipped ? nil : 0))
    #expect(coordinator.isFinished == isSkipped)
  }

  @Test("An attempt begins when the delay of its policy is over, and not earlier")
  func retryDelay() throws {
    var step = LaunchStep(FakeCommand(), id: "a")
    step.retry = RetryPolicy(attempts: 5, backoffTime: 10, maxBackoffTime: 35)
    var coordinator = Coordinator(plan: try LaunchPlan(steps: [(step, nil)]), jobs: 1, grace: 5)
    coordinator.begin(at: 0)
    var time: Int64 = 0
    for delay in [10, 20, 35, 35] as [Int64] {
      let taken = coordinator.takeMain(at: time)
      coordinator.finish(try #require(taken), .failure(SimulatedLaunch.Failed()), at: time)
      _ = coordinator.expire(at: time + delay - 1)
      let early = coordinator.takeMain(at: time + delay - 1)
      #expect(early == nil)
      time += delay
      _ = coordinator.expire(at: time)
    }
    let last = coordinator.takeMain(at: time)
    #expect(last?.attempt == 5)
  }

  @Test("With ranks and one step at a time, steps of all lanes start in the order of the ranks")
  func serial() throws {
    let commands: [any Command] = [
      SimulatedMain(), SimulatedBackground(), SimulatedAsync(), SimulatedPolled(), FakeCommand(),
    ]
    let plan = try LaunchPlan(
      steps: commands.indices.map { (LaunchStep(commands[$0], id: "\($0)"), []) })
    let order = [3, 0, 2, 4, 1]
    let ranks = ShuffledOrder.ranks(of: order)
    var simulation = Simulation(Coordinator(plan: plan, jobs: 1, grace: 0, ranks: ranks, isSerial: true)) {
      _ in
      Simulation.Work(duration: 10)
    }
    let starts = try simulation.run().compactMap { event -> (step: Int, time: Int64)? in
      if case .started(let step, _) = event.kind { (step, event.moment) } else { nil }
    }
    #expect(starts.map(\.step) == order && starts.map(\.time) == [0, 10, 20, 30, 40])
  }
}
