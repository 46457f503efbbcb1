import AppBoot
import AppBootLifecycle
import AppBootSystem
import AppBootTestKit
import AppBootTestSupport
import Testing

@testable import AppBootCommands

/// A service that returns when it is ready.
private struct Mailbox: ServiceCommand {
  @Parameter("The address of the mail server.") var address: String
  @Parameter("The token.") var token: Secret
  var serviceOptions: ServiceOptions { ServiceOptions(onExit: .ignore) }

  func run(in service: RunningService) async throws {
    service.context.note("\(address) \(token.reveal().count)")
    service.markReady()
  }
}

private enum Trace {
  @TaskLocal static var id = "none"
}

/// The guarantees of swift-service-lifecycle's `ServiceGroup`, each as one of AppBoot.
@Suite("A runner of services")
struct ServiceRunnerTests {
  private let log = Log()
  /// It is opened when all services are ready.
  private let isReady = Gate()

  /// Returns a service that is ready at once, and logs its shutdown.
  private func service(_ id: String) -> LaunchStep { FakeService.logging(id, in: log) }

  private func plan(_ steps: [LaunchStep]) throws -> LaunchPlan {
    let last = LaunchStep(FakeAsyncCommand { [isReady] _ in isReady.open() }, id: "ready")
    return try LaunchPlan(steps: (steps + [last]).map { ($0, nil) })
  }

  /// Runs the steps, and shuts the services down when all are ready.
  private func runAndShutDown(_ steps: [LaunchStep]) async throws -> LaunchRecord {
    let runner = try ServiceRunner(try plan(steps), configuration: .patient)
    let run = Task { try await runner.run() }
    await isReady.passed()
    runner.shutDown()
    return try await run.value
  }

  @Test("Services shut down in the reverse order of their start")
  func order() async throws {
    _ = try await runAndShutDown([service("a"), service("b"), service("c")])
    #expect(log.all == ["c", "b", "a"])
  }

  @Test("A service has the values of the variables in its parameters")
  func variables() async throws {
    let text = #"""
      { "commands": [
        { "command": "Mailbox", "with": { "address": "{env.HOST}:143", "token": "{env.MAIL_TOKEN}" } }] }
      """#
    let plan = try StartupCommandsBuilder(parsing: text, registry: CommandRegistry(Mailbox.self))
      .environment(["HOST": "mail.org", "MAIL_TOKEN": "hunter22"]).build()
    let record = try await ServiceRunner(plan).run()
    #expect(record.first?.details.note?.hasPrefix("mail.org:143 8") == true)
  }

  @Test("Observers receive the output of a service, also after the launch")
  func output() async throws {
    let observer = RecordingObserver()
    var configuration = LaunchRunner.Configuration()
    configuration.observers = [observer]
    let talking = FakeService { service in
      service.markReady()
      try await service.untilShutdown()
      service.output("closed")
    }
    let runner = try ServiceRunner(try plan([LaunchStep(talking, id: "a")]), configuration: configuration)
    let run = Task { try await runner.run() }
    await isReady.passed()
    runner.shutDown()
    _ = try await run.value
    #expect(
      observer.events.map(\.kind).contains(
        .output(.init(step: 0, attempt: 1, stream: .stdout, line: "closed"))))
  }

  @Test("A step after a service starts when the service is ready")
  func readiness() async throws {
    let log = log
    let slow = FakeService { service in
      await Task.yield()
      log.add("ready")
      service.markReady()
      try await service.untilShutdown()
    }
    let next = FakeAsyncCommand { _ in log.add("next") }
    let record = try await runAndShutDown([LaunchStep(slow, id: "slow"), LaunchStep(next, id: "next")])
    #expect(log.all == ["ready", "next"])
    #expect(record["slow"]?.state == .succeeded)
  }

  @Test("A run fails whenever its only service fails, also just after the launch")
  func onlyServiceFails() async throws {
    for pause in stride(from: 0, to: 160, by: 4) {
      let brief = FakeService { service in
        service.markReady()
        for _ in 0..<pause { await Task.yield() }
        throw Mishap()
      }
      let runner = try ServiceRunner(try plan([LaunchStep(brief, id: "brief")]))
      await #expect(throws: (any Error).self) { try await runner.run() }
    }
  }

  @Test(
    "A service that ends early shuts the others down in reverse order, and the run fails",
    arguments: [true, false])
  func earlyEnd(throwsError: Bool) async throws {
    let isReady = isReady
    let brief = FakeService { service in
      service.markReady()
      await isReady.passed()
      if throwsError { throw Mishap() }
    }
    let runner = try ServiceRunner(try plan([service("a"), LaunchStep(brief, id: "brief"), service("c")]))
    let error = await #expect(throws: ServiceFailed.self) { try await runner.run() }
    #expect(error?.service == "brief")
    #expect(error?.end == (throwsError ? "failed: out of paper" : "returned"))
    #expect(log.all == ["c", "a"])
  }

  @Test("The end of a service whose onExit is ignore leaves the others running")
  func ignored() async throws {
    let (isReady, log) = (isReady, log)
    let brief = FakeService(onExit: .ignore) { service in
      service.markReady()
      await isReady.passed()
      throw Mishap()
    }
    let runner = try ServiceRunner(try plan([service("a"), LaunchStep(brief, id: "brief")]))
    let run = Task { try await runner.run() }
    while runner.services["brief"] != .ended { await Task.yield() }
    #expect(runner.services["a"] == .ready)
    #expect(log.all.isEmpty)
    runner.shutDown()
    _ = try await run.value
    #expect(log.all == ["a"])
  }

  @Test(
    "A run ends without an error if no service is left, or if one whose onExit is finish ends",
    arguments: [true, false])
  func ends(isAlone: Bool) async throws {
    let isReady = isReady
    let brief = FakeService(onExit: isAlone ? .ignore : .finish) { service in
      service.markReady()
      await isReady.passed()
    }
    let others = isAlone ? [] : [service("a")]
    let record = try await ServiceRunner(try plan(others + [LaunchStep(brief, id: "b")])).run()
    #expect(record["b"]?.state == .succeeded)
    #expect(log.all == (isAlone ? [] : ["a"]))
  }

  @Test("A service that returns and one that throws can have different effects", arguments: [true, false])
  func endsByKind(throwsError: Bool) async throws {
    let isReady = isReady
    let rule = ServiceExitRule(success: .finish, failure: .fail)
    let brief = FakeService(onExit: rule) { service in
      service.markReady()
      await isReady.passed()
      if throwsError { throw Mishap() }
    }
    let runner = try ServiceRunner(try plan([service("a"), LaunchStep(brief, id: "brief")]))
    if throwsError {
      let error = await #expect(throws: ServiceFailed.self) { try await runner.run() }
      #expect(error?.end == "failed: out of paper")
    } else {
      #expect(try await runner.run()["brief"]?.state == .succeeded)
    }
    #expect(log.all == ["a"])
  }

  @Test("A run without services ends with the launch")
  func withoutServices() async throws {
    let record = try await ServiceRunner(try plan([])).run()
    #expect(record.succeeded)
  }

  @Test(
    "A service that ends before it is ready fails the launch, and the others shut down",
    arguments: [true, false])
  func endBeforeReady(throwsError: Bool) async throws {
    let brief = FakeService { _ in if throwsError { throw Mishap() } }
    let runner = try ServiceRunner(try plan([service("a"), LaunchStep(brief, id: "brief")]))
    let error = await #expect(throws: LaunchFailed.self) { try await runner.run() }
    let failure = error?.record["brief"]?.state.failure
    #expect(failure?.message == (throwsError ? "out of paper" : "returned before it called markReady()"))
    #expect(log.all == ["a"])
  }

  @Test("A service that is not ready in time is ended, and its failure says why", .timeLimit(.minutes(10)))
  func neverReady() async throws {
    let isDown = Gate()
    let silent = FakeService { service in
      defer { isDown.open() }
      try await service.untilShutdown()
    }
    var step = LaunchStep(silent, id: "silent")
    step.timeout = .milliseconds(50)
    let runner = try ServiceRunner(try plan([step]), configuration: .patient)
    let error = await #expect(throws: LaunchFailed.self) { try await runner.run() }
    let failure = error?.record["silent"]?.state.failure
    #expect(failure?.message == "timed out after 50ms")
    #expect(failure?.causes == ["it has not called markReady()"])
    await isDown.passed()
  }

  @Test("Cancelling the run cancels the services without their grace period")
  func cancellation() async throws {
    let log = log
    let stubborn = FakeService { service in
      service.markReady()
      do {
        try await untilCancelled()
      } catch {
        log.add("cancelled")
        throw error
      }
    }
    let runner = try ServiceRunner(
      try plan([LaunchStep(stubborn, id: "stubborn")]), configuration: .patient)
    let run = Task { try await runner.run() }
    await isReady.passed()
    run.cancel()
    await #expect(throws: CancellationError.self) { try await run.value }
    #expect(log.all == ["cancelled"])
  }

  @Test(
    "A service that is not ready is cancelled at once: by its timeout, a shutdown or a cancellation of the run",
    arguments: ["timeout", "shutdown", "cancellation"])
  func notReady(cause: String) async throws {
    let (log, hasBegun) = (log, Gate())
    let starting = FakeService { service in
      hasBegun.open()
      do {
        try await untilCancelled()
      } catch {
        log.add(service.isShuttingDown ? "cancelled in the shutdown" : "cancelled")
        throw error
      }
    }
    var step = LaunchStep(starting, id: "starting")
    if cause == "timeout" { step.timeout = .milliseconds(1) }
    let runner = try ServiceRunner(try plan([step]), configuration: .patient)
    let run = Task { try await runner.run() }
    await hasBegun.passed()
    if cause == "shutdown" { runner.shutDown() }
    if cause == "cancellation" { run.cancel() }
    let result = await run.result
    #expect(log.all == ["cancelled in the shutdown"])
    let record = try #require(runner.session.record)
    #expect(record["starting"]?.state.name == (cause == "timeout" ? "timedOut" : "cancelled"))
    #expect(record["starting"]?.details.killTime == nil)
    if cause == "cancellation" { #expect(throws: CancellationError.self) { try result.get() } }
  }

  @Test("A service that ignores the shutdown is cancelled after its grace period")
  func grace() async throws {
    let log = log
    let stubborn = FakeService(shutdownGrace: .milliseconds(1)) { service in
      service.markReady()
      do {
        try await untilCancelled()
      } catch {
        log.add(service.isShuttingDown ? "cancelled in the shutdown" : "cancelled")
      }
    }
    let record = try await runAndShutDown([service("a"), LaunchStep(stubborn, id: "stubborn")])
    #expect(log.all == ["cancelled in the shutdown", "a"])
    #expect(record["stubborn"]?.details.killTime != nil)
  }

  @Test("The shutdown does not wait for a service that ignores its cancellation")
  func abandoned() async throws {
    let gate = Gate()
    defer { gate.open() }
    let deaf = FakeService(shutdownGrace: .milliseconds(1)) { service in
      service.markReady()
      await gate.passed()
    }
    var configuration = LaunchRunner.Configuration()
    configuration.grace = .milliseconds(1)
    let runner = try ServiceRunner(
      try plan([service("a"), LaunchStep(deaf, id: "deaf")]), configuration: configuration)
    let run = Task { try await runner.run() }
    await isReady.passed()
    runner.shutDown()
    _ = try await run.value
    #expect(runner.services == ["a": .stopped, "deaf": .stopping])
    #expect(log.all == ["a"])
  }

  @Test("A service that fails is restarted as its policy says")
  func restart() async throws {
    let (starts, isRestarted) = (Lock(0), Gate())
    let policy = RestartPolicy(.onFailure, attempts: 2, backoff: .milliseconds(1))
    let flaky = FakeService(restart: policy) { service in
      service.markReady()
      let start = starts.withLock { starts in
        starts += 1
        return starts
      }
      if start < 3 { throw Mishap() }
      isRestarted.open()
      try await service.untilShutdown()
    }
    let runner = try ServiceRunner(try plan([LaunchStep(flaky, id: "flaky")]))
    let run = Task { try await runner.run() }
    await isRestarted.passed()
    runner.shutDown()
    #expect(try await run.value["flaky"]?.state == .succeeded)
    #expect(starts.withLock { $0 } == 3)
  }

  @Test("A runner runs its plan once")
  func doubleStart() async throws {
    let runner = try ServiceRunner(try plan([]))
    try await runner.run()
    await #expect(throws: RunnerReused()) { try await runner.run() }
  }

  @Test("A runner that is shut down before it runs starts no step")
  func shutDownBefore() async throws {
    let log = log
    let runner = try ServiceRunner(LaunchPlan(sequence: [FakeCommand { _ in log.add("it ran") }]))
    runner.shutDown()
    let record = try await runner.run()
    #expect(record.cancellation == .requested("the app shuts down"))
    #expect(log.all.isEmpty)
  }

  @Test("The handler of a graceful shutdown runs during the operation, and at once in a later one")
  func handlers() async throws {
    let log = log
    let handling = FakeService { service in
      service.markReady()
      let isClosed = Gate()
      await service.withGracefulShutdownHandler {
        await isClosed.passed()
      } onGracefulShutdown: {
        log.add("first")
        isClosed.open()
      }
      service.withoutWaiting(log)
      await service.withGracefulShutdownHandler {
        log.add("operation")
      } onGracefulShutdown: {
        log.add("second")
      }
    }
    _ = try await runAndShutDown([LaunchStep(handling, id: "a")])
    #expect(log.all == ["first", "shutting down", "second", "operation"])
  }

  @Test("An operation that knows only cancellation ends at the graceful shutdown, without an error")
  func cancelled() async throws {
    let log = log
    let loop = FakeService { service in
      service.markReady()
      try await service.cancelWhenGracefulShutdown { try await untilCancelled() }
      log.add(Task.isCancelled ? "cancelled" : "ended")
    }
    _ = try await runAndShutDown([LaunchStep(loop, id: "a")])
    #expect(log.all == ["ended"])
  }

  @Test("A service can use the main actor")
  @MainActor
  func mainActor() async throws {
    let log = log
    let shown = FakeService { service in
      await MainActor.run { log.add("main") }
      service.markReady()
      try await service.untilShutdown()
      await MainActor.run { log.add("main again") }
    }
    _ = try await runAndShutDown([LaunchStep(shown, id: "a")])
    #expect(log.all == ["main", "main again"])
  }

  @Test("A service has the task-local values of the task that runs it, also after a restart")
  func taskLocals() async throws {
    let (log, isRestarted) = (log, Gate())
    let traced = FakeService(restart: RestartPolicy(.always, backoff: .milliseconds(1))) { service in
      service.markReady()
      log.add(Trace.id)
      guard log.all.count == 2 else { return }
      isRestarted.open()
      try await service.untilShutdown()
    }
    let runner = try ServiceRunner(try plan([LaunchStep(traced, id: "a")]))
    let run = Task { try await Trace.$id.withValue("here") { try await runner.run() } }
    await isRestarted.passed()
    runner.shutDown()
    _ = try await run.value
    #expect(log.all == ["here", "here"])
  }

  @Test("A launch that keeps no services says how to run them")
  func withoutHost() async throws {
    let record = await LaunchPlan(sequence: [FakeService { $0.markReady() }]).run()
    #expect(
      record.reasonText(of: 0)
        == "\"FakeService\" is a service, which this launch cannot keep: run the plan with ServiceRunner, LifecycleHost "
        + "or CommandLineTool")
  }
}

extension RunningService {
  fileprivate func withoutWaiting(_ log: Log) {
    log.add(isShuttingDown ? "shutting down" : "running")
  }
}
