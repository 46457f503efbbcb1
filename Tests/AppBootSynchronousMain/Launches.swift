import AppBoot
import AppBootLifecycle
import AppBootSystem
import AppBootTestKit
import AppBootTool

/// The launches of this program, by the name on its command line.
@MainActor let launches: [String: @MainActor () throws -> Void] = [
  "hop": hop, "worker": worker, "children": children, "tasks": tasks, "main actor": mainActorSteps,
  "main lane": mainLane, "many steps": manySteps, "undo": undo, "nested": nested, "timed out": timedOut,
  "cancelled": cancelled, "timeout": timeout, "host": host, "job": job, "tool": tool,
]

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

/// A condition that does not hold.
private struct Unmet: Error, CustomStringConvertible {
  let description: String
}

private func expect(_ condition: Bool, _ record: StartupRecord? = nil, line: Int = #line) throws {
  guard !condition else { return }
  let states = record.map { "\($0.outcome): \($0.map(\.state))" }
  throw Unmet(description: "line \(line): \(states ?? "the condition does not hold")")
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
    await Task.detached {}.value
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

private func step(
  _ id: String, _ command: any Command, after: [String]? = [],
  _ change: (inout StartupStep) -> Void = { _ in }
) -> (step: StartupStep, after: [String]?) {
  var step = StartupStep(command, id: id)
  step.timeout = .seconds(60)
  change(&step)
  return (step, after)
}

@MainActor private func run(_ body: @escaping @Sendable (LaunchContext) async throws -> Void) throws {
  let record = try StartupPlan(steps: [step("step", FakeAsyncCommand(body))]).runBlocking()
  try expect(record.succeeded, record)
}

@MainActor private func hop() throws {
  let screen = Screen()
  try run { _ in
    await MainActor.run { requireMainActor() }
    await screen.show("step")
    try expect(await screen.titles == ["step"])
    try expect(!MainQueue.isOnMainActor)
  }
}

@MainActor private func worker() throws {
  let command = FakeBackgroundCommand { _ in
    let gate = Gate()
    Task { @MainActor in gate.open() }
    gate.wait()
  }
  let record = try StartupPlan(steps: [step("worker", command)]).runBlocking()
  try expect(record.succeeded, record)
}

@MainActor private func children() throws {
  let screen = Screen()
  try run { _ in
    async let shown: Void = screen.show("child")
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<10 { group.addTask { await screen.show("group") } }
    }
    await shown
  }
  try expect(screen.titles.count == 11)
}

@MainActor private func tasks() throws {
  let screen = Screen()
  try run { _ in
    await Task { @MainActor in await screen.show("task") }.value
    await Task { await screen.show("task") }.value
    await Task.detached { await screen.show("detached") }.value
    await withTaskExecutorPreference(GlobalExecutor()) { await screen.show("executor") }
    try expect(await Client().load() == 3)
    await Neighbor().visit()
  }
  try expect(screen.titles == ["task", "task", "detached", "executor"])
}

@MainActor private func mainActorSteps() throws {
  let (command, screen) = (ShowTitle(), Screen())
  let record = try StartupPlan {
    Step("show", command).timeout(.seconds(60))
    Step.onMainActor("closure") { _ in
      await Task { await screen.show("task") }.value
      try expect(await Client().load() == 3)
      await Neighbor().visit()
      requireMainActor()
      for _ in 0..<10 { await Task.yield() }
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<10 { group.addTask { await screen.show("group") } }
      }
      await screen.show("closure")
    }
    .timeout(.seconds(60))
  }
  .runBlocking()
  try expect(record.succeeded, record)
  try expect(command.screen.titles == ["first", "child", "last"])
  try expect(screen.titles == ["task"] + Array(repeating: "group", count: 10) + ["closure"])
}

@MainActor private func mainLane() throws {
  let (screen, started) = (Screen(), Lock<Task<Void, Never>?>(nil))
  let record = try StartupPlan(steps: [
    step(
      "start",
      FakeCommand { _ in
        requireMainActor()
        started.withLock { $0 = Task { @MainActor in await screen.show("task") } }
      }),
    step("wait", FakeAsyncCommand { _ in await started.withLock(\.self)?.value }, after: ["start"]),
    step("main", FakeCommand { _ in requireMainActor() }, after: ["wait"]),
  ]).runBlocking()
  try expect(record.map(\.state.name) == ["succeeded", "succeeded", "succeeded"], record)
  try expect(screen.titles == ["task"])
}

@MainActor private func manySteps() throws {
  let screen = Screen()
  let record = try StartupPlan(
    steps: (0..<40).map { number in
      step(
        "\(number)",
        FakeAsyncCommand { _ in
          for _ in 0..<10 { await screen.show("\(number)") }
        })
    }
  ).runBlocking()
  try expect(record.succeeded, record)
  try expect(screen.titles.count == 400)
}

@MainActor private func undo() throws {
  struct Broken: Error {}
  let record = try StartupPlan(steps: [
    step("reserve", Reserve()),
    step("fail", FakeCommand { _ in throw Broken() }, after: nil) { $0.onFailure = .rollback },
  ]).runBlocking()
  try expect(!record.succeeded, record)
  try expect(record["reserve"]?.details.undo != nil, record)
  try expect(record["reserve"]?.details.undo?.failure == nil, record)
}

/// A synchronous step of the main thread runs a launch. A step in a job of the main actor may not.
@MainActor private func nested() throws {
  let (screen, inner) = (Screen(), Lock<StartupRecord?>(nil))
  let plan = try StartupPlan(steps: [step("inner", FakeAsyncCommand { _ in await screen.show("inner") })])
  let record = try StartupPlan(steps: [
    step("outer", FakeCommand { _ in inner.withLock { $0 = plan.runBlocking() } }),
    step("other", FakeAsyncCommand { _ in await screen.show("other") }),
  ]).runBlocking()
  try expect(record.succeeded, record)
  try expect(inner.withLock { $0?.succeeded } == true, inner.withLock(\.self))
  try expect(Set(screen.titles) == ["inner", "other"])
}

@MainActor private func timedOut() throws {
  let screen = Screen()
  let record = try StartupPlan(steps: [
    step("slow", FakeAsyncCommand { _ in try await waitOnMainActor() }) { step in
      step.timeout = .milliseconds(1)
      step.onFailure = .keepGoing
    },
    step("next", FakeAsyncCommand { _ in await screen.show("next") }, after: nil),
  ]).runBlocking()
  try expect(record.map(\.state.name) == ["timedOut", "succeeded"], record)
}

@MainActor private func cancelled() throws {
  let (isWaiting, runner) = (Gate(), Lock<StartupRunner?>(nil))
  let wait = FakeAsyncCommand { _ in
    async let waiting: Void = waitOnMainActor(isWaiting)
    try await waiting
  }
  let cancel = FakeAsyncCommand { _ in
    await isWaiting.passed()
    runner.withLock(\.self)?.cancel("test")
  }
  let new = StartupRunner(try StartupPlan(steps: [step("wait", wait), step("cancel", cancel)]))
  runner.withLock { $0 = new }
  let record = new.runBlocking()
  try expect(record["wait"]?.state.name == "cancelled", record)
}

@MainActor private func timeout() throws {
  let gate = Gate()
  let record = try StartupPlan(steps: [
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
  ]).runBlocking()
  try expect(record.map(\.state.name) == ["succeeded", "timedOut"], record)
}

/// A host handles an event on the main thread.
@MainActor private func host() throws {
  let (screen, record) = (Screen(), Lock<StartupRecord?>(nil))
  let host = LifecycleHost(
    StartupPlan(sequence: [FakeAsyncCommand { _ in await screen.show("launch") }, ShowTitle()]))
  host.receive(.didFinishLaunching(LaunchOptions())) { outcome in record.withLock { $0 = outcome.record } }
  try expect(record.withLock { $0?.succeeded } == true, record.withLock(\.self))
  try expect(screen.titles == ["launch"])
}

/// The app's tool runs a subcommand on the main actor.
@MainActor private func tool() throws {
  let migrate = ToolSubcommand("migrate", help: "Migrates the database.") { arguments in
    await Task.yield()
    MainActor.preconditionIsolated()
    return Int32(arguments.count)
  }
  let tool = CommandLineTool(
    name: "notes", version: "1", registry: CommandRegistry(FakeCommand.self), subcommands: [migrate])
  try expect(tool.runBlocking(arguments: ["migrate", "--to", "3"]) == 2)
}

/// A job of the main actor, which a launch of this thread runs, may not run a launch with tasks.
@MainActor private func job() throws {
  let inner = try StartupPlan(steps: [step("inner", FakeAsyncCommand { _ in })])
  let refused = Lock<StartupRecord?>(nil)
  try run { _ in
    await MainActor.run {
      let record = runBlocking(inner)
      refused.withLock { $0 = record }
    }
  }
  let record = refused.withLock(\.self)
  try expect(record?.succeeded == false, record)
  try expect("\(record?.cancellation.map { "\($0)" } ?? "")".contains("use await run()"), record)
}

/// Runs a launch from code of a task, which the compiler rejects in an asynchronous function.
private func runBlocking(_ plan: StartupPlan) -> StartupRecord { plan.runBlocking() }
