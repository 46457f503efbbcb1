import AppBootSystem
import AppBootTestKit
import AppBootTestSupport
import Testing

@testable import AppBoot

@MainActor private var touched = 0

private struct Touch: Command {
  static let options = CommandOptions(lane: .main)

  func execute(in context: LaunchContext) { MainActor.assumeIsolated { touched += 1 } }
}

private struct TouchLater: MainActorCommand {
  func execute(in context: LaunchContext) async { touched += 1 }
}

@Suite("The main lane")
struct MainLaneTests {
  private func run(_ plan: LaunchPlan, isAsync: Bool) async -> LaunchRecord {
    if isAsync { return await Task.detached { await plan.run() }.value }
    return await onThread { plan.runBlocking() }
  }

  @Test("A command of the main lane runs on the main actor for every caller", arguments: [false, true])
  func mainThread(isAsync: Bool) async {
    #expect(await run(LaunchPlan(sequence: [Touch()]), isAsync: isAsync).succeeded)
    #expect(await run(LaunchPlan(sequence: [FakeBackgroundCommand(), Touch()]), isAsync: isAsync).succeeded)
  }

  @Test("A command of the main actor is on the main lane, and does not occupy it while it is suspended")
  func mainActorCommand() async throws {
    #expect(LaunchStep(TouchLater()).lane == .main)
    let gate = Gate()
    struct Wait: MainActorCommand {
      let gate: Gate
      init(_ gate: Gate) { self.gate = gate }
      func execute(in context: LaunchContext) async { await gate.passed() }
    }
    let both = try LaunchPlan(steps: [
      (LaunchStep(Wait(gate), id: "waits"), []),
      (LaunchStep(FakeCommand { _ in gate.open() }, id: "opens"), []),
    ])
    #expect(await both.run().succeeded)
  }

  @Test("The failure of a command that times out before the main actor runs it has that cause")
  func busyMainActor() async throws {
    let (hasBegun, gate) = (Gate(), Gate())
    var step = LaunchStep(TouchLater(), id: "late")
    step.timeout = .milliseconds(1)
    step.onFailure = .continue
    let observer = EndObserver(id: "late") { gate.open() }
    let busy = FakeCommand { _ in
      hasBegun.open()
      gate.wait()
    }
    // The second step starts when the first one occupies the main thread.
    let plan = try LaunchPlan(steps: [
      (LaunchStep(busy, id: "busy"), []),
      (LaunchStep(FakeAsyncCommand { _ in await hasBegun.passed() }, id: "begun"), []), (step, ["begun"]),
    ])
    var configuration = LaunchRunner.Configuration()
    configuration.observers = [observer]
    let runner = LaunchRunner(plan, configuration: configuration)
    let record = await onThread { runner.runBlocking() }
    #expect(
      record["late"]?.state.failure?.causes
        == ["the main actor has not begun to run it: other work may occupy the main thread"])
  }
}

/// An observer that calls a function when a step ends.
private struct EndObserver: LaunchObserver {
  let id: String
  let action: @Sendable () -> Void

  func observe(_ event: LaunchEvent, in outline: LaunchOutline) {
    if case .ended(let step, _) = event.kind, outline[step].id == id { action() }
  }
}
