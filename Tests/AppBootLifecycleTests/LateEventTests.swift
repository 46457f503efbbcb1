import AppBoot
import AppBootLifecycle
import AppBootSystem
import AppBootTestKit
import Testing
import AppBootTestSupport

private final class Names: LifecycleListener {
  let log = Log()
  func receive(_ event: LifecycleEvent) { log.add(event.name) }
}

@Suite("An event that a command emits after its launch")
struct LateEventTests {
  private let names = Names()
  private let context = Lock<LaunchContext?>(nil)

  private func host() -> LifecycleHost {
    let command = FakeCommand { [context] found in context.withLock { $0 = found } }
    let configuration = LifecycleHost.Configuration()
    configuration.mediator.subscribe(names, holding: .strong)
    return LifecycleHost(LaunchPlan(sequence: [command]), configuration: configuration)
  }

  @Test("The host sends a late event to its listeners")
  func handled() throws {
    let host = host()
    host.receive(.didFinishLaunching(LaunchOptions())) { _ in }
    try context.withLock { $0 }?.emit("consentGranted")
    #expect(names.log.all == ["didFinishLaunching", "consentGranted"])
  }

  @Test("The first screen is reported once, also by a late event")
  func firstScreen() throws {
    let host = host()
    host.receive(.didFinishLaunching(LaunchOptions())) { _ in }
    for _ in 1...2 { try context.withLock { $0 }?.emit("didShowFirstScreen", payload: "list") }
    #expect(names.log.all == ["didFinishLaunching", "didShowFirstScreen"])
  }

  @Test("A late event with a payload that is not valid is reported to the store")
  func invalid() throws {
    let host = host()
    host.receive(.didFinishLaunching(LaunchOptions())) { _ in }
    try context.withLock { $0 }?.emit("openURL", payload: "not a url")
    #expect(names.log.all == ["didFinishLaunching"])
    #expect(host.state.lastFailure?.source == "openURL")
  }

  @Test("A late event is an error if the host has ended or is gone", arguments: [false, true])
  func ended(isGone: Bool) throws {
    var host: LifecycleHost? = host()
    host?.receive(.didFinishLaunching(LaunchOptions())) { _ in }
    if isGone { host = nil } else { host?.end() }
    let found = context.withLock { $0 }
    let late = try #require(found)
    #expect(throws: EmitError.hostEnded(event: "consentGranted")) { try late.emit("consentGranted") }
    withExtendedLifetime(host) {}
  }
}
