import AppBoot
import AppBootLifecycle
import AppBootSystem
import AppBootTestKit
import Testing
import AppBootTestSupport

@Suite("The runs of a lifecycle host")
struct LifecycleHostRunnerTests {
  @Test("The observers of the host's runner receive the events of the launch and of the handlers")
  func observers() throws {
    let source = SourceText(
      name: "commands.json", text: #"{"version":1,"commands":["Fake"],"on":{"openURL":["Fake"]}}"#)
    let plan = try StartupCommandsBuilder(
      manifest: try Manifest(parsing: source), registry: CommandRegistry(FakeCommand.self)
    ).build()
    let observer = RecordingObserver()
    var configuration = LifecycleHost.Configuration()
    configuration.runner.observers = [observer]
    let host = LifecycleHost(plan, configuration: configuration)
    host.receive(.didFinishLaunching(LaunchOptions())) { _ in }
    let launched = observer.events.count
    #expect(observer.events.map(\.kind).contains(.launchEnded(.succeeded)))
    host.receive(.openURL("notes://7")) { _ in }
    let handled = observer.events.dropFirst(launched).map(\.kind)
    #expect(handled.first == .launchStarted && handled.contains(.started(step: 0, attempt: 1)))
  }

  @Test(
    "A launch is not the first one if an earlier launch of a host has succeeded", arguments: [true, false])
  func firstLaunch(succeeds: Bool) async throws {
    let state = MemoryStateStore()
    let source = SourceText(
      name: "commands.json",
      text: #"{"version":1,"commands":[{"command":"Fake","when":{"firstLaunch":true}}]}"#)
    func launch(_ command: FakeCommand) async throws -> LaunchRecord? {
      var registry = CommandRegistry()
      registry.register(FakeCommand.self) { command }
      let plan = try StartupCommandsBuilder(manifest: Manifest(parsing: source), registry: registry)
        .state(state).build()
      let outcome = await LifecycleHost(plan).receive(.didFinishLaunching(LaunchOptions()))
      return outcome.record
    }
    let first = try await launch(FakeCommand { _ in if !succeeds { throw Mishap() } })
    #expect(first?.succeeded == succeeds)
    #expect(try await launch(FakeCommand())?["Fake"]?.state.name == (succeeds ? "skipped" : "succeeded"))
  }

  @Test("Only handlers whose time is over begin cancelled after the wait for an earlier event")
  func expiredInQueue() throws {
    let (log, host) = (Log(), Lock<LifecycleHost?>(nil))
    let (expired, other) = (EventExpiration(), EventExpiration())
    let outcomes = Lock<[LifecycleOutcome]>([])
    let task = LifecycleEvent.performBackgroundTask("refresh")
    var plan = LaunchPlan(sequence: [])
    let first = FakeCommand { _ in
      // The events wait for this handler, and are equal.
      for expiration in [expired, other] {
        host.withLock(\.self)?.receive(task, isDuplicate: false, expiration: expiration) { outcome in
          outcomes.withLock { $0.append(outcome) }
        }
      }
      expired.expire()
    }
    plan.events["didEnterBackground"] = try LaunchPlan(
      name: "didEnterBackground", steps: [(LaunchStep(first, id: "first"), nil)])
    let refresh = LaunchStep(FakeCommand { _ in log.add("refresh") }, id: "refresh")
    plan.events[task.name] = try LaunchPlan(name: task.name, steps: [(refresh, nil)])
    let made = LifecycleHost(plan)
    host.withLock { $0 = made }
    defer { host.withLock { $0 = nil } }
    made.receive(.didFinishLaunching(LaunchOptions())) { _ in }
    made.receive(.didEnterBackground) { _ in }
    #expect(log.all == ["refresh"])
    let records = outcomes.withLock(\.self).map(\.record)
    let reason = "the app's background time is over"
    #expect(records.map(\.?.cancellation) == [.requested(reason), nil])
    #expect(records.map { $0?["refresh"]?.state.name } == ["cancelled", "succeeded"])
    #expect(
      made.state.lastFailure
        == LaunchState.Failure(source: task.name, message: "its handlers were cancelled: \(reason)"))
  }
}
