import AppBoot
import AppBootTestKit
import AppBootTestSupport
import AppBootSystem
import Testing

@testable import AppBootLifecycle

/// A command that shows the screen of a launch, as `InitialScreen` does.
private struct ShowScreen: Command {
  static let options = CommandOptions(lane: .main)
  init() {}
  func execute(in context: LaunchContext) throws {
    let name = context.launch.url ?? context.launch.reason.rawValue
    try context.window?.show(screen(name))
    try context.emit(EventName.didShowFirstScreen.name, payload: name)
  }
}

/// A command that shows a screen and emits nothing, as the code of an app does.
private struct ShowOnly: Command {
  static let options = CommandOptions(lane: .main)
  init() {}
  func execute(in context: LaunchContext) throws { try context.window?.show(screen("code")) }
}

private struct EmitToken: Command {
  init() {}
  func execute(in context: LaunchContext) throws {
    try context.emit(EventName.didRegisterForRemoteNotifications.name, payload: "0aff")
    try context.emit("consentGranted", payload: "yes")
  }
}

private struct EmitRequests: Command {
  init() {}
  func execute(in context: LaunchContext) throws {
    try context.emit(EventName.openURL.name, payload: "notes://7")
    try context.emit(EventName.performQuickAction.name, payload: #"{"type":"new"}"#)
  }
}

private struct EmitCart: Command {
  init() {}
  func execute(in context: LaunchContext) throws { try context.emit("cartOpened", payload: "3") }
}

/// A command that emits its own event again, `left` times.
private struct EmitAgain: Command {
  static let left = Lock(0)
  init() {}
  func execute(in context: LaunchContext) throws {
    let continues = Self.left.withLock { left in
      left -= 1
      return left >= 0
    }
    if continues { try context.emit("consentGranted") }
  }
}

private struct Decline: Command {
  init() {}
  func execute(in context: LaunchContext) { context.decline() }
}

private struct EmitWrongly: Command {
  init() {}
  func execute(in context: LaunchContext) throws { try context.emit("openURL", payload: "not a url") }
}

private struct Fail: Command {
  init() {}
  func execute(in context: LaunchContext) throws { throw Mishap() }
}

private final class Names: LifecycleListener {
  let log = Log()
  private let interruption = Lock<(name: String, body: @Sendable () -> Void)?>(nil)

  /// Runs a closure during the first event with a name.
  func during(_ name: String, _ body: @escaping @Sendable () -> Void) {
    interruption.withLock { $0 = (name, body) }
  }

  func receive(_ event: LifecycleEvent) {
    log.add(event.scene.map { "\(event.name) \($0)" } ?? event.name)
    let body = interruption.withLock { interruption -> (@Sendable () -> Void)? in
      guard let found = interruption, found.name == event.name else { return nil }
      interruption = nil
      return found.body
    }
    body?()
  }
}

private struct Opener: LifecycleResponder {
  func respond(to event: LifecycleEvent, _ reply: LifecycleReply) {
    guard case .openURL(let request) = event else { return reply.decline() }
    reply.answer(.bool(request.url.hasPrefix("notes:")))
  }
}

@Suite("A lifecycle host")
struct LifecycleHostTests {
  private let window = FakeWindow()
  private let names = Names()
  private let outcomes = Outcomes()

  private final class Outcomes: Sendable {
    private let all = Lock<[LifecycleOutcome]>([])
    func add(_ outcome: LifecycleOutcome) { all.withLock { $0.append(outcome) } }
    var last: LifecycleOutcome? { all.withLock { $0.last } }
    var refused: [String] { all.withLock { $0.filter { $0.refusal != nil }.map(\.event.name) } }
  }

  private func host(
    _ manifest: String, windows: [SceneID: FakeWindow] = [:], hasWindow: Bool = true,
    responders: [any LifecycleResponder] = [], makeWindow: (@Sendable () -> FakeWindow?)? = nil
  ) throws -> LifecycleHost {
    var registry = CommandRegistry(
      ShowScreen.self, EmitToken.self, EmitRequests.self, EmitAgain.self, EmitCart.self, Decline.self,
      EmitWrongly.self, Fail.self, ShowOnly.self)
    registry.declare(EventName("consentGranted"))
    registry.declare(EventName("cartOpened", of: .scene))
    let source = SourceText(name: "commands.json", text: manifest)
    var builder = StartupCommandsBuilder(manifest: try Manifest(parsing: source), registry: registry)
    if hasWindow { builder = builder.window(window) }
    var configuration = LifecycleHost.Configuration()
    configuration.mediator.subscribe(names, holding: .strong)
    configuration.responders = responders
    configuration.window = { makeWindow?() ?? windows[$0] }
    return LifecycleHost(try builder.build(), configuration: configuration)
  }

  private func receive(_ event: LifecycleEvent, _ host: LifecycleHost) -> LifecycleOutcome? {
    host.receive(event) { [outcomes] in outcomes.add($0) }
    return outcomes.last
  }

  private let launch = LifecycleEvent.didFinishLaunching(LaunchOptions())

  @Test(
    "The launch of a host returns the values of its commands, also the second time, and a failed one throws")
  func launched() async throws {
    let plan = try LaunchPlan { Step("count", providing: ContextKey<Int>("count")) { _ in 3 } }
    let host = LifecycleHost(plan)
    for _ in 1...2 { #expect(try await host.launch().require(ContextKey<Int>("count")) == 3) }
    #expect(host.value(for: ContextKey<Int>("count")) == 3)
    #expect(host.value(for: ContextKey<Int>("other")) == nil)
    let failing = LifecycleHost(LaunchPlan(sequence: [FakeCommand { _ in throw Mishap() }]))
    let error = await #expect(throws: LaunchFailed.self) { try await failing.launch() }
    #expect(error?.record.succeeded == false)
    let ended = LifecycleHost(plan)
    ended.end()
    await #expect(throws: LaunchFailed.self) { try await ended.launch() }
  }

  @Test("A stream of events has the events with its name, and ends with the host")
  func stream() async throws {
    let host = try host(#"{"version":1,"commands":["ShowScreen"]}"#)
    let events = host.events(.openURL)
    await host.receive(launch)
    await host.receive(.openURL("notes://7"))
    await host.receive(.didBecomeActive)
    host.end()
    var found: [LifecycleEvent] = []
    for await event in events { found.append(event) }
    #expect(found == [.openURL("notes://7")])
    for await event in host.events(.openURL) { Issue.record("\(event) after the end") }
  }

  @Test("A host forgets a stream of events whose reader has stopped")
  func stoppedStream() async throws {
    let host = LifecycleHost(LaunchPlan(sequence: [FakeCommand()]))
    let reader = Task { for await _ in host.events(.openURL) {} }
    reader.cancel()
    await reader.value
    #expect(host.streams.withLock(\.isEmpty))
  }

  @Test("An event runs its handlers, then the listeners, then the responders")
  func event() throws {
    let host = try host(#"{"version":1,"commands":["ShowScreen"],"on":{"openURL":["ShowScreen"]}}"#)
    #expect(receive(launch, host)?.record?.succeeded == true)
    #expect(host.state.phase == .inactive)
    let outcome = receive(.openURL("notes://7"), host)
    #expect(outcome?.response.answer == .bool(true))
    #expect(outcome?.succeeded == true)
    #expect(window.shown == ["normal", "notes://7"])
    #expect(host.coordinator?.flow.layers.count == 1)
    #expect(host.state.screens == ["normal", "notes://7"])
    #expect(names.log.all == ["didFinishLaunching", "didShowFirstScreen", "openURL"])
  }

  @Test(
    "A duplicate event does not show its screen again, but reaches all listeners")
  func duplicateScreen() throws {
    let host = try host(
      #"{"version":1,"commands":["ShowScreen"],"on":{"openURL":["ShowScreen","EmitToken"]}}"#)
    _ = receive(.didFinishLaunching(LaunchOptions(url: "notes://7")), host)
    host.receive(.openURL("notes://7"), isDuplicate: true) { [outcomes] in outcomes.add($0) }
    #expect(outcomes.last?.record?.succeeded == true && outcomes.last?.response.answer == .bool(true))
    #expect(window.shown == ["notes://7"])
    #expect(names.log.all.contains("openURL") && names.log.all.contains("consentGranted"))
    host.receive(.openURL("notes://8"), isDuplicate: true)
    #expect(window.shown == ["notes://7", "notes://8"])
  }

  @Test("A background launch ends in the background phase")
  func backgroundLaunch() throws {
    let host = try host(#"{"version":1,"commands":["ShowScreen"]}"#)
    _ = receive(.didFinishLaunching(LaunchOptions(reason: .background)), host)
    #expect(host.state.phase == .background)
  }

  @Test("A process launches only once")
  func once() throws {
    let host = try host(#"{"version":1,"commands":["ShowScreen"]}"#)
    _ = receive(launch, host)
    let again = receive(launch, host)
    #expect(again?.refusal?.description == "the app has already launched")
    #expect(again?.succeeded == false)
    #expect(window.shown == ["normal"])
  }

  @Test("Each scene has its own first screen without running the launch again")
  func scenes() throws {
    let (left, right) = (FakeWindow(), FakeWindow())
    let host = try host(
      #"{"version":1,"commands":["EmitToken"],"on":{"sceneWillConnect":["ShowScreen"],"openURL":["ShowScreen"]}}"#,
      windows: ["left": left, "right": right], hasWindow: false)
    _ = receive(launch, host)
    _ = receive(.sceneWillConnect("left"), host)
    _ = receive(.sceneWillConnect(SceneConnection("right", options: LaunchOptions(url: "notes://7"))), host)
    _ = receive(.openURL(OpenURLRequest("notes://8", scene: "right")), host)
    #expect(left.shown == ["normal"])
    #expect(right.shown == ["notes://7", "notes://8"])
    #expect(
      host["right"]?.coordinator?.flow.layers.map { $0.map(\.screen.name) } == [["notes://7", "notes://8"]])
    #expect(names.log.all.count { $0 == "didRegisterForRemoteNotifications" } == 1)
    #expect(names.log.all.count { $0 == "didShowFirstScreen" } == 1)
    #expect(host.state.scenes["right"]?.screens == ["notes://7", "notes://8"])
  }

  @Test("Scenes have separate values")
  func values() throws {
    let host = try host(#"{"version":1,"commands":[]}"#)
    _ = receive(launch, host)
    for scene: SceneID in ["left", "right"] { _ = receive(.sceneWillConnect(SceneConnection(scene)), host) }
    let key = ContextKey<Int>("note")
    host["left"]?.provide(7, for: key)
    #expect(host["left"]?.value(for: key) == 7)
    #expect(host["right"]?.value(for: key) == nil)
    #expect(host["left"]?.value(for: ContextKey<String>("note")) == nil)
  }

  @Test("Scenes wait for the launch")
  func waiting() throws {
    let host = try host(#"{"version":1,"commands":[]}"#)
    host.receive(.sceneWillConnect("left")) { _ in }
    host.receive(.sceneDidBecomeActive("left")) { _ in }
    #expect(names.log.all == [])
    host.receive(launch) { _ in }
    #expect(names.log.all == ["didFinishLaunching", "sceneWillConnect left", "sceneDidBecomeActive left"])
    #expect(host["left"]?.phase == .active)
    #expect(host.state.scenes["left"]?.phase == .active)
  }

  @Test("Events of unknown scenes and second connections are refused")
  func refusals() throws {
    let host = try host(#"{"version":1,"commands":[]}"#)
    _ = receive(launch, host)
    #expect(
      receive(.sceneDidBecomeActive("left"), host)?.refusal?.description
        == "no scene \"left\" is connected; no scenes are connected")
    _ = receive(.sceneWillConnect("left"), host)
    #expect(
      receive(.sceneDidBecomeActive("lift"), host)?.refusal?.description
        == "no scene \"lift\" is connected: did you mean \"left\"?")
    #expect(receive(.sceneWillConnect("left"), host)?.refusal == .alreadyConnected("left"))
    #expect(receive(.sceneDidDisconnect("left"), host)?.refusal == nil)
    #expect(host.scenes.isEmpty)
    #expect(receive(.sceneWillConnect("left"), host)?.refusal == nil)
  }

  @Test("A scene that reconnects during an event begins after the earlier events")
  func reconnection() throws {
    let host = try host(#"{"version":1,"commands":[]}"#)
    _ = receive(launch, host)
    _ = receive(.sceneWillConnect("left"), host)
    let first = host["left"]
    names.during("sceneDidBecomeActive") { [names, outcomes] in
      names.during("sceneDidDisconnect") {
        #expect(host["left"] === first, "the disconnecting scene exists during its last event")
      }
      for _ in 0..<2 {
        host.receive(.sceneDidDisconnect("left")) { outcomes.add($0) }
        host.receive(.sceneDidEnterBackground("left")) { outcomes.add($0) }
        host.receive(.sceneWillConnect("left")) { outcomes.add($0) }
      }
      host.receive(.sceneWillEnterForeground("left")) { outcomes.add($0) }
    }
    host.receive(.sceneDidBecomeActive("left")) { _ in }
    #expect(
      names.log.all.dropFirst(2) == [
        "sceneDidBecomeActive left", "sceneDidDisconnect left", "sceneWillConnect left",
        "sceneDidDisconnect left",
        "sceneWillConnect left", "sceneWillEnterForeground left",
      ])
    #expect(outcomes.refused == ["sceneDidEnterBackground", "sceneDidEnterBackground"])
    #expect(host["left"] !== first)
    #expect(host["left"]?.phase == .inactive)
    #expect(host.state.scenes["left"]?.phase == .inactive)
  }

  @Test("An emitted event stays in its session, even if the scene has reconnected")
  func emittedBefore() throws {
    let (first, second) = (FakeWindow(), FakeWindow())
    let windows = Lock([first, second])
    let host = try host(
      #"{"version":1,"commands":[],"on":{"performQuickAction":["EmitRequests"],"openURL":["ShowScreen"]}}"#,
      makeWindow: { windows.withLock { $0.isEmpty ? nil : $0.removeFirst() } })
    _ = receive(launch, host)
    _ = receive(.sceneWillConnect("left"), host)
    names.during("performQuickAction") {
      host.receive(.sceneDidDisconnect("left")) { _ in }
      host.receive(.sceneWillConnect("left")) { _ in }
    }
    host.receive(.performQuickAction(QuickAction("new", scene: "left"))) { _ in }
    #expect(second.shown.isEmpty)
  }

  @Test("A scene that reconnects before the launch waits for it")
  func earlyReconnection() throws {
    let host = try host(#"{"version":1,"commands":[]}"#)
    host.receive(.sceneWillConnect("left")) { _ in }
    host.receive(.sceneDidDisconnect("left")) { _ in }
    host.receive(.sceneWillConnect("left")) { _ in }
    #expect(names.log.all == [])
    host.receive(launch) { _ in }
    #expect(
      names.log.all
        == [
          "didFinishLaunching", "sceneWillConnect left", "sceneDidDisconnect left", "sceneWillConnect left",
        ])
    #expect(host.scenes.map(\.id) == ["left"])
  }

  @Test("Emitted events are handled after the current event")
  func emitted() throws {
    let host = try host(#"{"version":1,"commands":["EmitToken"],"on":{"consentGranted":["ShowScreen"]}}"#)
    _ = receive(launch, host)
    #expect(
      names.log.all
        == [
          "didFinishLaunching", "didRegisterForRemoteNotifications", "consentGranted", "didShowFirstScreen",
        ])
    #expect(host.state.token == "0aff")
    #expect(window.shown == ["normal"])
  }

  @Test("A thousand consecutive emitting runs are reported as a possible loop and continue")
  func endlessLoop() throws {
    let host = try host(#"{"version":1,"commands":[],"on":{"consentGranted":["EmitAgain"]}}"#)
    _ = receive(launch, host)
    EmitAgain.left.withLock { $0 = 999 }
    _ = receive(.custom("consentGranted"), host)
    #expect(host.state.lastFailure == nil)
    EmitAgain.left.withLock { $0 = 1005 }
    _ = receive(.custom("consentGranted"), host)
    #expect(host.state.lastFailure?.source == "consentGranted")
    #expect(
      host.state.lastFailure?.message.hasPrefix("1000 consecutive runs of event handlers emitted events")
        == true)
    #expect(names.log.all.count == 1 + 1000 + 1006)
  }

  @Test("The answers of handlers and responders are merged")
  func answers() throws {
    let host = try host(
      #"{"version":1,"commands":[],"on":{"didReceiveRemoteNotification":["Fail"],"performQuickAction":["Fail"]}}"#,
      responders: [Opener()])
    #expect(receive(launch, host)?.response.answer == .bool(true))
    #expect(receive(.openURL("notes://7"), host)?.response.answer == .bool(true))
    #expect(receive(.openURL("other://7"), host)?.response.answer == .bool(false))
    #expect(receive(.performQuickAction("new"), host)?.response.answer == .bool(false))
    let fetch = receive(.didReceiveRemoteNotification(payload: "{}"), host)
    #expect(fetch?.response.answer == .fetch(.failed))
    #expect(fetch?.succeeded == false)
    #expect(host.state.lastFailure == LaunchState.Failure(source: "Fail", message: "out of paper"))
  }

  @Test("A subscriber to the host's state receives its changes until the subscription is cancelled")
  func subscription() throws {
    let (host, log) = (try host(#"{"version":1,"commands":[]}"#), Log())
    let subscription = host.subscribe(to: \.phase) { log.add($0.rawValue) }
    host.receive(launch) { _ in }
    host.receive(.didBecomeActive) { _ in }
    subscription.cancel()
    host.receive(.didEnterBackground) { _ in }
    #expect(log.all == ["notLaunched", "launching", "inactive", "active"])
  }

  @Test("An outcome is written as JSON for the sender of the event")
  func json() throws {
    let host = try host(
      #"{"version":1,"commands":[],"on":{"performQuickAction":["Fail"]}}"#, responders: [Opener()])
    _ = receive(launch, host)
    #expect(
      receive(.performQuickAction("new"), host)?.json
        == #"{"event":"performQuickAction","succeeded":false,"answer":false,"commands":"failed","listeners":1,"#
        + #""failures":["Fail failed: out of paper"],"problems":[]}"#)
    #expect(
      receive(.willPresentNotification(payload: "{}"), host)?.json
        == #"{"event":"willPresentNotification","succeeded":true,"answer":[],"listeners":1,"#
        + #""failures":[],"problems":[]}"#)
    #expect(
      receive(.sceneDidBecomeActive("left"), host)?.json
        == #"{"event":"sceneDidBecomeActive","scene":"left","succeeded":false,"#
        + #""refusal":"no scene \"left\" is connected; no scenes are connected"}"#)
  }

  @Test("A host handles its sources' events until it is deallocated")
  func sources() throws {
    let source = ManualEventSource()
    do {
      let host = try host(#"{"version":1,"commands":[]}"#)
      try host.attach(source)
      source.send(launch)
      source.send(.didBecomeActive)
      #expect(host.state.phase == .active)
    }
    #expect(!source.isStarted)
    #expect(names.log.all == ["didFinishLaunching", "didBecomeActive"])
  }

  @Test("didShowFirstScreen is handled when the window has drawn the screen")
  func firstFrame() throws {
    let (window, registry) = (RecordingWindow(drawsAtOnce: false), CommandRegistry(ShowScreen.self))
    let source = SourceText(name: "commands.json", text: #"{"version":1,"commands":["ShowScreen"]}"#)
    let plan = try StartupCommandsBuilder(manifest: Manifest(parsing: source), registry: registry)
      .window(window).build()
    let configuration = LifecycleHost.Configuration()
    configuration.mediator.subscribe(names, holding: .strong)
    let host = LifecycleHost(plan, configuration: configuration)
    #expect(receive(launch, host)?.succeeded == true)
    #expect(names.log.all == ["didFinishLaunching"])
    window.drawFrame()
    #expect(names.log.all == ["didFinishLaunching", "didShowFirstScreen"])
  }

  @Test("A screen that code shows is the first screen: its event follows once")
  func firstScreenOfCode() throws {
    let host = try host(
      #"{"version":1,"commands":["ShowOnly"],"on":{"didBecomeActive":["ShowScreen"]}}"#)
    _ = receive(launch, host)
    _ = receive(.didBecomeActive, host)
    #expect(names.log.all == ["didFinishLaunching", "didShowFirstScreen", "didBecomeActive"])
  }

  @Test("A screen that a scene's handler or a listener shows is the first screen")
  func firstScreenOfScene() throws {
    let host = try host(
      #"{"version":1,"commands":[],"on":{"sceneWillConnect":["ShowOnly"]}}"#, windows: ["left": FakeWindow()])
    _ = receive(launch, host)
    _ = receive(.sceneWillConnect("left"), host)
    #expect(names.log.all == ["didFinishLaunching", "sceneWillConnect left", "didShowFirstScreen"])
    let other = try self.host(#"{"version":1,"commands":[]}"#)
    names.during("didBecomeActive") { try? other.coordinator?.show(screen("listener")) }
    _ = receive(launch, other)
    _ = receive(.didBecomeActive, other)
    #expect(names.log.all.suffix(3) == ["didFinishLaunching", "didBecomeActive", "didShowFirstScreen"])
  }

  @Test("An outcome can be awaited")
  func awaiting() async throws {
    let host = try host(#"{"version":1,"commands":["ShowScreen"]}"#)
    #expect(await host.receive(launch).succeeded)
  }

  @Test("Events emitted in a scene belong to it, and a URL payload becomes a URL")
  func emittedInScene() throws {
    let host = try host(
      #"{"version":1,"commands":[],"on":{"sceneWillConnect":["EmitRequests"],"openURL":["ShowScreen"]}}"#,
      windows: ["left": FakeWindow()])
    _ = receive(launch, host)
    _ = receive(.sceneWillConnect("left"), host)
    #expect(
      names.log.all == [
        "didFinishLaunching", "sceneWillConnect left", "openURL left", "didShowFirstScreen",
        "performQuickAction left",
      ])
    #expect(host["left"]?.coordinator?.flow.visible?.name == "notes://7")
  }

  @Test("The failure of a scene's event from a command of the process says whether a scene is connected")
  func sceneEventWithoutScene() throws {
    let host = try host(
      #"{"version":1,"commands":["EmitCart"],"on":{"didBecomeActive":["EmitCart"]}}"#,
      windows: ["left": FakeWindow()])
    _ = receive(launch, host)
    #expect(host.state.lastFailure?.message.hasSuffix("and no scene is connected") == true)
    _ = receive(.sceneWillConnect("left"), host)
    _ = receive(.didBecomeActive, host)
    #expect(host.state.lastFailure?.message.hasSuffix("handles no event of a scene") == true)
  }

  @Test("A custom scene event stays in the scene that emitted it")
  func ownSceneEvent() throws {
    let left = FakeWindow()
    let host = try host(
      #"{"version":1,"commands":["EmitCart"],"on":{"sceneWillConnect":["EmitCart"],"cartOpened":["ShowScreen"]}}"#,
      windows: ["left": left])
    _ = receive(launch, host)
    let failure = host.state.lastFailure
    #expect(failure?.source == "cartOpened" && failure?.message.contains("was not handled") == true)
    #expect(window.shown == [])
    _ = receive(.sceneWillConnect("left"), host)
    #expect(left.shown == ["normal"] && window.shown == [])
    #expect(names.log.all.contains("cartOpened left") && !names.log.all.contains("cartOpened"))
    let unknown = receive(.custom(CustomEvent("cartOpened", scene: "right")), host)
    #expect(unknown?.refusal != nil)
  }

  @Test("The answer is false if every command declined")
  func declined() throws {
    let host = try host(
      #"{"version":1,"commands":[],"on":{"openURL":["Decline"],"performQuickAction":["Decline","ShowScreen"]}}"#
    )
    _ = receive(launch, host)
    let outcome = receive(.openURL("foo://bar"), host)
    #expect(outcome?.response.answer == .bool(false) && outcome?.record?.succeeded == true)
    #expect(outcome?.record?.first?.details.declined == true)
    #expect(receive(.performQuickAction("new"), host)?.response.answer == .bool(true))
  }

  @Test("An emitted event with an invalid payload is reported and not handled")
  func emittedWrongly() throws {
    let host = try host(#"{"version":1,"commands":["EmitWrongly"],"on":{"openURL":["ShowScreen"]}}"#)
    _ = receive(launch, host)
    #expect(names.log.all == ["didFinishLaunching"] && window.shown == [])
    #expect(host.state.lastFailure?.source == "openURL")
    #expect(host.state.lastFailure?.message.hasSuffix("and it was not handled: it is not valid here") == true)
  }

  @Test(
    "The answer is neutral if no handler runs",
    arguments: ["[]", #"[{"command":"ShowScreen","when":{"launch":"prewarm"}}]"#])
  func idleList(entries: String) throws {
    let host = try host(#"{"version":1,"commands":[],"on":{"performQuickAction":\#(entries)}}"#)
    _ = receive(launch, host)
    let outcome = receive(.performQuickAction("new"), host)
    #expect(outcome?.response.answer == .bool(false))
    #expect(outcome?.record?.succeeded == true)
  }

  @Test("After the end, queued, emitted and new events are refused")
  func ending() throws {
    let (loop, refused) = (MainLoop(), Lock<[String]>([]))
    var configuration = LifecycleHost.Configuration()
    configuration.executor = loop.execute
    configuration.mediator.subscribe(names, holding: .strong)
    let host = LifecycleHost(LaunchPlan(sequence: [EmitToken()]), configuration: configuration)
    let note: @Sendable (LifecycleOutcome) -> Void = { outcome in
      refused.withLock { $0.append("\(outcome.event.name): \(outcome.refusal?.description ?? "handled")") }
    }
    host.receive(launch) { outcome in
      note(outcome)
      host.end()
      loop.stop()
    }
    host.receive(.willTerminate, completion: note)
    loop.run()
    #expect(names.log.all == ["didFinishLaunching"])
    #expect(
      refused.withLock { $0 } == ["didFinishLaunching: handled", "willTerminate: the app is ending"])
  }

  @Test("A host with a main loop handles events on its thread")
  func loop() async throws {
    let (loop, done) = (MainLoop(), Gate())
    var configuration = LifecycleHost.Configuration()
    configuration.executor = loop.execute
    configuration.mediator.subscribe(names, holding: .strong)
    let host = LifecycleHost(LaunchPlan(sequence: []), configuration: configuration)
    host.receive(launch) { _ in }
    host.receive(.willTerminate) { _ in
      loop.stop()
      done.open()
    }
    #expect(names.log.all == [])
    loop.run()
    await done.passed()
    #expect(names.log.all == ["didFinishLaunching", "willTerminate"])
    #expect(host.state.phase == .terminating)
  }
}
