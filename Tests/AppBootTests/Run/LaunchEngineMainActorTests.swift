import AppBoot
import AppBootSystem
import AppBootTestKit
import AppBootTestSupport
import Testing

private struct ShowTitle: MainActorCommand {
  func execute(in context: LaunchContext) async throws {}
}

private struct Hold: MainActorCommand {
  let gate: Gate

  func execute(in context: LaunchContext) async throws { gate.wait() }
}

private func step(
  _ id: String, _ command: any Command, _ change: (inout StartupStep) -> Void = { _ in }
) -> (step: StartupStep, after: [String]?) {
  var step = StartupStep(command, id: id)
  step.timeout = .seconds(60)
  change(&step)
  return (step, [])
}

/// Runs a launch in a job of the main actor, which it would block.
@MainActor private func runBlocking(_ plan: StartupPlan) -> StartupRecord { plan.runBlocking() }

@MainActor private func launchBlocking(_ plan: StartupPlan) throws { _ = try plan.launchBlocking() }

private let refusal = #"""
  "show" may need the main actor, whose current job this call blocks: use await run(), or await receive(…) of a host
  """#

@Suite("A launch that blocks the main thread", .ownThread)
struct LaunchEngineMainActorTests {
  @Test(
    "A synchronous main runs the jobs of the main actor while it waits",
    arguments: [
      "hop", "worker", "children", "tasks", "main actor", "main lane", "many steps", "undo", "nested",
      "timed out",
      "cancelled", "timeout", "host", "job", "tool",
    ])
  func synchronousMain(launch: String) async throws {
    let process = try ProcessRequest([try program(), launch], captureOutput: true).start()
    let end = process.wait()
    var output: [UInt8] = []
    _ = process.readOutput { output += $0 }
    process.finish()
    #expect(end == .exited(0), "\(String(decoding: output, as: UTF8.self))")
  }

  /// Returns the path of the program, which is next to the test bundle.
  private func program() throws -> String {
    var directory = FileSystem.directory(of: FileSystem.resolve("/proc/self/exe") ?? CommandLine.arguments[0])
    for _ in 0..<5 {
      let candidate = FileSystem.join(directory, "AppBootSynchronousMain")
      if FileSystem.kind(of: candidate) == .regular { return candidate }
      directory = FileSystem.directory(of: directory)
    }
    return ".build/debug/AppBootSynchronousMain"
  }

  @Test("A job of the main actor cannot run a plan with tasks, and the reason says what to write")
  @MainActor
  func job() throws {
    let hasRun = Lock(false)
    let plan = try StartupPlan(steps: [
      step("first", FakeCommand { _ in hasRun.withLock { $0 = true } }), step("show", ShowTitle()),
    ])
    let record = runBlocking(plan)
    #expect(record.cancellation == .requested(refusal))
    #expect(record.map(\.state.name) == ["cancelled", "cancelled"])
    #expect(hasRun.withLock { $0 } == false)
    let error = #expect(throws: LaunchFailed.self) { try launchBlocking(plan) }
    #expect(error?.description.contains("use await run()") == true)
  }

  @Test("A job of the main actor runs a plan of synchronous commands")
  @MainActor
  func synchronous() {
    let plan = StartupPlan(sequence: [
      FakeCommand { _ in MainActor.preconditionIsolated() }, FakeBackgroundCommand(),
      FakeCommand { _ in MainActor.preconditionIsolated() },
    ])
    #expect(runBlocking(plan).succeeded)
  }

  @Test("A timeout fires while a step keeps the main actor busy")
  func timeout() async throws {
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
    let record = await onThread { plan.runBlocking() }
    #expect(record.map(\.state.name) == ["succeeded", "timedOut"])
  }
}
