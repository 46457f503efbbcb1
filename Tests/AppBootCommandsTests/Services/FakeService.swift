import AppBoot
import AppBootCommands
import AppBootSystem
import AppBootTestSupport

/// A service that runs a closure.
struct FakeService: ServiceCommand {
  var onExit = ServiceExitRule.fail
  var restart: RestartPolicy?
  /// The grace period for shutdown. It is long, because a task may have to wait for the tests that run before it.
  var shutdownGrace = Duration.seconds(600)
  let body: @Sendable (RunningService) async throws -> Void
  var serviceOptions: ServiceOptions {
    ServiceOptions(restart: restart, shutdownGrace: shutdownGrace, onExit: onExit)
  }

  func run(in service: RunningService) async throws { try await body(service) }
}

extension FakeService {
  /// Returns a service that is ready at once, and logs its id at its shutdown.
  static func logging(_ id: String, in log: Log) -> LaunchStep {
    LaunchStep(
      FakeService { service in
        service.markReady()
        try await service.untilShutdown()
        log.add(id)
      }, id: id)
  }
}

extension FakeService {
  /// Returns a service that ends soon, and logs whether it was asked to shut down before.
  static func ending(_ id: String, in log: Log) -> LaunchStep {
    LaunchStep(
      FakeService(onExit: .ignore) { service in
        service.markReady()
        for _ in 0..<1000 { await Task.yield() }
        log.add(service.isShuttingDown ? "\(id) was shut down" : "\(id) ended")
      }, id: id)
  }
}

/// A service that fails after `crash` opens, and an event handler that runs until `mayEnd` opens.
struct FailureDuringHandlers {
  let isHandling = Gate()
  let mayEnd = Gate()
  let crash = Gate()

  func service(restart: RestartPolicy? = nil) -> LaunchStep {
    LaunchStep(
      FakeService(restart: restart) { service in
        service.markReady()
        await crash.passed()
        throw Mishap()
      }, id: "brief")
  }

  var handler: LaunchStep {
    LaunchStep(
      FakeAsyncCommand { _ in
        isHandling.open()
        await mayEnd.passed()
      }, id: "handler")
  }
}

extension LaunchRunner.Configuration {
  /// A configuration for tasks that need more than the default grace period to end, on a busy machine.
  static var patient: Self {
    var configuration = Self()
    configuration.grace = .seconds(60)
    return configuration
  }
}

/// An observer that opens a gate when a step or a service writes output.
struct OutputGate: LaunchObserver {
  let gate: Gate

  func observe(_ event: LaunchEvent, in outline: LaunchOutline) {
    if case .output = event.kind { gate.open() }
  }
}

/// An observer that opens a gate when the plan with a name has run.
struct EndGate: LaunchObserver {
  let plan: String
  let gate: Gate

  func observe(_ event: LaunchEvent, in outline: LaunchOutline) {
    if case .launchEnded = event.kind, outline.name == plan { gate.open() }
  }
}
