import AppBoot
import AppBootCommands
import AppBootTestKit
import AppBootTestSupport
import Testing

extension ContextKey where Value == Int {
  fileprivate static var port: Self { Self("port") }
}

/// A service that provides its port, and serves until it is shut down.
private struct Server: ServiceCommand {
  static let options = CommandOptions(provides: .port)
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
    let plan = LaunchPlan(sequence: [FakeCommand { [log] _ in log.add("ran") }, Server(log)])
    let error = await #expect(throws: LaunchFailed.self) { try await plan.launch() }
    #expect(
      error?.description
        == "the launch was cancelled: \"Server\" is a service, which this launch cannot keep: run the plan with "
        + "ServiceRunner, LifecycleHost or CommandLineTool")
    #expect(log.all.isEmpty)
  }

  @Test("A runner of services passes the values of the launch to a function while the services stay")
  func values() async throws {
    let runner = try ServiceRunner(LaunchPlan(sequence: [Server(log)]))
    let record = try await runner.run { launch in
      log.add("\(try launch.require(.port))")
      runner.shutDown()
    }
    #expect(record.succeeded)
    #expect(log.all == ["8080", "shut down"])
  }

  @Test("An error of the function that receives the values shuts the services down")
  func refusal() async throws {
    let runner = try ServiceRunner(LaunchPlan(sequence: [Server(log)]))
    await #expect(throws: Mishap.self) { try await runner.run { _ in throw Mishap() } }
    #expect(log.all == ["shut down"])
  }

  @Test("A shutdown cancels the function that receives the values")
  func cancellation() async throws {
    let runner = try ServiceRunner(LaunchPlan(sequence: [Server(log)]))
    let record = try await runner.run { _ in
      runner.shutDown()
      try? await untilCancelled()
      log.add(Task.isCancelled ? "cancelled" : "returned")
    }
    #expect(record.succeeded)
    #expect(log.all == ["cancelled", "shut down"])
  }

  @Test("A launch that rolls back shuts a service down in its turn")
  func rollback() async throws {
    let undone = { [log] (id: String) in
      LaunchStep(FakeCommand({ _ in }, undo: { _ in log.add(id) }), id: id)
    }
    var failing = LaunchStep(FakeCommand { _ in throw Mishap() }, id: "fail")
    failing.onFailure = .rollback
    let steps = [undone("before"), LaunchStep(Server(log), id: "server"), undone("after"), failing]
    let runner = try ServiceRunner(LaunchPlan(steps: steps.map { ($0, nil) }))
    await #expect(throws: (any Error).self) { try await runner.run() }
    #expect(log.all == ["after", "shut down", "before"])
  }

  @Test("A launch that rolls back stops the process of a service in its turn")
  func rollbackOfProcess() async throws {
    let undone = { [log] (id: String) in
      LaunchStep(FakeCommand({ _ in }, undo: { _ in log.add(id) }), id: id)
    }
    let script = "trap 'echo stopped; exit' TERM; echo ready; while :; do sleep 0.01; done"
    let server = LaunchStep(RunService("sh", ["-c", script], ready: .output("ready")), id: "server")
    var failing = LaunchStep(FakeCommand { _ in throw Mishap() }, id: "fail")
    failing.onFailure = .rollback
    var configuration = LaunchRunner.Configuration()
    configuration.observers = [StopLog(log: log)]
    let steps = [undone("before"), server, undone("after"), failing]
    let plan = try LaunchPlan(steps: steps.map { ($0, nil) })
    let runner = try ServiceRunner(plan, configuration: configuration)
    await #expect(throws: (any Error).self) { try await runner.run() }
    #expect(log.all == ["after", "stopped", "before"])
  }

  /// An observer that logs the line that the process prints when it stops.
  private struct StopLog: LaunchObserver {
    let log: Log

    func observe(_ event: LaunchEvent, in outline: LaunchOutline) {
      if case .output(let output) = event.kind, output.line == "stopped" { log.add("stopped") }
    }
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
