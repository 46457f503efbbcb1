import AppBoot
import AppBootCommands
import AppBootTestKit
import Testing

extension ContextKey where Value == Int {
  fileprivate static var port: Self { Self("port") }
}

/// A service that provides its port, and serves until it is shut down.
private struct Server: ServiceCommand {
  static let provides = ContextKeys(.port)
  @Parameter("The port.") var port = 8080
  let log: Log

  init(_ log: Log) { self.log = log }

  func run(in service: RunningService) async throws {
    service.context.provide(port, for: .port)
    service.markReady()
    try await service.untilShutdown()
    log.add("shut down")
  }
}

@Suite("A launch with a service")
struct ServiceLaunchTests {
  private let log = Log()

  @Test("A plan with a service is rejected before the first step if nothing keeps the service")
  func rejected() async throws {
    let plan = StartupPlan(sequence: [FakeCommand { [log] _ in log.add("ran") }, Server(log)])
    let error = await #expect(throws: LaunchFailed.self) { try await plan.launch() }
    #expect(
      error?.description
        == "the launch was cancelled: \"Server\" is a service, which this launch cannot keep: run the plan with "
        + "ServiceRunner, LifecycleHost or CommandLineTool")
    #expect(log.all.isEmpty)
  }

  @Test("A runner of services passes the values of the launch to a function while the services stay")
  func values() async throws {
    let runner = try ServiceRunner(StartupPlan(sequence: [Server(log)]))
    let record = try await runner.run { launch in
      log.add("\(try launch.require(.port))")
      runner.shutDown()
    }
    #expect(record.succeeded)
    #expect(log.all == ["8080", "shut down"])
  }

  @Test("An error of the function that receives the values shuts the services down")
  func refusal() async throws {
    let runner = try ServiceRunner(StartupPlan(sequence: [Server(log)]))
    await #expect(throws: Mishap.self) { try await runner.run { _ in throw Mishap() } }
    #expect(log.all == ["shut down"])
  }

  @Test("A shutdown cancels the function that receives the values")
  func cancellation() async throws {
    let runner = try ServiceRunner(StartupPlan(sequence: [Server(log)]))
    let record = try await runner.run { _ in
      runner.shutDown()
      try? await untilCancelled()
      log.add(Task.isCancelled ? "cancelled" : "returned")
    }
    #expect(record.succeeded)
    #expect(log.all == ["cancelled", "shut down"])
  }

  @Test("A test of a service uses it while it is ready, and then shuts it down")
  func tester() async throws {
    let result = await CommandTester(Server(log)).run {
      #expect(runningServices == 1)
      log.add("used")
    }
    #expect(result.failure == nil)
    #expect(result.value(for: .port) == 8080)
    #expect(log.all == ["used", "shut down"])
  }

  /// The number of services that have not logged their end.
  private var runningServices: Int { log.all.contains("shut down") ? 0 : 1 }

  @Test("A test of a service that fails before it is ready has its failure")
  func failure() async {
    struct Broken: ServiceCommand {
      func run(in service: RunningService) async throws { throw Mishap() }
    }
    let result = await CommandTester(Broken()).run()
    #expect(result.failure?.message.contains("out of paper") == true)
  }
}
