import AppBoot
import AppBootSystem
import AppBootTestKit
import AppBootTestSupport
import Testing

@MainActor private final class Screen {
  private(set) var titles: [String] = []
  nonisolated init() {}

  func show(_ title: String) async {
    requireMainActor()
    titles.append(title)
    await Task.yield()
    requireMainActor()
  }
}

/// Stops the process if the caller is not on the main actor, as isolation checks in library code do.
private func requireMainActor() {
  MainActor.preconditionIsolated()
  MainActor.assumeIsolated { MainActor.assertIsolated() }
}

private struct ShowTitle: MainActorCommand {
  var screen = Screen()

  func execute(in context: LaunchContext) async throws {
    MainActor.assertIsolated()
    await screen.show("first")
    await opened().passed()
    MainActor.assertIsolated()
    async let shown: Void = screen.show("child")
    await shown
    await screen.show("last")
  }
}

private struct Reserve: AsyncUndoableCommand {
  func execute(in context: LaunchContext) async throws {}
  func undo(in context: LaunchContext) async throws { await MainActor.run {} }
}

private struct Hold: MainActorCommand {
  let gate: Gate

  func execute(in context: LaunchContext) async throws { gate.wait() }
}

/// An actor that uses the main actor in a task of its own, as a client library does.
private actor Client {
  func load() async -> Int { await Task.detached { await MainActor.run { 3 } }.value }
}

/// An actor that runs on the main actor's executor.
private actor Neighbor {
  nonisolated var unownedExecutor: UnownedSerialExecutor { MainActor.sharedUnownedExecutor }

  func visit() { MainActor.assertIsolated() }
}

@MainActor private func waitOnMainActor(_ gate: Gate = Gate()) async throws {
  gate.open()
  try await untilCancelled()
}

private func opened() -> Gate {
  let gate = Gate()
  gate.open()
  return gate
}

private func step(
  _ id: String, _ command: any Command, after: [String]? = [],
  _ change: (inout LaunchStep) -> Void = { _ in }
) -> (step: LaunchStep, after: [String]?) {
  var step = LaunchStep(command, id: id)
  step.timeout = .seconds(60)
  change(&step)
  return (step, after)
}

/// Runs a launch in a task of the main actor, which it blocks.
@MainActor private func runBlocking(_ plan: LaunchPlan) -> LaunchRecord { plan.runBlocking() }

/// Runs a launch of one step in a task of the main actor. Returns the name of the step's state.
@MainActor private func run(
  _ body: @escaping @Sendable (LaunchContext) async throws -> Void
) async throws -> String {
  try await LaunchPlan(steps: [step("step", FakeAsyncCommand(body))]).run()[0].state.name
}

/// In the process of the other tests, a launch would run and wait for the jobs of all that use the main actor.
@Suite(
  "A launch that blocks the main actor",
  .ownProcess)
@MainActor
struct LaunchEngineMainActorTests {
  private let screen = Screen()

  @Test("A step uses the main actor, on the thread of the launch")
  func hop() async throws {
    let state = try await run { [screen] _ in
      await MainActor.run { requireMainActor() }
      await screen.show("step")
      #expect(await screen.titles == ["step"])
      #expect(!MainQueue.isOnMainActor)
    }
    #expect(state == "succeeded")
  }

  @Test("A background command that blocks its thread waits for the main actor")
  func worker() async throws {
    let command = FakeBackgroundCommand { _ in
      let gate = Gate()
      Task { @MainActor in gate.open() }
      gate.wait()
    }
    #expect(try await LaunchPlan(steps: [step("worker", command)]).run().succeeded)
  }

  @Test("The child tasks of a step use the main actor")
  func children() async throws {
    let state = try await run { [screen] _ in
      async let shown: Void = screen.show("child")
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<10 { group.addTask { await screen.show("group") } }
      }
      await shown
    }
    #expect(state == "succeeded")
    #expect(screen.titles.count == 11)
  }

  @Test("A step waits for any kind of task that uses the main actor")
  func tasks() async throws {
    let state = try await run { [screen] _ in
      await Task { @MainActor in await screen.show("task") }.value
      await Task { await screen.show("task") }.value
      await Task.detached { await screen.show("detached") }.value
      #expect(await Client().load() == 3)
      await Neighbor().visit()
    }
    #expect(state == "succeeded")
    #expect(screen.titles == ["task", "task", "detached"])
  }

  @Test("A step on the main actor still uses it in tasks and after waiting for other tasks")
  func mainActorSteps() async throws {
    let (command, screen) = (ShowTitle(), screen)
    let plan = try LaunchPlan {
      Step("show", command).timeout(.seconds(60))
      Step.onMainActor("closure") { _ in
        await Task { await screen.show("task") }.value
        #expect(await Client().load() == 3)
        await Neighbor().visit()
        requireMainActor()
        let isolation = #isolation
        #expect(isolation === MainActor.shared)
        for _ in 0..<10 { await Task.yield() }
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<10 { group.addTask { await screen.show("group") } }
        }
        await screen.show("closure")
      }
      .timeout(.seconds(60))
    }
    #expect(await plan.run().succeeded)
    #expect(command.screen.titles == ["first", "child", "last"])
    #expect(screen.titles == ["task"] + Array(repeating: "group", count: 10) + ["closure"])
  }

  @Test("A step of the main lane is on the main actor, and starts a task that a later step waits for")
  func mainLane() async throws {
    let started = Lock<Task<Void, Never>?>(nil)
    let plan = try LaunchPlan(steps: [
      step(
        "start",
        FakeCommand { [screen] _ in
          requireMainActor()
          started.withLock { $0 = Task { @MainActor in await screen.show("task") } }
        }),
      step("wait", FakeAsyncCommand { _ in await started.withLock(\.self)?.value }, after: ["start"]),
      step("main", FakeCommand { _ in requireMainActor() }, after: ["wait"]),
    ])
    #expect(await plan.run().map(\.state.name) == ["succeeded", "succeeded", "succeeded"])
    #expect(screen.titles == ["task"])
  }

  @Test("Many steps use the main actor at the same time")
  func manySteps() async throws {
    let plan = try LaunchPlan(
      steps: (0..<40).map { number in
        step(
          "\(number)",
          FakeAsyncCommand { [screen] _ in
            for _ in 0..<10 { await screen.show("\(number)") }
          })
      })
    #expect(await plan.run().succeeded)
    #expect(screen.titles.count == 400)
  }

  @Test("An undo uses the main actor")
  func undo() async throws {
    let plan = try LaunchPlan(steps: [
      step("reserve", Reserve()),
      step("fail", FakeCommand { _ in throw Mishap() }, after: nil) { $0.onFailure = .rollback },
    ])
    let record = await plan.run()
    #expect(!record.succeeded)
    #expect(record["reserve"]?.details.undo?.failure == nil)
    #expect(record["reserve"]?.details.undo != nil)
  }

  @Test("A step that waits on the main actor times out, and the next step uses the main actor")
  func timedOut() async throws {
    let plan = try LaunchPlan(steps: [
      step(
        "slow",
        FakeAsyncCommand { _ in
          try await waitOnMainActor()
        }
      ) { step in
        step.timeout = .milliseconds(1)
        step.onFailure = .keepGoing
      },
      step("next", FakeAsyncCommand { [screen] _ in await screen.show("next") }, after: nil),
    ])
    #expect(await plan.run().map(\.state.name) == ["timedOut", "succeeded"])
  }

  @Test("Cancelling the launch cancels a step that waits on the main actor")
  func cancelled() async throws {
    let (isWaiting, runner) = (Gate(), Lock<LaunchRunner?>(nil))
    let wait = FakeAsyncCommand { _ in
      async let waiting: Void = waitOnMainActor(isWaiting)
      try await waiting
    }
    let cancel = FakeAsyncCommand { _ in
      await isWaiting.passed()
      runner.withLock(\.self)?.cancel("test")
    }
    let plan = try LaunchPlan(steps: [step("wait", wait), step("cancel", cancel)])
    runner.withLock { $0 = LaunchRunner(plan) }
    let record = try await #require(runner.withLock(\.self)).run()
    #expect(record["wait"]?.state.name == "cancelled")
  }

  @Test("A timeout fires while a step keeps the main actor busy", arguments: [true, false])
  func timeout(isBlocking: Bool) async throws {
    let gate = Gate()
    let plan = try LaunchPlan(steps: [
      step("hold", Hold(gate: gate)),
      step(
        "slow",
        FakeAsyncCommand { _ in
          defer { gate.open() }
          try await untilCancelled()
        }
      ) { step in
        step.timeout = .milliseconds(1)
        step.onFailure = .keepGoing
      },
    ])
    let record = isBlocking ? await onThread { plan.runBlocking() } : await plan.run()
    #expect(record.map(\.state.name) == ["succeeded", "timedOut"])
  }

  @Test("In a task of the main actor, a blocking launch with an asynchronous step runs nothing, and says why")
  func blockingInTask() throws {
    let plan = try LaunchPlan(steps: [step("first", FakeCommand()), step("hop", FakeAsyncCommand { _ in })])
    let record = runBlocking(plan)
    #expect(record.map(\.state.name) == ["cancelled", "cancelled"])
    #expect(record.outcome == .cancelled(refusal))
  }

  #if !canImport(Darwin)
  @Test("In a job of the main queue, a blocking launch with an asynchronous step runs nothing")
  func blockingInJob() async throws {
    let plan = try LaunchPlan(steps: [step("hop", FakeAsyncCommand { _ in })])
    let record = await withCheckedContinuation { continuation in
      MainQueue.add { continuation.resume(returning: plan.runBlocking()) }
    }
    #expect(record.outcome == .cancelled(refusal))
  }
  #endif

  @Test("In a task of the main actor, a blocking launch of synchronous steps runs")
  func synchronousSteps() throws {
    let plan = try LaunchPlan(steps: [
      step("main", FakeCommand { _ in requireMainActor() }), step("background", FakeBackgroundCommand()),
    ])
    #expect(runBlocking(plan).succeeded)
  }

  private let refusal =
    "this synchronous call blocks the main actor, which asynchronous steps may need: use await run()"
}
