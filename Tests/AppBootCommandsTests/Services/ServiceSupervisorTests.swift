import AppBoot
import AppBootSystem
import AppBootTestSupport
import Testing

@testable import AppBootCommands

/// A service whose starts wait for each other, so that all begin together.
private struct Meeting: ServiceCommand {
  let size: Int
  let starts = Lock(0)
  /// The number of starts that have arrived; `nil` before ``begin()``.
  private let arrivals = Condition<Int?>(nil)

  init(size: Int) { self.size = size }

  func begin() { arrivals.withLock { $0 = 0 } }

  /// No restart. Each start reads the options before it begins.
  var serviceOptions: ServiceOptions {
    arrivals.withLock { $0 = $0.map { $0 + 1 } }
    arrivals.broadcast()
    _ = arrivals.wait(until: Patience.end) { count in count.map { $0 >= size } ?? true ? () : nil }
    return ServiceOptions()
  }

  func run(in service: RunningService) async throws {
    starts.withLock { $0 += 1 }
    service.markReady()
    try await service.untilShutdown()
  }
}

@Suite("A supervisor of services in Swift")
struct ServiceSupervisorTests {
  /// The events of the services, and the gates that are opened when a service has a state.
  private final class Events: Sendable {
    private let events = Lock<[ServiceEvent]>([])
    private let gates = Lock<[ServiceState: Gate]>([:])
    /// They are opened at the first report of a service that is unhealthy, and of one that is healthy.
    let (isSick, isWell) = (Gate(), Gate())

    var all: [ServiceEvent] { events.withLock(\.self) }

    func add(_ event: ServiceEvent) {
      events.withLock { $0.append(event) }
      if case .changed(let status) = event { gate(of: status.state).open() }
      if case .health(_, let health) = event { (health.isHealthy ? isWell : isSick).open() }
    }

    func gate(of state: ServiceState) -> Gate {
      gates.withLock { gates in
        let gate = gates[state] ?? Gate()
        gates[state] = gate
        return gate
      }
    }
  }

  private let events = Events()
  private let supervisor: ServiceSupervisor
  private let starts = Lock(0)
  private let gate = Gate()
  /// It is opened when the first task has begun.
  private let hasBegun = Gate()

  init() throws {
    supervisor = try ServiceSupervisor(cancellationGrace: 1_000_000) { [events] in events.add($0) }
  }

  /// A service that ignores its shutdown and its cancellation until the gate is opened.
  private func deaf(isReady: Bool = true) -> FakeService {
    FakeService(shutdownGrace: .milliseconds(1)) { [starts, gate, hasBegun] service in
      starts.withLock { $0 += 1 }
      hasBegun.open()
      if isReady { service.markReady() }
      await gate.passed()
    }
  }

  private func launch(
    _ step: LaunchStep, observers: [any LaunchObserver] = []
  ) async throws -> LaunchRecord {
    var plan = try LaunchPlan(steps: [(step, nil)])
    plan.keepServices(with: supervisor)
    var configuration = LaunchRunner.Configuration()
    configuration.observers = observers
    return await LaunchRunner(plan, configuration: configuration).run()
  }

  private func ask(_ action: ServiceAction) async -> ServiceAnswer {
    await withCheckedContinuation { continuation in
      supervisor.perform(action, on: "a") { continuation.resume(returning: $0) }
    }
  }

  private func stopAll() async { await onThread { [supervisor] in supervisor.stopAll(dependents: [:]) } }

  @Test(
    "A request for a service that ignores its cancellation fails, and starts no second task",
    arguments: [ServiceAction.stop, .restart])
  func deafService(action: ServiceAction) async throws {
    #expect(try await launch(LaunchStep(deaf(), id: "a")).succeeded)
    for _ in 0..<2 {
      guard case .failed(let status, let reason) = await ask(action) else {
        Issue.record("the request succeeded")
        break
      }
      #expect(reason == "its task ignores its cancellation, and still runs")
      #expect(status.state == .stopping && status.isAbandoned && status.wasKilled && status.isTask)
    }
    #expect(starts.withLock(\.self) == 1)
    #expect(events.all.contains { if case .abandoned("a") = $0 { true } else { false } })
    #expect(!events.all.contains { if case .ended = $0 { true } else { false } })
    gate.open()
    await stopAll()
  }

  @Test("A service can be restarted when its abandoned task has ended")
  func endOfDeafService() async throws {
    #expect(try await launch(LaunchStep(deaf(), id: "a")).succeeded)
    _ = await ask(.restart)
    gate.open()
    await events.gate(of: .stopped).passed()
    let answer = await ask(.restart)
    let isDone = if case .done = answer { true } else { false }
    #expect(isDone)
    #expect(starts.withLock(\.self) == 2)
    await stopAll()
  }

  @Test("A retried step starts no second task while the first ignores its cancellation")
  func retry() async throws {
    var step = LaunchStep(deaf(isReady: false), id: "a")
    step.timeout = .milliseconds(1)
    step.retry = RetryPolicy(attempts: 2, backoff: .zero)
    let record = try await launch(step)
    // The task may begin only after its step has timed out.
    await hasBegun.passed()
    #expect(starts.withLock(\.self) == 1)
    #expect(
      record["a"]?.state.failure?.message
        == "it did not start a second time, because its task ignores its cancellation, and still runs")
    gate.open()
    await events.gate(of: .stopped).passed()
    await stopAll()
  }

  @Test("A second start of a service that runs succeeds, and starts no second task")
  func secondStart() async throws {
    let step = FakeService.logging("a", in: Log())
    #expect(try await launch(step).first?.details.note == nil)
    let second = try await launch(step)
    #expect(second.succeeded)
    #expect(second.first?.details.note == "already running")
    #expect(supervisor.statuses(measuresMemory: false).map(\.id) == ["a"])
    await stopAll()
  }

  @Test("A second start of a service that is starting fails")
  func secondStartTooEarly() async throws {
    let (isStarting, mayBeReady) = (Gate(), Gate())
    let slow = FakeService { service in
      service.output("starting")
      await mayBeReady.passed()
      service.markReady()
      try await service.untilShutdown()
    }
    let observer = OutputGate(gate: isStarting)
    let first = Task { try await launch(LaunchStep(slow, id: "a"), observers: [observer]) }
    await isStarting.passed()
    let second = try await launch(LaunchStep(slow, id: "a"))
    #expect(
      second["a"]?.state.failure?.message == "it did not start a second time, because it is starting")
    mayBeReady.open()
    #expect(try await first.value.succeeded)
    await stopAll()
  }

  @Test("Concurrent starts of a service start one task")
  func sameInstant() async throws {
    let meeting = Meeting(size: 8)
    var plan = try LaunchPlan(steps: [(LaunchStep(meeting, id: "a"), nil)])
    plan.keepServices(with: supervisor)
    meeting.begin()
    let records = await withTaskGroup { [plan] group in
      for _ in 0..<meeting.size {
        group.addTask { await onThread { LaunchRunner(plan).runBlocking() } }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(meeting.starts.withLock(\.self) == 1)
    #expect(records.contains { $0.succeeded && $0["a"]?.details.note == nil })
    let failures = records.compactMap { $0["a"]?.state.failure?.message }
    #expect(failures.allSatisfy { $0 == "it did not start a second time, because it is starting" })
    #expect(supervisor.statuses(measuresMemory: false).map(\.id) == ["a"])
    await stopAll()
  }

  @Test("A step that runs while a request restarts its service starts no second task")
  func startDuringRestart() async throws {
    let (isRestarting, mayRestart) = (Gate(), Gate())
    let step = FakeService.logging("a", in: Log())
    let context = try LaunchPlan(steps: [(step, nil)]).detachedContexts()(0)
    let service = Service(
      id: "a", restart: RestartPolicy(), grace: .seconds(60), stopSignal: nil, onExit: .fail,
      context: context
    ) { [starts] in
      let start = starts.withLock { starts in
        starts += 1
        return starts
      }
      if start == 2 {
        isRestarting.open()
        mayRestart.wait()
      }
      let work = FakeService { service in
        service.markReady()
        try await service.untilShutdown()
      }
      return try ServiceTask(work, in: context, grace: 0) { body in Task { await body() }.cancel }
    }
    _ = try supervisor.claim(service)
    try service.start()
    supervisor.keep(service)
    await events.gate(of: .ready).passed()
    async let answer = ask(.restart)
    await isRestarting.passed()
    let record = try await launch(step)
    mayRestart.open()
    #expect(record.first?.details.note == "already running, and restarting")
    let isDone = if case .done = await answer { true } else { false }
    #expect(isDone)
    #expect(supervisor.statuses(measuresMemory: false).map(\.state) == [.ready])
    await stopAll()
  }

  @Test("A request to start that joins an automatic restart leaves the restart policy in force")
  func joinedRestart() async throws {
    let (crash, isStarting, mayFail) = (Gate(), Gate(), Gate())
    let (isReadyAgain, attempts) = (Gate(), Lock(0))
    let service = FakeService(restart: RestartPolicy(.onFailure, backoff: .zero)) { service in
      let attempt = attempts.withLock { attempts in
        attempts += 1
        return attempts
      }
      if attempt == 2 {
        isStarting.open()
        await mayFail.passed()
        throw Mishap()
      }
      service.markReady()
      if attempt == 1 {
        await crash.passed()
        throw Mishap()
      }
      isReadyAgain.open()
      try await service.untilShutdown()
    }
    #expect(try await launch(LaunchStep(service, id: "a")).succeeded)
    crash.open()
    await isStarting.passed()
    let isAnswered = Gate()
    supervisor.perform(.start, on: "a") { _ in isAnswered.open() }
    mayFail.open()
    await isReadyAgain.passed()
    await isAnswered.passed()
    #expect(!events.all.contains { if case .ended = $0 { true } else { false } })
    await stopAll()
  }

  @Test("The function that a cancelled task calls can ask for the state of its service")
  func handlerOfCancellation() async throws {
    let states = Lock<[ServiceState?]>([])
    let curious = FakeService(shutdownGrace: .milliseconds(1)) { [supervisor, hasBegun] service in
      service.markReady()
      try await withTaskCancellationHandler { () async throws -> Void in
        hasBegun.open()
        try await untilCancelled()
      } onCancel: {
        states.withLock { $0.append(supervisor.states["a"]) }
      }
    }
    #expect(try await launch(LaunchStep(curious, id: "a")).succeeded)
    // A task that is cancelled before it has a function to call may be abandoned before it calls it.
    await hasBegun.passed()
    await stopAll()
    #expect(states.withLock(\.self) == [.stopping])
  }

  @Test("The end of the app does not wait for an abandoned task")
  func end() async throws {
    #expect(try await launch(LaunchStep(deaf(), id: "a")).succeeded)
    await stopAll()
    #expect(supervisor.statuses(measuresMemory: false).map(\.isAbandoned) == [true])
    gate.open()
  }

  @Test("The end of the app does not wait for an abandoned task that other services still depended on")
  func endBelow() async throws {
    for id in ["a", "b"] { #expect(try await launch(LaunchStep(deaf(), id: id)).succeeded) }
    supervisor.beginToStopAll(dependents: ["a": ["b"]])
    supervisor.cancelAll()
    await stopAll()
    #expect(supervisor.statuses(measuresMemory: false).map(\.isAbandoned) == [true, true])
    gate.open()
  }

  @Test("A service that is not ready when all services stop is stopped, too, and its step fails")
  func stopWhileStarting() async throws {
    let late = FakeService { [hasBegun] service in
      hasBegun.open()
      try await service.untilShutdown()
    }
    let log = Log()
    #expect(try await launch(FakeService.logging("a", in: log)).succeeded)
    let starting = Task { try await launch(LaunchStep(late, id: "late")) }
    await hasBegun.passed()
    await stopAll()
    #expect(log.all == ["a"])
    #expect(try await !starting.value.succeeded)
    #expect(supervisor.states == ["a": .stopped, "late": .stopped])
  }

  @Test("A request starts a service whose step has failed")
  func startAfterFailedStep() async throws {
    let service = FakeService { [starts] service in
      let isFirst = starts.withLock { starts in
        starts += 1
        return starts == 1
      }
      if isFirst { throw Mishap() }
      service.markReady()
      try await service.untilShutdown()
    }
    #expect(try await !launch(LaunchStep(service, id: "a")).succeeded)
    #expect(supervisor.states == ["a": .failed])
    guard case .unchanged = await ask(.stop) else { return #expect(Bool(false), "the service was not down") }
    guard case .done(let status) = await ask(.start) else { return #expect(Bool(false), "it did not start") }
    #expect(status.state == .ready)
    await stopAll()
  }

  @Test(
    "A request cannot stop or restart a service that its step still starts",
    arguments: [ServiceAction.stop, .restart])
  func requestWhileStarting(action: ServiceAction) async throws {
    let service = FakeService { [gate, hasBegun] service in
      hasBegun.open()
      await gate.passed()
      service.markReady()
      try await service.untilShutdown()
    }
    let starting = Task { try await launch(LaunchStep(service, id: "a")) }
    await hasBegun.passed()
    let refusal = ServiceAnswer.refused(
      "the step \"a\" is still starting it: wait until it is ready, or the step has failed")
    #expect(await ask(action) == refusal)
    gate.open()
    #expect(try await starting.value.succeeded)
    await stopAll()
  }

  @Test("A step does not take over a service that a request starts after the step's first attempt has failed")
  func attemptBesideRequest() async throws {
    let service = FakeService { [starts, gate, hasBegun] service in
      let isFirst = starts.withLock { starts in
        starts += 1
        return starts == 1
      }
      if isFirst { throw Mishap() }
      hasBegun.open()
      await gate.passed()
      service.markReady()
      try await service.untilShutdown()
    }
    #expect(try await !launch(LaunchStep(service, id: "a")).succeeded)
    async let answer = ask(.start)
    await hasBegun.passed()
    let record = try await launch(LaunchStep(service, id: "a"))
    #expect(
      record.first?.state.failure?.message == "it did not start a second time, because it is starting")
    gate.open()
    let isDone = if case .done = await answer { true } else { false }
    #expect(isDone)
    await stopAll()
  }

  @Test(
    "The end of a service has the effect of its watch, also if the watch began after the service")
  func watchBesideRun() async throws {
    let crash = Gate()
    let service = FakeService { service in
      service.markReady()
      await crash.passed()
      throw Mishap()
    }
    #expect(try await launch(LaunchStep(service, id: "a")).succeeded)
    let effect = { [supervisor] in supervisor.statuses(measuresMemory: false).first?.onExit }
    #expect(effect() == .fail)
    supervisor.watchFiles(of: ["a"])
    #expect(effect() == .ignore)
    supervisor.watchFiles(of: [])
    #expect(effect() == .fail)
    supervisor.watchFiles(of: ["a"])
    crash.open()
    await events.gate(of: .ended).passed()
    #expect(supervisor.statuses(measuresMemory: false).first?.appliedExit == .ignore)
    await stopAll()
  }

  @Test("No service starts while the services shut down")
  func startDuringShutdown() async throws {
    await stopAll()
    let record = try await launch(LaunchStep(deaf(), id: "a"))
    #expect(
      record["a"]?.state.failure?.message == "it did not start, because the services are stopping")
    #expect(starts.withLock(\.self) == 0)
  }

  @Test("When the app begins to end, a pending restart is cancelled, but a request still starts the service")
  func expectedEnd() async throws {
    let restart = RestartPolicy(.always, backoff: .seconds(600))
    let service = FakeService(restart: restart) { [starts] service in
      service.markReady()
      let start = starts.withLock { starts in
        starts += 1
        return starts
      }
      if start > 1 { try await service.untilShutdown() }
    }
    #expect(try await launch(LaunchStep(service, id: "a")).succeeded)
    await events.gate(of: .restarting).passed()
    supervisor.expectEnds()
    await events.gate(of: .stopped).passed()
    guard case .done(let status) = await ask(.start) else { throw Mishap() }
    #expect(status.state == .ready)
    await stopAll()
    #expect(starts.withLock(\.self) == 2)
  }

  @Test("A service reports that it is unhealthy, and healthy again")
  func health() async throws {
    let (isSick, isWell) = (Gate(), Gate())
    let service = FakeService { service in
      service.report(.healthy("3 connections"))
      service.markReady()
      await isSick.passed()
      service.report(.unhealthy("no connection"))
      await isWell.passed()
      service.report(.healthy("1 connection"))
      try await service.untilShutdown()
    }
    #expect(try await launch(LaunchStep(service, id: "a")).succeeded)
    #expect(supervisor.statuses(measuresMemory: false)[0].health == .healthy("3 connections"))
    isSick.open()
    await events.isSick.passed()
    let sick = supervisor.statuses(measuresMemory: false)[0]
    #expect(sick.isMissed && sick.health == .unhealthy("no connection"))
    isWell.open()
    await events.isWell.passed()
    #expect(!supervisor.statuses(measuresMemory: false)[0].isMissed)
    #expect(reports == [.unhealthy("no connection"), .healthy("1 connection")])
    await stopAll()
    #expect(supervisor.statuses(measuresMemory: false)[0].health == nil)
  }

  @Test("The reason why a service is not ready has the health that it reported")
  func neverReady() async throws {
    let isReported = Gate()
    let service = FakeService { service in
      service.report(.unhealthy("no connection to db:5432"))
      isReported.open()
    }
    let context = LaunchPlan(sequence: [service]).detachedContexts()(0)
    let task = try ServiceTask(service, in: context, grace: 0) { body in
      Task { await body() }.cancel
    }
    await isReported.passed()
    #expect(
      task.obstacle == "it has not called markReady(); it reported: unhealthy: no connection to db:5432")
  }

  private var reports: [ServiceHealth] {
    events.all.compactMap { if case .health(_, let health) = $0 { health } else { nil } }
  }

  @Test("A service that becomes unhealthy while it shuts down causes no event")
  func healthDuringShutdown() async throws {
    let service = FakeService { service in
      service.markReady()
      try await service.untilShutdown()
      service.report(.unhealthy("closed"))
    }
    #expect(try await launch(LaunchStep(service, id: "a")).succeeded)
    await stopAll()
    #expect(reports.isEmpty)
  }

  @Test("A new text of a healthy service appears in its status, and causes no event")
  func healthText() async throws {
    let isCounted = Gate()
    let service = FakeService { service in
      service.markReady()
      service.report(.healthy("1 job"))
      service.report(.healthy("2 jobs"))
      isCounted.open()
      try await service.untilShutdown()
    }
    #expect(try await launch(LaunchStep(service, id: "a")).succeeded)
    await isCounted.passed()
    #expect(supervisor.statuses(measuresMemory: false)[0].health == .healthy("2 jobs"))
    await stopAll()
    #expect(reports.isEmpty)
  }

  @Test("The status of a service in Swift has its health as JSON, and shows that its task was cancelled")
  func json() {
    var status = ServiceStatus(id: "a", state: .stopping, onExit: .fail)
    (status.isTask, status.wasKilled, status.isAbandoned) = (true, true, true)
    status.health = .unhealthy("no connection")
    var writer = JSONWriter()
    writer.object { status.write(to: &$0) }
    #expect(
      writer.text
        == #"{"state":"stopping","restarts":0,"cancelled":true,"abandoned":true,"health":"unhealthy","statusText":"no connection"}"#
    )
  }
}
