import AppBoot
import AppBootRecords
import AppBootLifecycle
import AppBootSystem
import AppBootTestKit
import AppBootTestSupport
import Testing

@testable import AppBootCommands

@Suite("The event handlers of a runner of services")
struct ServiceHandlersTests {
  private let log = Log()
  private let isReady = Gate()

  /// Returns a plan with a service "a", a last step that opens the gate, and handlers.
  private func plan(
    _ handlers: [String: LaunchStep], last: FakeAsyncCommand? = nil, fails: Bool = false
  ) throws -> LaunchPlan {
    let last = last ?? FakeAsyncCommand { [isReady] _ in isReady.open() }
    var plan = try LaunchPlan(
      steps: [(FakeService.logging("a", in: log), nil), (LaunchStep(last, id: "ready"), nil)])
    for (event, step) in handlers {
      plan.events[event] = try LaunchPlan(name: event, steps: [(step, nil)])
    }
    return plan
  }

  private func handler(_ line: String) -> LaunchStep {
    LaunchStep(FakeCommand { [log] _ in log.add(line) }, id: "handler")
  }

  private func runAndShutDown(_ plan: LaunchPlan) async throws -> LaunchRecord {
    let runner = try ServiceRunner(plan)
    let run = Task { try await runner.run() }
    await isReady.passed()
    await log.hasLine.passed()
    runner.shutDown()
    return try await run.value
  }

  @Test("The handlers of willTerminate run before the services shut down, and are in the record")
  func order() async throws {
    let plan = try plan([
      "didBecomeActive": handler("didBecomeActive"), "willTerminate": handler("willTerminate"),
    ])
    let isActive = Gate()
    var configuration = LaunchRunner.Configuration()
    configuration.observers = [EndGate(plan: "didBecomeActive", gate: isActive)]
    let runner = try ServiceRunner(plan, configuration: configuration)
    let run = Task { try await runner.run() }
    await isActive.passed()
    runner.shutDown()
    let record = try await run.value
    #expect(log.all == ["didBecomeActive", "willTerminate", "a"])
    #expect(record.events.map(\.event) == ["didBecomeActive", "willTerminate"])
    #expect(record.succeededWithEvents)
  }

  @Test("Handlers receive the events that commands emit, and find the values of the launch")
  func emitted() async throws {
    let key = ContextKey<String>("city")
    let last = FakeAsyncCommand { [isReady] context in
      context.provide("Ulm", for: key)
      try context.emit("consentGranted", payload: "yes")
      isReady.open()
    }
    let handler = FakeCommand { [log] context in
      log.add("\(try context.require(key)) \(context.launch.payload ?? "")")
    }
    _ = try await runAndShutDown(
      try plan(["consentGranted": LaunchStep(handler, id: "handler")], last: last))
    #expect(log.all == ["Ulm yes", "a"])
  }

  @Test("A service of a launch that failed or was cancelled shuts down without willTerminate")
  func failedLaunch() async throws {
    let last = FakeAsyncCommand { _ in throw Mishap() }
    let runner = try ServiceRunner(
      try plan(["willTerminate": handler("willTerminate"), "didBecomeActive": handler("active")], last: last))
    await #expect(throws: LaunchFailed.self) { try await runner.run() }
    #expect(log.all == ["a"])
  }

  @Test("The end of a service that ends the app runs the handlers of willTerminate")
  func failedService() async throws {
    let isActive = Gate()
    let brief = FakeService { service in
      service.markReady()
      await isActive.passed()
      throw Mishap()
    }
    var plan = try LaunchPlan(
      steps: [(FakeService.logging("a", in: log), nil), (LaunchStep(brief, id: "brief"), nil)])
    let activating = LaunchStep(FakeCommand { _ in isActive.open() }, id: "active")
    plan.events["didBecomeActive"] = try LaunchPlan(name: "active", steps: [(activating, nil)])
    plan.events["willTerminate"] = try LaunchPlan(name: "end", steps: [(handler("willTerminate"), nil)])
    let runner = try ServiceRunner(plan)
    await #expect(throws: ServiceFailed.self) { try await runner.run() }
    #expect(log.all == ["willTerminate", "a"])
  }

  @Test(
    "A service that ends while the handlers of willTerminate run is neither a failure nor restarted",
    arguments: [nil, RestartPolicy(.always)])
  func endDuringHandlers(restart: RestartPolicy?) async throws {
    let failure = FailureDuringHandlers()
    var plan = try LaunchPlan(steps: [(failure.service(restart: restart), nil)])
    plan.events["willTerminate"] = try LaunchPlan(name: "end", steps: [(failure.handler, nil)])
    let runner = try ServiceRunner(plan)
    // An error of the function ends the app without a call of `shutDown()`.
    let run = Task { try await runner.run { _ in throw RunnerReused() } }
    await failure.isHandling.passed()
    failure.crash.open()
    while runner.services["brief"] == .ready { await Task.yield() }
    #expect(runner.services == ["brief": .stopped])
    failure.mayEnd.open()
    await #expect(throws: RunnerReused.self) { try await run.value }
  }

  @Test("A failure of the handlers of willTerminate is an error, and the services shut down")
  func failedHandler() async throws {
    let failing = LaunchStep(FakeCommand { _ in throw Mishap() }, id: "save")
    let runner = try ServiceRunner(
      try plan(["willTerminate": failing, "didBecomeActive": handler("active")]))
    let run = Task { try await runner.run() }
    await log.hasLine.passed()
    runner.shutDown()
    let error = await #expect(throws: HandlersFailed.self) { try await run.value }
    #expect(error.map { "\($0)" } == #"the handlers of willTerminate failed: "save": out of paper"#)
    #expect(log.all.last == "a")
  }

  @Test("The handlers of willTerminate run once if a command also emits it")
  func emittedEnd() async throws {
    let emitting = FakeCommand { try $0.emit("willTerminate") }
    let plan = try plan([
      "didBecomeActive": LaunchStep(emitting, id: "emit"), "willTerminate": handler("willTerminate"),
    ])
    let record = try await runAndShutDown(plan)
    #expect(log.all == ["willTerminate", "a"])
    #expect(record.events.map(\.event) == ["didBecomeActive", "willTerminate"])
  }

  @Test("A shutdown cancels the handlers that run, but not those of willTerminate")
  func cancelled() async throws {
    let isHandling = Gate()
    let endless = FakeAsyncCommand { [log] _ in
      isHandling.open()
      do { try await untilCancelled() } catch { log.add("cancelled") }
    }
    let plan = try plan([
      "didBecomeActive": LaunchStep(endless, id: "endless"), "willTerminate": handler("willTerminate"),
    ])
    let runner = try ServiceRunner(plan, configuration: .patient)
    let run = Task { try await runner.run() }
    await isHandling.passed()
    runner.shutDown()
    _ = try await run.value
    #expect(log.all == ["cancelled", "willTerminate", "a"])
  }

  @Test("Cancelling the run cancels the services, and runs no handler of willTerminate")
  func cancelledRun() async throws {
    let runner = try ServiceRunner(try plan(["willTerminate": handler("willTerminate")]))
    let run = Task { try await runner.run() }
    await isReady.passed()
    run.cancel()
    await #expect(throws: CancellationError.self) { try await run.value }
    #expect(!log.all.contains("willTerminate"))
  }

  @Test("Handlers can use the main actor if the runner runs on it")
  @MainActor
  func mainActor() async throws {
    let handler = FakeAsyncCommand { [log] _ in await MainActor.run { log.add("main") } }
    _ = try await runAndShutDown(
      try plan(["didBecomeActive": LaunchStep(handler, id: "a")]))
    #expect(log.all == ["main", "a"])
  }

  @Test("The run does not end while the handlers of didBecomeActive run, even if no service runs")
  func serviceOfHandler() async throws {
    let (isHandling, isOver) = (Gate(), Gate())
    let brief = FakeService(onExit: .ignore) { service in
      service.markReady()
      await isHandling.passed()
      service.output("over")
    }
    var plan = try LaunchPlan(steps: [(LaunchStep(brief, id: "brief"), nil)])
    let first = FakeAsyncCommand { _ in
      isHandling.open()
      await isOver.passed()
    }
    plan.events["didBecomeActive"] = try LaunchPlan(
      name: "active",
      steps: [(LaunchStep(first, id: "first"), nil), (FakeService.ending("b", in: log), nil)])
    var configuration = LaunchRunner.Configuration()
    configuration.observers = [OutputGate(gate: isOver)]
    let record = try await ServiceRunner(plan, configuration: configuration).run()
    #expect(log.all == ["b ended"])
    #expect(record.succeededWithEvents)
  }

  @Test("The run does not end before the handlers of events that didBecomeActive's handlers emit")
  func serviceOfEmittedEvent() async throws {
    var plan = try LaunchPlan(steps: [(LaunchStep(FakeCommand { _ in }, id: "a"), nil)])
    let emitting = FakeCommand { try $0.emit("opened") }
    plan.events["didBecomeActive"] = try LaunchPlan(
      name: "active", steps: [(LaunchStep(emitting, id: "emit"), nil)])
    plan.events["opened"] = try LaunchPlan(name: "opened", steps: [(FakeService.ending("b", in: log), nil)])
    let record = try await ServiceRunner(plan).run()
    #expect(log.all == ["b ended"])
    #expect(record.events.map(\.event) == ["didBecomeActive", "opened"])
  }

  @Test("A forced cancellation before the handlers of willTerminate cancels them")
  func forcedCancellation() async throws {
    let session = AppSession(timeout: nil)
    let plan = try plan(["willTerminate": handler("willTerminate")])
    let host = LifecycleHost(plan, configuration: LifecycleHost.Configuration(), session: session)
    session.cancel("the task was cancelled", includesLast: true)
    let record = await host.receive(.willTerminate).record
    #expect(record?.cancellation == .requested("the task was cancelled"))
    #expect(log.all.isEmpty)
  }

  @Test("The record of a launch has a note for a service that ended during the launch")
  func noteOfEndedService() throws {
    let plan = try LaunchPlan(name: "test", steps: [(LaunchStep(FakeCommand(), id: "web"), nil)])
    let session = AppSession(timeout: nil)
    session.begin(plan.outline, sink: nil)
    let failure = Failure(message: "returned", type: "T")
    session.add(.ended(id: "web", end: "returned", policy: .ignore, failure: failure))
    let record = session.complete(LaunchRunner(plan).snapshot().record)
    #expect(record["web"]?.details.note == "later it returned")
  }

  @Test("A service that is cancelled with the run does not count as the end of the app")
  func noteOfCancelledService() async throws {
    let runner = try ServiceRunner(try plan([:]))
    let run = Task { try await runner.run() }
    await isReady.passed()
    run.cancel()
    await #expect(throws: CancellationError.self) { try await run.value }
    let note = runner.session.record?["a"]?.details.note ?? ""
    #expect(!note.contains("ended the app"))
  }
}
