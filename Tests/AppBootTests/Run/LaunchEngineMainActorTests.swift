import AppBoot
import AppBootSystem
import AppBootTestKit
import Dispatch
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

private final class GlobalExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    Thread.detach(name: "job") { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
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
  _ change: (inout StartupStep) -> Void = { _ in }
) -> (step: StartupStep, after: [String]?) {
  var step = StartupStep(command, id: id)
  step.timeout = .seconds(60)
  change(&step)
  return (step, after)
}

/// Runs a launch in a task of the main actor, which it blocks.
@MainActor private func runBlocking(_ plan: StartupPlan) -> StartupRecord { plan.runBlocking() }

@MainActor private func runBlocking(_ runner: StartupRunner) -> StartupRecord { runner.runBlocking() }

/// Runs a launch of one step in a task of the main actor, which it blocks. Returns the name of the step's state.
@MainActor private func run(
  _ body: @escaping @Sendable (LaunchContext) async throws -> Void
) throws -> String {
  try runBlocking(StartupPlan(steps: [step("step", FakeAsyncCommand(body))]))[0].state.name
}

/// In the process of the other tests, a launch would run and wait for the jobs of all that use the main actor.
@Suite(
  "A launch that blocks the main actor",
  .ownProcess)
@MainActor
struct LaunchEngineMainActorTests {
  private let screen = Screen()

  @Test("A step uses the main actor, on the thread of the launch")
  func hop() throws {
    let state = try run { [screen] _ in
      await MainActor.run { requireMainActor() }
      await screen.show("step")
      #expect(await screen.titles == ["step"])
      #expect(!MainQueue.isOnMainActor)
    }
    #expect(state == "succeeded")
  }

  @Test("A background command that blocks its thread waits for the main actor")
  func worker() throws {
    let command = FakeBackgroundCommand { _ in
      let gate = Gate()
      Task { @MainActor in gate.open() }
      gate.wait()
    }
    #expect(runBlocking(try StartupPlan(steps: [step("worker", command)])).succeeded)
  }

  @Test("The child tasks of a step use the main actor")
  func children() throws {
    let state = try run { [screen] _ in
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
  func tasks() throws {
    let state = try run { [screen] _ in
      await Task { @MainActor in await screen.show("task") }.value
      await Task { await screen.show("task") }.value
      await Task.detached { await screen.show("detached") }.value
      await withTaskExecutorPreference(GlobalExecutor()) { await screen.show("executor") }
      #expect(await Client().load() == 3)
      await Neighbor().visit()
    }
    #expect(state == "succeeded")
    #expect(screen.titles == ["task", "task", "detached", "executor"])
  }

  @Test("A step on the main actor still uses it in tasks and after waiting for other tasks")
  func mainActorSteps() throws {
    let (command, screen) = (ShowTitle(), screen)
    let plan = try StartupPlan {
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
    #expect(runBlocking(plan).succeeded)
    #expect(command.screen.titles == ["first", "child", "last"])
    #expect(screen.titles == ["task"] + Array(repeating: "group", count: 10) + ["closure"])
  }

  @Test("A step of the main lane is on the main actor, and starts a task that a later step waits for")
  func mainLane() throws {
    let started = Lock<Task<Void, Never>?>(nil)
    let plan = try StartupPlan(steps: [
      step(
        "start",
        FakeCommand { [screen] _ in
          requireMainActor()
          started.withLock { $0 = Task { @MainActor in await screen.show("task") } }
        }),
      step("wait", FakeAsyncCommand { _ in await started.withLock(\.self)?.value }, after: ["start"]),
      step("main", FakeCommand { _ in requireMainActor() }, after: ["wait"]),
    ])
    #expect(runBlocking(plan).map(\.state.name) == ["succeeded", "succeeded", "succeeded"])
    #expect(screen.titles == ["task"])
  }

  @Test("Many steps use the main actor at the same time")
  func manySteps() throws {
    let plan = try StartupPlan(
      steps: (0..<40).map { number in
        step(
          "\(number)",
          FakeAsyncCommand { [screen] _ in
            for _ in 0..<10 { await screen.show("\(number)") }
          })
      })
    #expect(runBlocking(plan).succeeded)
    #expect(screen.titles.count == 400)
  }

  @Test("An undo uses the main actor")
  func undo() throws {
    struct Broken: Error {}
    let plan = try StartupPlan(steps: [
      step("reserve", Reserve()),
      step("fail", FakeCommand { _ in throw Broken() }, after: nil) { $0.onFailure = .rollback },
    ])
    let record = runBlocking(plan)
    #expect(!record.succeeded)
    #expect(record["reserve"]?.details.undo?.failure == nil)
    #expect(record["reserve"]?.details.undo != nil)
  }

  @Test("A step on the main actor runs another launch, whose steps use the main actor")
  func nested() throws {
    let (screen, inner) = (screen, Lock<StartupRecord?>(nil))
    let plan = try StartupPlan(steps: [
      step(
        "outer",
        FakeAsyncCommand { _ in
          let plan = try StartupPlan(steps: [
            step("inner", FakeAsyncCommand { _ in await Task.detached { await screen.show("inner") }.value })
          ])
          await MainActor.run {
            let record = runBlocking(plan)
            requireMainActor()
            inner.withLock { $0 = record }
          }
          await screen.show("outer")
        }),
      step("other", FakeAsyncCommand { _ in await screen.show("other") }),
    ])
    #expect(runBlocking(plan).succeeded)
    #expect(inner.withLock { $0?.succeeded } == true)
    #expect(Set(screen.titles) == ["inner", "outer", "other"])
  }

  @Test("A launch on another thread uses the main actor while this launch blocks it")
  func twoLaunches() async throws {
    let (screen, isRunning, hasEnded) = (screen, Gate(), Gate())
    let other = try StartupPlan(steps: [
      step(
        "other",
        FakeAsyncCommand { _ in
          await isRunning.passed()
          await screen.show("other")
        })
    ])
    async let record = onThread {
      defer { hasEnded.open() }
      return other.runBlocking()
    }
    let state = try run { _ in
      isRunning.open()
      await hasEnded.passed()
    }
    #expect(state == "succeeded")
    #expect(await record.succeeded)
  }

  @Test("A task that a step does not wait for continues on the main actor after the launch")
  func continues() async throws {
    let (screen, isSuspended, mayContinue) = (screen, Gate(), Gate())
    let task = Lock<Task<Void, Never>?>(nil)
    let state = try run { _ in
      let started = Task { @MainActor in
        await screen.show("in the launch")
        isSuspended.open()
        await mayContinue.passed()
        requireMainActor()
        await screen.show("after the launch")
        await Task.detached { await screen.show("detached") }.value
        requireMainActor()
      }
      task.withLock { $0 = started }
      await isSuspended.passed()
    }
    #expect(state == "succeeded")
    #expect(screen.titles == ["in the launch"])
    mayContinue.open()
    await task.withLock(\.self)?.value
    #expect(screen.titles == ["in the launch", "after the launch", "detached"])
  }

  @Test("The main actor runs the launch's remaining jobs in order")
  func order() async throws {
    let (screen, observer, isOnMainActor) = (screen, RecordingObserver(), Gate())
    let tasks = Lock<[Task<Void, Never>]>([])
    let command = FakeAsyncCommand { _ in
      Task { @MainActor in
        isOnMainActor.open()
        _ = observer.waitForEvent { if case .ended = $0 { true } else { false } }
        let later = (0..<10).map { number in Task { @MainActor in await screen.show("\(number)") } }
        tasks.withLock { $0 = later }
      }
      await isOnMainActor.passed()
    }
    var configuration = StartupRunner.Configuration()
    configuration.observers = [observer]
    #expect(
      runBlocking(StartupRunner(StartupPlan(sequence: [command]), configuration: configuration)).succeeded)
    for task in tasks.withLock(\.self) { await task.value }
    #expect(screen.titles == (0..<10).map(String.init))
  }

  @Test("A job that waited in the main queue before the launch runs after it")
  func earlier() async throws {
    let (screen, hasRun, gate) = (screen, Lock(false), Gate())
    DispatchQueue.main.async {
      hasRun.withLock { $0 = true }
      gate.open()
    }
    let state = try run { _ in await screen.show("step") }
    #expect(state == "succeeded")
    #expect(hasRun.withLock(\.self) == false)
    await gate.passed()
  }

  @Test("A step that waits on the main actor times out, and the next step uses the main actor")
  func timedOut() throws {
    let plan = try StartupPlan(steps: [
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
    #expect(runBlocking(plan).map(\.state.name) == ["timedOut", "succeeded"])
  }

  @Test("Cancelling the launch cancels a step that waits on the main actor")
  func cancelled() throws {
    let (isWaiting, runner) = (Gate(), Lock<StartupRunner?>(nil))
    let wait = FakeAsyncCommand { _ in
      async let waiting: Void = waitOnMainActor(isWaiting)
      try await waiting
    }
    let cancel = FakeAsyncCommand { _ in
      await isWaiting.passed()
      runner.withLock(\.self)?.cancel("test")
    }
    let plan = try StartupPlan(steps: [step("wait", wait), step("cancel", cancel)])
    runner.withLock { $0 = StartupRunner(plan) }
    let record = try #require(runner.withLock(\.self).map(runBlocking))
    #expect(record["wait"]?.state.name == "cancelled")
  }

  @Test("A timeout fires while a step keeps the thread of the launch busy", arguments: [true, false])
  func timeout(isInTask: Bool) async throws {
    let gate = Gate()
    let plan = try StartupPlan(steps: [
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
    let record = isInTask ? runBlocking(plan) : await onThread { plan.runBlocking() }
    #expect(record.map(\.state.name) == ["succeeded", "timedOut"])
  }

  @Test("A launch in a job of the main queue uses the main actor")
  func mainQueue() async throws {
    let plan = try StartupPlan(steps: [
      step("hop", FakeAsyncCommand { _ in await Task.detached { await MainActor.run {} }.value }),
      step("main", FakeCommand { _ in requireMainActor() }),
    ])
    let record = await withCheckedContinuation { continuation in
      MainQueue.add { continuation.resume(returning: plan.runBlocking()) }
    }
    #expect(record.succeeded)
  }
}
