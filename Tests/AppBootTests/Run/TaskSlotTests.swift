import AppBootSystem
import Testing

@testable import AppBoot
import AppBootRecords
import AppBootTestSupport
@testable import AppBootAnalysis

@Suite("An asynchronous command")
struct TaskSlotTests {
  private func plan(_ steps: [any Command]) throws -> LaunchPlan {
    try LaunchPlan(steps: steps.enumerated().map { (LaunchStep($1, id: "s\($0)"), []) })
  }

  private func run(_ plan: LaunchPlan, tasks: Int? = nil, isAsync: Bool) async -> LaunchRecord {
    var configuration = LaunchRunner.Configuration()
    configuration.jobs = 1
    configuration.tasks = tasks
    let runner = LaunchRunner(plan, configuration: configuration)
    return isAsync ? await runner.run() : await onThread { runner.runBlocking() }
  }

  @Test("A consumer and a producer that wait for each other succeed with one job", arguments: [false, true])
  func rendezvous(isAsync: Bool) async throws {
    let (asked, answered) = (Gate(), Gate())
    let plan = try plan([
      FakeAsyncCommand { _ in
        asked.open()
        await answered.passed()
      },
      FakeAsyncCommand { _ in
        await asked.passed()
        answered.open()
      },
    ])
    let record = await run(plan, isAsync: isAsync)
    #expect(record.succeeded)
  }

  @Test("A suspended command takes no slot of a synchronous one", arguments: [false, true])
  func slot(isAsync: Bool) async throws {
    let gate = Gate()
    let plan = try plan([
      FakeAsyncCommand { _ in await gate.passed() }, FakeBackgroundCommand { _ in gate.open() },
    ])
    #expect(await run(plan, isAsync: isAsync).succeeded)
  }

  @Test("A step after a cancelled step is not cancelled with it", arguments: [false, true])
  func cancelledBefore(isAsync: Bool) async throws {
    let wasCancelled = Lock<Bool?>(nil)
    var first = LaunchStep(FakeAsyncCommand { _ in try await untilCancelled() }, id: "first")
    (first.timeout, first.onFailure) = (.milliseconds(1), .continue)
    let second = FakeAsyncCommand { _ in wasCancelled.withLock { $0 = Task.isCancelled } }
    let plan = try LaunchPlan(steps: [(first, []), (LaunchStep(second, id: "second"), ["first"])])
    let record = await run(plan, isAsync: isAsync)
    #expect(record.map(\.state.name) == ["timedOut", "succeeded"])
    #expect(wasCancelled.withLock { $0 } == false)
  }

  @Test("Asynchronous steps of a sequence run one after the other", arguments: [false, true])
  func chain(isAsync: Bool) async throws {
    let ids = Lock<[String]>([])
    let command = FakeAsyncCommand { context in ids.withLock { $0.append(context.stepID) } }
    let steps = (0..<50).map { (LaunchStep(command, id: "s\($0)"), $0 == 0 ? [] : ["s\($0 - 1)"]) }
    #expect(await run(try LaunchPlan(steps: steps), isAsync: isAsync).succeeded)
    #expect(ids.withLock { $0 } == (0..<50).map { "s\($0)" })
  }

  @Test("A limit for tasks is opt-in", arguments: [false, true])
  func limit(isAsync: Bool) async throws {
    let (running, most, both) = (Lock(0), Lock(0), Gate())
    let work: @Sendable (LaunchContext) async throws -> Void = { _ in
      let count = running.withLock { running in
        running += 1
        return running
      }
      most.withLock { $0 = max($0, count) }
      if count == 2 { both.open() }
      await both.passed()
      running.withLock { $0 -= 1 }
    }
    let commands = (0..<20).map { _ in FakeAsyncCommand(work) }
    let record = await run(try plan(commands), tasks: 2, isAsync: isAsync)
    #expect(record.succeeded)
    #expect(most.withLock(\.self) == 2)
  }

  @Test("Commands that are ready together start together in the list and in a replay, whatever the jobs")
  func order() throws {
    let plan = try plan([FakeAsyncCommand { _ in }, FakeAsyncCommand { _ in }, FakeBackgroundCommand()])
    var simulation = Simulation(plan, jobs: 1, durations: [100, 100, 100])
    let events = try simulation.run()
    let record = LaunchRecord(folding: events, plan: plan)
    #expect(record.map(\.execution.startTime) == [0, 0, 0])
    #expect(record.duration == .nanoseconds(100))
    let replay = try #require(LaunchReplay(of: record))
    #expect(replay.simulated(with: LaunchChanges()).map(\.execution.startTime) == [0, 0, 0])
  }

  @Test("A record shows which steps are tasks")
  func record() async throws {
    let plan = try plan([FakeAsyncCommand { _ in }, FakeBackgroundCommand()])
    let record = try LaunchRecord(json: await run(plan, isAsync: true).json())
    #expect(record.map(\.step.placement.isTask) == [true, false])
  }
}
