import AppBoot
import AppBootCommands
import AppBootLibC
import AppBootLifecycle
import AppBootSystem
import AppBootTestSupport
import Testing

@Suite("The signals of a runner of services", .ownProcess)
struct ServiceRunnerSignalTests {
  @Test("TERM shuts the services down and reaches the listeners of a default mediator")
  func mediator() async {
    await #expect(processExitsWith: .exitCode(42)) {
      let (log, hasListened) = (Log(), Gate())
      let mediator = try LifecycleMediator.makeDefaultMediator(listeners: [])
      mediator.on(.willTerminate) { _ in hasListened.open() }
      let service = FakeService { service in
        service.markReady()
        Signals.send(Signals.terminate, to: Host.processIdentifier)
        try await service.untilShutdown()
        log.add("shut down")
      }
      let plan = try LaunchPlan(steps: [(LaunchStep(service, id: "a"), nil)])
      _ = try await ServiceRunner(plan, handlesSignals: true).run()
      await hasListened.passed()
      exit(log.all == ["shut down"] ? 42 : 1)
    }
  }
}
