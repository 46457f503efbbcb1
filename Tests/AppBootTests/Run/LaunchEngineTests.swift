import AppBootTestKit
import AppBootTestSupport
import Testing

@testable import AppBoot

@Suite("LaunchEngine")
struct LaunchEngineTests {
  @Test("A caller whose work was cancelled before it woke up is woken for an undo on the main lane")
  func cancelledWork() throws {
    var failing = LaunchStep(FakeBackgroundCommand(), id: "failing")
    failing.onFailure = .rollback
    let plan = try LaunchPlan(steps: [
      (LaunchStep(FakeCommand(), id: "main"), []),
      (LaunchStep(FakeBackgroundCommand(), id: "background"), ["main"]),
      (failing, ["main"]), (LaunchStep(FakeCommand(), id: "late"), ["background"]),
    ])
    var shared = LaunchEngine.Shared(
      coordinator: Coordinator(plan: plan, jobs: 2, grace: 0))
    func take() throws -> EngineWork {
      let work = shared.coordinator.takeMain(at: 0) ?? shared.coordinator.takeOther(at: 0)
      return try #require(work)
    }
    func isWoken() -> Bool { shared.calls(deadlineBefore: nil, jobs: 2).wakesWaiting }
    shared.coordinator.begin(at: 0)
    shared.coordinator.finish(try take(), WorkEnd(.success(())), at: 0)
    let (background, failed) = (try take(), try take())
    shared.callerWaits = true
    shared.coordinator.finish(background, WorkEnd(.success(())), at: 0)
    #expect(isWoken())
    // Before the caller wakes up, the launch fails, and the step "late" does not start.
    shared.coordinator.finish(failed, WorkEnd(.failure(CancellationError())), at: 0)
    let undo = try take()
    let hasWork = shared.endsCallerWait()
    #expect(undo.isUndo && !hasWork)
    shared.coordinator.finish(undo, WorkEnd(.success(())), at: 0)
    #expect(isWoken())
  }
}
