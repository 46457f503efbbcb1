import AppBoot
import AppBootLifecycle
import AppBootTestKit
import AppBootTestSupport
import Testing

@Suite("The state of a launch")
struct LaunchStateTests {
  private func phase(_ events: LifecycleEvent...) -> LaunchPhase {
    events.reduce(.notLaunched) { $0.after($1) }
  }

  @Test("The state contains the phase of the process")
  func phases() {
    let launch = LifecycleEvent.didFinishLaunching(LaunchOptions())
    #expect(phase(launch) == .launching)
    #expect(phase(launch, .didBecomeActive) == .active)
    #expect(phase(launch, .didBecomeActive, .willResignActive) == .inactive)
    #expect(phase(launch, .didEnterBackground, .openURL("a://")) == .background)
    #expect(phase(launch, .didEnterBackground, .willEnterForeground) == .inactive)
    #expect(phase(launch, .willTerminate, .didBecomeActive) == .terminating)
    #expect(phase(launch, .didBecomeActive, launch) == .active)
  }

  @Test("The state contains the phase of each scene")
  func scenes() {
    let store = LifecycleStore<LaunchState, LaunchAction>.launch()
    for scene: SceneID in ["left", "right"] {
      store.dispatch(.lifecycle(.sceneWillConnect(SceneConnection(scene))))
    }
    store.dispatch(.lifecycle(.sceneDidBecomeActive("left")))
    store.dispatch(.lifecycle(.sceneDidEnterBackground("unknown")))
    #expect(store.state.scenes.mapValues(\.phase) == ["left": .active, "right": .connecting])
    store.dispatch(.lifecycle(.sceneDidDisconnect("left")))
    #expect(store.state.scenes.keys.map(\.name) == ["right"])
  }

  @Test("The state is written as JSON with a shortened token")
  func json() {
    let store = LifecycleStore<LaunchState, LaunchAction>.launch()
    store.dispatch(.lifecycle(.didFinishLaunching(LaunchOptions())))
    store.dispatch(.launched(inBackground: false))
    store.dispatch(.screens(["Home"], scene: nil))
    store.dispatch(.lifecycle(.sceneWillConnect("left")))
    store.dispatch(.screens(["Home", "Note"], scene: "left"))
    store.dispatch(.lifecycle(.didRegisterForRemoteNotifications(token: [0x0A, 0xFF])))
    store.dispatch(.failed(LaunchState.Failure(source: "Badge", message: "out of paper")))
    #expect(
      store.state.json()
        == #"{"phase":"inactive","screens":["Home"],"#
        + #""scenes":{"left":{"phase":"connecting","screens":["Home","Note"]}},"token":"0aff","#
        + #""lastFailure":{"source":"Badge","message":"out of paper"},"events":3}"#)
  }

  @Test("The state contains the last failure of a run")
  func failure() throws {
    let store = LifecycleStore<LaunchState, LaunchAction>.launch()
    let failure = Failure(message: "out of paper", type: "Mishap")
    let observer = LaunchStateObserver(store)
    let plan = try LaunchPlan(name: "test", steps: [(LaunchStep(FakeCommand(), id: "print"), nil)])
    let record = LaunchRunner(plan).snapshot().record
    observer.observe(LaunchEvent(.ended(step: 0, state: .failed(failure)), at: 1), in: record, at: 1)
    #expect(store.state.lastFailure == LaunchState.Failure(source: "print", message: "out of paper"))
    observer.observe(LaunchEvent(.ended(step: 0, state: .succeeded), at: 2), in: record, at: 2)
    #expect(store.state.lastFailure != nil)
  }

  private func reason(_ change: (inout LaunchSource) -> Void) -> LaunchOptions {
    var source = LaunchSource()
    change(&source)
    return source.options
  }

  @Test("The reason of a launch follows from its source")
  func reasons() {
    #expect(reason { _ in }.reason == .normal)
    #expect(reason { $0.isBackground = true }.reason == .background)
    #expect(reason { $0.remoteNotification = "{}" } == LaunchOptions(reason: .background, payload: "{}"))
    #expect(reason { $0.request = "notes://7" } == LaunchOptions(reason: .url, url: "notes://7"))
    let opened = reason { $0.request = OpenURLRequest("notes://7", opensInPlace: true) }
    #expect(opened == LaunchOptions(url: "notes://7", payload: #"{"opensInPlace":true}"#))
    #expect(reason { $0.activity = UserActivity(url: "https://a.b") }.reason == .activity)
    #expect(
      reason {
        $0.quickAction = "new"
        $0.isBackground = true
      } == LaunchOptions(reason: .quickAction, payload: #"{"type":"new"}"#))
    #expect(
      reason {
        $0.response = NotificationResponse(payload: #"{"id":1}"#)
        $0.request = "notes://7"
      } == LaunchOptions(reason: .notification, payload: #"{"id":1}"#))
  }

  @Test("The launch options of an event contain its request")
  func launchOptions() {
    #expect(LifecycleEvent.openURL("n://7").launchOptions == LaunchOptions(url: "n://7"))
    #expect(LifecycleEvent.didEnterBackground.launchOptions == LaunchOptions())
    #expect(
      LifecycleEvent.custom(CustomEvent("a", payload: "b")).launchOptions == LaunchOptions(payload: "b"))
    let payload = LifecycleEvent.didReceiveRemoteNotification(payload: "{}").launchOptions
    #expect(payload == LaunchOptions(reason: .background, payload: "{}"))
    let response = LifecycleEvent.didReceiveNotificationResponse(
      NotificationResponse(action: "reply", payload: "{}"))
    #expect(response.launchOptions == LaunchOptions(reason: .notification, payload: "{}"))
  }

  @Test("A request gives the same launch options whether it arrives as an event or starts the launch")
  func sameOptions() {
    let activity = UserActivity(type: "edit", url: "https://example.org", title: "Edit")
    let action = QuickAction("new", userInfo: #"{"a":1}"#)
    let request = OpenURLRequest("n://7", sourceApplication: "org.example.mail")
    #expect(LifecycleEvent.continueActivity(activity).launchOptions == reason { $0.activity = activity })
    #expect(
      LifecycleEvent.performQuickAction(action).launchOptions == reason { $0.quickAction = action })
    #expect(LifecycleEvent.openURL(request).launchOptions == reason { $0.request = request })
  }
}
