import AppBoot
import AppBootCommands
import AppBootLifecycle
import AppBootSystem
import AppBootTestKit
import AppBootTestSupport
import Testing

@Suite("The services of a host")
struct HostServicesTests {
  private let log = Log()

  private func host(
    _ steps: [LaunchStep], handlers: [String: LaunchStep] = [:],
    configuration: LifecycleHost.Configuration = LifecycleHost.Configuration()
  ) throws -> LifecycleHost {
    var plan = try LaunchPlan(steps: steps.map { ($0, nil) })
    for (event, step) in handlers {
      plan.events[event] = try LaunchPlan(name: event, steps: [(step, nil)])
    }
    return LifecycleHost(plan, configuration: configuration)
  }

  private func service(_ id: String) -> LaunchStep { FakeService.logging(id, in: log) }

  private let launch = LifecycleEvent.didFinishLaunching(LaunchOptions())

  @Test("Services stay after the launch, and shut down in reverse order after the handlers of willTerminate")
  func order() async throws {
    let saving = LaunchStep(FakeCommand { [log] _ in log.add("willTerminate") }, id: "save")
    let host = try host([service("a"), service("b")], handlers: ["willTerminate": saving])
    #expect(await host.receive(launch).succeeded)
    #expect(log.all.isEmpty)
    #expect(await host.receive(.didEnterBackground).succeeded)
    #expect(log.all.isEmpty)
    await host.receive(.willTerminate)
    #expect(log.all == ["willTerminate", "b", "a"])
  }

  @Test("A launch that fails shuts its services down, and its outcome does not wait for them")
  func failedLaunch() async throws {
    let hasOutcome = Gate()
    let slow = FakeService { [log] service in
      service.markReady()
      try await service.untilShutdown()
      await hasOutcome.passed()
      log.add("slow")
    }
    let failing = LaunchStep(FakeAsyncCommand { _ in throw Mishap() }, id: "fails")
    let host = try host([LaunchStep(slow, id: "slow"), failing])
    #expect(await !host.receive(launch).succeeded)
    #expect(log.all.isEmpty)
    hasOutcome.open()
    await onThread { host.waitForServices() }
    #expect(log.all == ["slow"])
  }

  @Test("A host has the states and the health of its services")
  func states() async throws {
    let service = FakeService { service in
      service.report(.healthy("3 connections"))
      service.markReady()
      try await service.untilShutdown()
    }
    let host = try host([LaunchStep(service, id: "a")])
    #expect(host.services.isEmpty)
    #expect(await host.receive(launch).succeeded)
    #expect(host.services == ["a": .ready])
    #expect(host.health == ["a": .healthy("3 connections")])
    await host.receive(.willTerminate)
    #expect(host.services == ["a": .stopped])
    #expect(host.health.isEmpty)
  }

  @Test(
    "An error that a service throws during the shutdown is the last failure, but not a cancellation",
    arguments: [true, false])
  func failedShutdown(isCancellation: Bool) async throws {
    let failing = FakeService { service in
      service.markReady()
      try await service.untilShutdown()
      if isCancellation { throw CancellationError() }
      throw Mishap()
    }
    let host = try host([LaunchStep(failing, id: "a")])
    #expect(await host.receive(launch).succeeded)
    await host.receive(.willTerminate)
    let message = "the service failed: out of paper, during the shutdown"
    #expect(
      host.state.lastFailure == (isCancellation ? nil : LaunchState.Failure(source: "a", message: message)))
  }

  @Test("A service that the handler of an event starts is not started again when the event occurs again")
  func startedTwice() async throws {
    let host = try host([], handlers: ["didBecomeActive": service("late")])
    #expect(await host.receive(launch).succeeded)
    #expect(await host.receive(.didBecomeActive).succeeded)
    #expect(await host.receive(.didBecomeActive).record?.first?.details.note == "already running")
    await host.receive(.willTerminate)
    #expect(log.all == ["late"])
  }

  @Test("A service is restarted as its policy says")
  func restart() async throws {
    let (starts, isRestarted) = (Lock(0), Gate())
    let flaky = FakeService(restart: RestartPolicy(.onFailure, backoff: .milliseconds(1))) { service in
      service.markReady()
      let start = starts.withLock { starts in
        starts += 1
        return starts
      }
      if start == 1 { throw Mishap() }
      isRestarted.open()
      try await service.untilShutdown()
    }
    let host = try host([LaunchStep(flaky, id: "flaky")])
    #expect(await host.receive(launch).succeeded)
    await isRestarted.passed()
    await host.receive(.willTerminate)
    #expect(starts.withLock(\.self) == 2)
    #expect(host.state.lastFailure == nil)
  }

  @Test("The end of a service whose onExit is fail shuts the others down, and is the last failure of the app")
  func failedService() async throws {
    let (end, isDown) = (Gate(), Gate())
    let brief = FakeService { service in
      service.markReady()
      await end.passed()
      throw Mishap()
    }
    let other = FakeService { service in
      service.markReady()
      try await service.untilShutdown()
      isDown.open()
    }
    let host = try host([LaunchStep(other, id: "a"), LaunchStep(brief, id: "brief")])
    #expect(await host.receive(launch).succeeded)
    end.open()
    await isDown.passed()
    #expect(
      host.state.lastFailure.map { "\($0)" } == "brief: the service failed: out of paper")
    await host.receive(.willTerminate)
  }

  @Test(
    "A service that ends after the request to terminate does not fail the app",
    arguments: ["didEnterBackground", "willTerminate"])
  func endWhileTerminating(event: String) async throws {
    let failure = FailureDuringHandlers()
    let host = try host([service("a"), failure.service()], handlers: [event: failure.handler])
    #expect(await host.receive(launch).succeeded)
    let handling = Task { [log] in
      await host.receive(event == "willTerminate" ? .willTerminate : .didEnterBackground)
      log.add("handled")
    }
    await failure.isHandling.passed()
    host.receive(.willTerminate) { _ in }
    failure.crash.open()
    while host.services["brief"] == .ready { await Task.yield() }
    #expect(host.services == ["a": .ready, "brief": .stopped])
    failure.mayEnd.open()
    await handling.value
    await host.receive(.willTerminate)
    let message = "the service failed: out of paper, during the shutdown"
    #expect(host.state.lastFailure == LaunchState.Failure(source: "brief", message: message))
    #expect(Set(log.all) == ["a", "handled"])
  }

  @Test("A service that ends the app during the launch cancels the launch")
  func endDuringLaunch() async throws {
    let brief = FakeService { service in
      service.markReady()
      throw Mishap()
    }
    let endless = FakeAsyncCommand { _ in try await untilCancelled() }
    let host = try host([service("a"), LaunchStep(brief, id: "brief"), LaunchStep(endless, id: "endless")])
    let outcome = await host.receive(launch)
    #expect(outcome.record?.cancellation == .requested("brief failed: out of paper"))
    #expect(outcome.record?["brief"]?.details.note == "later it failed: out of paper, which ended the app")
    await host.receive(.willTerminate)
    #expect(log.all == ["a"])
  }

  @Test("A service shuts down if its host is released")
  func release() async throws {
    let isDown = Gate()
    let service = FakeService { service in
      service.markReady()
      try await service.untilShutdown()
      isDown.open()
    }
    do {
      let host = try host([LaunchStep(service, id: "a")])
      #expect(await host.receive(launch).succeeded)
    }
    await isDown.passed()
  }

  @Test("A service that an event handler starts keeps running")
  func startedByHandler() async throws {
    let host = try host([], handlers: ["didBecomeActive": service("late")])
    #expect(await host.receive(launch).succeeded)
    #expect(await host.receive(.didBecomeActive).succeeded)
    #expect(log.all.isEmpty)
    await host.receive(.willTerminate)
    #expect(log.all == ["late"])
  }

  @Test("Observers of the host receive the output of a service after the launch")
  func output() async throws {
    var configuration = LifecycleHost.Configuration()
    let observer = RecordingObserver()
    configuration.runner.observers = [observer]
    let talking = FakeService { service in
      service.markReady()
      try await service.untilShutdown()
      service.output("closed")
    }
    let host = try host([LaunchStep(talking, id: "a")], configuration: configuration)
    #expect(await host.receive(launch).succeeded)
    await host.receive(.willTerminate)
    #expect(
      observer.events.map(\.kind).contains(
        .output(.init(step: 0, attempt: 1, stream: .stdout, line: "closed"))))
  }

  @Test("A thread can wait until the services have shut down")
  func blockingWait() async throws {
    let host = try host([service("a")])
    #expect(await host.receive(launch).succeeded)
    await onThread {
      host.receive(.willTerminate) { _ in }
      host.waitForServices()
    }
    #expect(log.all == ["a"])
  }

  @Test("A source of events waits after willTerminate until the services have shut down")
  func source() async throws {
    let source = ManualEventSource()
    let host = try host([service("a")])
    try host.attach(source)
    #expect(await host.receive(launch).succeeded)
    await onThread { source.send(.willTerminate) }
    #expect(log.all == ["a"])
  }

  @Test("A source of events waits after willTerminate for handlers that another thread runs")
  func sourceDuringHandlers() async throws {
    let (isHandling, mayEnd) = (Gate(), Gate())
    let slow = FakeCommand { _ in
      isHandling.open()
      mayEnd.wait()
    }
    let saving = FakeCommand { [log] _ in log.add("willTerminate") }
    let source = ManualEventSource()
    let host = try host(
      [service("a")],
      handlers: [
        "didEnterBackground": LaunchStep(slow, id: "slow"), "willTerminate": LaunchStep(saving, id: "save"),
      ])
    try host.attach(source)
    #expect(await host.receive(launch).succeeded)
    let background = Task { await host.receive(.didEnterBackground) }
    await isHandling.passed()
    let sent = Task {
      await onThread { [log] in
        source.send(.willTerminate)
        log.add("the source returns")
      }
    }
    for _ in 0..<1000 { await Task.yield() }
    mayEnd.open()
    await sent.value
    #expect(await background.value.succeeded)
    #expect(log.all == ["willTerminate", "a", "the source returns"])
  }

  @Test("A listener that sends willTerminate through a source does not wait for itself")
  func sourceInListener() async throws {
    let source = ManualEventSource()
    let configuration = LifecycleHost.Configuration()
    configuration.mediator.on(.didEnterBackground) { [log] _ in
      source.send(.willTerminate)
      log.add("the source returns")
    }
    let host = try host([service("a")], configuration: configuration)
    try host.attach(source)
    #expect(await host.receive(launch).succeeded)
    await host.receive(.didEnterBackground)
    await onThread { host.waitForServices() }
    #expect(log.all == ["the source returns", "a"])
  }

  @Test("A service can use the main actor while it shuts down")
  @MainActor
  func mainActor() async throws {
    let service = FakeService { [log] service in
      service.markReady()
      try await service.untilShutdown()
      await MainActor.run { log.add("main") }
    }
    let host = try host([LaunchStep(service, id: "a")])
    #expect(await host.receive(launch).succeeded)
    await host.receive(.willTerminate)
    #expect(log.all == ["main"])
  }
}
