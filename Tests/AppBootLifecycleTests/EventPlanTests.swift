import AppBootRecords
import AppBootSystem
import AppBootTestKit
import AppBootTestSupport
import Testing

@testable import AppBoot
@testable import AppBootLifecycle

private struct Mark: Command {
  init() {}
  func execute(in context: LaunchContext) { context.note(context.value(for: .mark) ?? "nothing") }
}

private struct Provide: Command {
  init() {}
  func execute(in context: LaunchContext) { context.provide(context.launch.url ?? "launch", for: .mark) }
}

/// A command that notes the text which the user typed.
private struct NoteText: Command {
  init() {}
  func execute(in context: LaunchContext) {
    guard case .didReceiveNotificationResponse(let response) = context.value(for: .lifecycleEvent) else {
      return context.note("no response")
    }
    context.note(response.text ?? "no text")
  }
}

extension ContextKey where Value == String {
  fileprivate static var mark: Self { Self("mark") }
  fileprivate static var unknown: Self { Self("unknown") }
}

@Suite("The plan of an event", .ownThread)
struct EventPlanTests {
  private func plan(_ text: String) throws -> LaunchPlan {
    let manifest = try Manifest(parsing: SourceText(name: "commands.json", text: text))
    return try StartupCommandsBuilder(
      manifest: manifest, registry: CommandRegistry(Mark.self, Provide.self, NoteText.self)
    ).environment([:]).build()
  }

  @Test("Conditions are evaluated for the event, not for the planned launch")
  func conditions() throws {
    let plan = try plan(
      #"{"commands":[{"command":"Mark","when":{"launch":"url"}}],"#
        + #""on":{"openURL":[{"command":"Mark","when":{"launch":"url"}},"#
        + #"{"command":"Mark","id":"never","when":{"environment":"UNSET"}}]}}"#)
    #expect(plan[0].skip == .condition("launch is normal, not url"))
    #expect(plan.events["openURL"]?[0].skip == nil)
    #expect(plan.events["openURL"]?[0].attributes.condition == .launch([.url]))
    let event = try #require(plan.plan(for: .openURL("a:b")))
    #expect(event.map(\.skip) == [nil, .condition("UNSET is not set")])
    let launch = try #require(plan.plan(for: .didFinishLaunching(LaunchOptions(url: "a:b"))))
    #expect(launch[0].skip == nil)
    #expect(launch.plan(for: .didFinishLaunching(LaunchOptions()))?[0].skip != nil)
  }

  @Test("Handlers find each event with all of its data, with and without a host")
  func event() throws {
    let plan = try plan(
      #"{"commands":["Mark"],"on":{"didReceiveNotificationResponse":["NoteText"],"openURL":["NoteText"]}}"#)
    let notes = Lock<[String?]>([])
    let host = LifecycleHost(plan)
    host.receive(.didFinishLaunching(LaunchOptions())) { _ in }
    let reply = LifecycleEvent.didReceiveNotificationResponse(NotificationResponse(text: "On my way"))
    for event in [reply, .openURL("a:b"), reply] {
      host.receive(event) { outcome in notes.withLock { $0.append(outcome.record?[0].details.note) } }
    }
    #expect(notes.withLock(\.self) == ["On my way", "no response", "On my way"])
    #expect(plan.plan(for: reply)?.runBlocking()[0].details.note == "On my way")
  }

  @Test("A handler can read the app's phase before its event")
  func previousPhase() async throws {
    let log = Log()
    let note = { @Sendable (context: LaunchContext) in
      log.add(context.value(for: .previousPhase)?.rawValue ?? "none")
    }
    let plan = try LaunchPlan {
      Step("launch") { context in note(context) }
      On(.didBecomeActive) { Step("active") { context in note(context) } }
    }
    let host = LifecycleHost(plan)
    await host.receive(.didFinishLaunching(LaunchOptions()))
    for event in [LifecycleEvent.didBecomeActive, .didEnterBackground, .didBecomeActive] {
      await host.receive(event)
    }
    #expect(log.all == ["none", "inactive", "background"])
    #expect(host.state.phase == .active)
  }

  @Test("A handler that requires the value of a step of the launch says how that step ended")
  func failedProvider() async throws {
    let plan = try LaunchPlan {
      Step("account", providing: .mark) { _ in throw Mishap() }.onFailure(.continue)
      On(.didBecomeActive) { Step("sync") { context in context.note(try context.require(.mark)) } }
      On(.didEnterBackground) { Step("save") { context in context.note(try context.require(.unknown)) } }
    }
    let host = LifecycleHost(plan)
    await host.receive(.didFinishLaunching(LaunchOptions()))
    let sync = await host.receive(.didBecomeActive).record?["sync"]?.state.failure?.message
    #expect(sync == #"the context has no value "mark": "account" failed"#)
    let save = await host.receive(.didEnterBackground).record?["save"]?.state.failure?.message
    #expect(save?.hasSuffix("no command of this launch declares that it provides one") == true)
  }

  @Test("Event handlers find the values of the launch and of their scene")
  func values() throws {
    let manifest =
      #"{"commands":["Provide"],"on":{"didEnterBackground":["Mark"],"#
      + #""sceneWillConnect":["Provide"],"openURL":["Mark"]}}"#
    let host = LifecycleHost(try plan(manifest))
    let notes = Lock<[String?]>([])
    let receive = { (event: LifecycleEvent) in
      host.receive(event) { outcome in
        notes.withLock { $0.append(outcome.record?["Mark"]?.details.note) }
      }
    }
    receive(.didFinishLaunching(LaunchOptions()))
    receive(.didEnterBackground)
    receive(.sceneWillConnect(SceneConnection("left", options: LaunchOptions(url: "left"))))
    receive(.openURL(OpenURLRequest("a:b", scene: "left")))
    receive(.didEnterBackground)
    #expect(notes.withLock { $0 } == [nil, "launch", nil, "left", "launch"])
    host["left"]?.provide("changed", for: .mark)
    receive(.openURL(OpenURLRequest("a:b", scene: "left")))
    #expect(notes.withLock { $0.last } == "changed")
    #expect(host["left"]?.value(for: .mark) == "changed")
  }

  @Test("The plan of an event inherits the launch's safe mode")
  func safeMode() throws {
    let plan = try plan(#"{"commands":["Provide"],"on":{"openURL":["Mark"]}}"#)
    #expect(plan.plan(for: .openURL("a:b"))?.safeMode == nil)
    let safe = plan.inSafeMode(SafeMode(culprits: ["Provide"], reason: "a test"))
    #expect(safe.plan(for: .openURL("a:b"))?.safeMode?.reason == "a test")
  }

  @Test("A plan that runs without a host finds no values")
  func alone() throws {
    let plan = try plan(#"{"commands":["Provide"],"on":{"openURL":["Mark"]}}"#)
    #expect(plan.runBlocking().succeeded)
    #expect(plan.plan(for: .openURL("a:b"))?.runBlocking()["Mark"]?.details.note == "nothing")
  }
}
