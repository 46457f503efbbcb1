import AppBoot
import AppBootCommands
import AppBootLifecycle
import AppBootSystem
import AppBootTestSupport
import Testing

@Suite("The events of services")
struct ServiceEventsTests {
  private let log = Log()

  /// A service that is ready at once, and throws an error as long as `failures` is above 0 and the gate is open.
  private func service(
    _ id: String = "web", failures: Int, after crash: Gate = Gate(), onExit: ServiceExitRule = .ignore,
    restart: RestartPolicy? = RestartPolicy(.onFailure, backoff: .milliseconds(1))
  ) -> LaunchStep {
    let left = Lock(failures)
    let service = FakeService(onExit: onExit, restart: restart) { service in
      service.markReady()
      let fails = left.withLock { left in
        left -= 1
        return left >= 0
      }
      if fails {
        await crash.passed()
        throw Mishap()
      }
      try await service.untilShutdown()
    }
    return LaunchStep(service, id: id)
  }

  private func plan(_ steps: [LaunchStep], _ handlers: [EventName: FakeAsyncCommand] = [:]) throws
    -> LaunchPlan
  {
    var plan = try LaunchPlan(steps: steps.map { ($0, nil) })
    for (event, command) in handlers {
      plan.events[event.name] = try LaunchPlan(
        name: event.name, steps: [(LaunchStep(command, id: "handler"), nil)])
    }
    return plan
  }

  private let launch = LifecycleEvent.didFinishLaunching(LaunchOptions())

  /// Waits until the log has a number of lines.
  private func lines(_ count: Int) async { while log.all.count < count { await Task.yield() } }

  @Test("A host sends the events of its services to handlers and listeners, each with the last end")
  func order() async throws {
    let crash = Gate()
    let handler = FakeAsyncCommand { [log] context in
      let event = try context.require(.lifecycleEvent)
      log.add("\(event.name) \(context.launch.payload ?? "")")
    }
    let configuration = LifecycleHost.Configuration()
    for event in [EventName.serviceReady, .serviceRestarted] {
      configuration.mediator.on(event) { [log] event in
        log.add("\(event.name) \(event.service?.reason ?? "-") \(event.service?.restarts ?? -1)")
      }
    }
    let host = LifecycleHost(
      try plan([service(failures: 1, after: crash)], [.serviceRestarted: handler]),
      configuration: configuration)
    #expect(await host.receive(launch).succeeded)
    await lines(1)
    crash.open()
    await lines(4)
    await host.receive(.willTerminate)
    #expect(
      log.all == [
        "serviceReady - 0",
        #"serviceRestarted {"id":"web","reason":"failed: out of paper","restarts":1}"#,
        "serviceRestarted failed: out of paper 1", "serviceReady failed: out of paper 1",
      ])
  }

  @Test(
    "Events that come during the launch are handled after it, and not at all if it fails",
    arguments: [false, true])
  func duringLaunch(fails: Bool) async throws {
    let crash = Gate()
    crash.open()
    let step = LaunchStep(
      FakeAsyncCommand { [log] _ in
        log.add("launch")
        if fails { throw Mishap() }
      }, id: "last")
    let handler = FakeAsyncCommand { [log] _ in log.add("handler") }
    let host = LifecycleHost(try plan([service(failures: 0), step], [.serviceReady: handler]))
    #expect(await host.receive(launch).succeeded == !fails)
    if !fails { await lines(2) }
    await host.receive(.willTerminate)
    #expect(log.all == (fails ? ["launch"] : ["launch", "handler"]))
  }

  @Test("A service that restarts in a loop adds no more than one waiting event of each kind")
  func storm() async throws {
    let (crash, isHandling, mayEnd, isOver) = (Gate(), Gate(), Gate(), Gate())
    let handler = FakeAsyncCommand { [log] context in
      log.add("restarted \(try context.require(.lifecycleEvent).service?.restarts ?? -1)")
      isHandling.open()
      await mayEnd.passed()
    }
    let failed = FakeAsyncCommand { [log] _ in
      log.add("failed")
      isOver.open()
    }
    let flaky = service(
      failures: .max, after: crash,
      restart: RestartPolicy(.onFailure, attempts: 20, backoff: .nanoseconds(1)))
    let host = LifecycleHost(
      try plan([flaky], [.serviceRestarted: handler, .serviceFailed: failed]))
    #expect(await host.receive(launch).succeeded)
    crash.open()
    await isHandling.passed()
    while host.services["web"] != .ended { await Task.yield() }
    mayEnd.open()
    await isOver.passed()
    await host.receive(.willTerminate)
    // The first restart is handled at once. Those meanwhile have become one event, with the latest number.
    #expect(log.all.count <= 3 && log.all.last == "failed", "\(log.all)")
    #expect(log.all.dropLast().last == "restarted 20", "\(log.all)")
  }

  @Test("A handler that fails does not change the service, and the end of the app sends no event")
  func failingHandler() async throws {
    let hasFailed = Gate()
    let failing = FakeAsyncCommand { _ in
      hasFailed.open()
      throw Mishap()
    }
    let stopped = FakeAsyncCommand { [log] _ in log.add("stopped") }
    let host = LifecycleHost(
      try plan([service(failures: 0)], [.serviceReady: failing, .serviceStopped: stopped]))
    #expect(await host.receive(launch).succeeded)
    await hasFailed.passed()
    #expect(host.services == ["web": .ready])
    await host.receive(.willTerminate)
    #expect(host.services == ["web": .stopped])
    #expect(log.all.isEmpty)
  }

  @Test("A service runner ends only after the handlers of the failure that ends it")
  func lastFailure() async throws {
    let crash = Gate()
    let handler = FakeAsyncCommand { [log] context in
      for _ in 0..<1000 { await Task.yield() }
      log.add(try context.require(.lifecycleEvent).service?.reason ?? "-")
    }
    let active = FakeAsyncCommand { _ in crash.open() }
    let runner = try ServiceRunner(
      try plan(
        [service(failures: .max, after: crash, onExit: .fail, restart: nil)],
        [.serviceFailed: handler, .didBecomeActive: active]))
    let error = await #expect(throws: ServiceFailed.self) { try await runner.run() }
    #expect(log.all == ["failed: out of paper"])
    #expect(error?.record.events.last?.record.succeeded == true)
  }

  @Test("A service that returns and is ignored sends serviceStopped, and not serviceFailed")
  func success() async throws {
    let mayReturn = Gate()
    let brief = FakeService(onExit: .ignore) { service in
      service.markReady()
      await mayReturn.passed()
    }
    let host = LifecycleHost(
      try plan(
        [LaunchStep(brief, id: "brief")],
        [
          .serviceStopped: FakeAsyncCommand { [log] _ in log.add("stopped") },
          .serviceFailed: FakeAsyncCommand { [log] _ in log.add("failed") },
        ]))
    #expect(await host.receive(launch).succeeded)
    mayReturn.open()
    await lines(1)
    await host.receive(.willTerminate)
    #expect(log.all == ["stopped"])
  }
}
