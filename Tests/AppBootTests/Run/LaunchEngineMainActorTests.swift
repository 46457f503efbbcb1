import AppBoot
import AppBootSystem
import AppBootTestKit
import Testing

@MainActor private final class Screen {
  var title = ""
  nonisolated init() {}

  func show(_ title: String) async {
    self.title = title
    await Task.yield()
  }
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
    screen.title += " shown"
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
  change(&step)
  return (step, after)
}

/// Runs a launch in a task of the main actor, which it blocks.
@MainActor private func runBlocking(_ plan: StartupPlan) -> StartupRecord { plan.runBlocking() }

@MainActor private func run(
  _ id: String, _ body: @escaping @Sendable (LaunchContext) async throws -> Void
) throws -> StartupRecord {
  runBlocking(try StartupPlan(steps: [step(id, FakeAsyncCommand(body)) { $0.timeout = .seconds(60) }]))
}

@Suite("A launch that blocks the main actor")
@MainActor
struct LaunchEngineMainActorTests {
  private let refusal =
    "Hop waits for the main actor, which this launch blocks: start the launch with await, for example await run(), "
    + "or make the command a MainActorCommand"

  @Test("A step that waits for the main actor fails at once, and says what to do")
  func hop() throws {
    let record = try run("Hop") { _ in await MainActor.run {} }
    #expect(record["Hop"]?.state.name == "failed")
    #expect(record["Hop"]?.state.failure?.message == refusal)
  }

  @Test("A step whose child task waits for the main actor fails at once")
  func children() throws {
    let screen = Screen()
    let child = try run("Hop") { _ in
      async let shown: Void = screen.show("child")
      await shown
    }
    #expect(child["Hop"]?.state.failure?.message == refusal)
    let group = try run("Hop") { _ in
      await withTaskGroup(of: Void.self) { group in group.addTask { await screen.show("group") } }
    }
    #expect(group["Hop"]?.state.failure?.message == refusal)
  }

  @Test("A step that starts a task of the main actor and does not wait for it succeeds")
  func unstructured() throws {
    let screen = Screen()
    let record = try run("start") { _ in
      let gate = Gate()
      Task { @MainActor in await screen.show("later") }
      Task { await screen.show("later") }
      Task {
        async let shown: Void = screen.show("later")
        gate.open()
        await shown
      }
      await gate.passed()
      for _ in 0..<10 { await Task.yield() }
    }
    #expect(record.succeeded)
  }

  @Test("The task of a step that waits for the main actor is cancelled, and continues after the launch")
  func continues() async throws {
    let (stream, results) = AsyncStream.makeStream(of: Bool.self)
    let record = try run("Hop") { _ in
      await MainActor.run {}
      results.yield(Task.isCancelled)
    }
    #expect(!record.succeeded)
    var iterator = stream.makeAsyncIterator()
    #expect(await iterator.next() == true)
  }

  @Test("The other steps run if a step waits for the main actor")
  func otherSteps() throws {
    let gate = Gate()
    let plan = try StartupPlan(steps: [
      step("Hop", FakeAsyncCommand { _ in await MainActor.run {} }) { $0.onFailure = .keepGoing },
      step("wait", FakeAsyncCommand { _ in await gate.passed() }),
      step("open", FakeBackgroundCommand { _ in gate.open() }),
      step("main", FakeCommand { _ in MainActor.assertIsolated() }, after: ["wait"]),
    ])
    let record = runBlocking(plan)
    #expect(record.map(\.state.name) == ["failed", "succeeded", "succeeded", "succeeded"])
  }

  @Test("A step on the main actor runs on the thread of the launch")
  func mainActorSteps() throws {
    let (command, screen) = (ShowTitle(), Screen())
    let plan = try StartupPlan {
      Step("show", command).timeout(.seconds(60))
      Step.onMainActor("closure") { _ in await screen.show("closure") }.timeout(.seconds(60))
    }
    #expect(runBlocking(plan).succeeded)
    #expect(command.screen.title == "child shown")
    #expect(screen.title == "closure")
  }

  @Test("An undo that waits for the main actor fails at once")
  func undo() throws {
    struct Broken: Error {}
    let plan = try StartupPlan(steps: [
      step("Hop", Reserve()),
      step("fail", FakeCommand { _ in throw Broken() }, after: nil) { $0.onFailure = .rollback },
    ])
    #expect(runBlocking(plan)["Hop"]?.details.undo?.failure?.message == refusal)
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

  @Test("A launch in a job of the main queue runs the hops of its steps")
  func mainQueue() async throws {
    let plan = StartupPlan(sequence: [FakeAsyncCommand { _ in await MainActor.run {} }])
    let record = await withCheckedContinuation { continuation in
      MainQueue.add { continuation.resume(returning: plan.runBlocking()) }
    }
    #expect(record.succeeded)
  }
}
