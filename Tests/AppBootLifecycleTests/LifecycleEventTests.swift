import AppBoot
import AppBootLifecycle
import Testing

@Suite("A lifecycle event")
struct LifecycleEventTests {
  static let samples: [LifecycleEvent] = [
    .willFinishLaunching(LaunchOptions(url: "notes://7")), .didFinishLaunching(LaunchOptions()),
    .willEnterForeground, .didBecomeActive, .willResignActive, .didEnterBackground, .willTerminate,
    .didReceiveReload, .didShowFirstScreen(screen: "Home"),
    .didRegisterForRemoteNotifications(token: [0x0A, 0xFF]),
    .didFailToRegisterForRemoteNotifications(error: "no network"),
    .didReceiveRemoteNotification(payload: #"{"aps":{"content-available":1}}"#),
    .willPresentNotification(payload: "{}"),
    .didReceiveNotificationResponse(
      NotificationResponse(action: "reply", payload: #"{"id":1}"#, scene: "left")),
    .openURL(OpenURLRequest("notes://note/7", scene: "left")),
    .continueActivity(UserActivity(url: "https://example.org")),
    .performQuickAction("new-note"), .significantTimeChange, .didReceiveMemoryWarning,
    .protectedDataWillBecomeUnavailable, .protectedDataDidBecomeAvailable,
    .handleEventsForBackgroundURLSession("sync"), .performBackgroundTask("org.example.notes.refresh"),
    .userDidAcceptCloudKitShare(CloudKitShare(url: "https://www.icloud.com/share/7", scene: "left")),
    .openNotificationSettings(payload: #"{"id":1}"#), .didDiscardSceneSessions(["left", "right"]),
    .serviceReady(ServiceChange(id: "web")), .serviceFailed(ServiceChange(id: "web", exitCode: 3)),
    .serviceRestarted(ServiceChange(id: "web", reason: "was killed by SIGSEGV", restarts: 2)),
    .serviceStopped(ServiceChange(id: "web")),
    .sceneWillConnect(SceneConnection("left", options: LaunchOptions(reason: .quickAction))),
    .sceneDidDisconnect("left"),
    .sceneWillEnterForeground("left"), .sceneDidBecomeActive("left"), .sceneWillResignActive("left"),
    .sceneDidEnterBackground("left"),
  ]

  @Test("Every known name belongs to exactly one event")
  func names() {
    #expect(Self.samples.map(\.name) == EventName.standardNames)
    #expect(LifecycleEvent.custom("consentGranted").name == "consentGranted")
  }

  @Test("An event is reproduced from its name, payload, URL and scene", arguments: samples)
  func roundTrip(_ event: LifecycleEvent) throws {
    let again = try LifecycleEvent(
      name: event.name, payload: event.payload, url: event.url, scene: event.scene)
    #expect(again == event)
  }

  static let completeSamples: [LifecycleEvent] = [
    .openURL(
      OpenURLRequest(
        "notes://7", sourceApplication: "org.example.mail", opensInPlace: true, annotation: "[1]")),
    .continueActivity(UserActivity(type: "edit", title: "Edit", userInfo: #"{"note":7}"#)),
    .performQuickAction(QuickAction("new-note", userInfo: #"{"folder":"inbox"}"#)),
    .didReceiveNotificationResponse(
      NotificationResponse(
        action: "reply", text: "On my way", identifier: "r1", category: "NOTE", thread: "book", payload: "{}")
    ),
    .userDidAcceptCloudKitShare(CloudKitShare(url: "https://icloud.com/7", container: "iCloud.org.example")),
    .openNotificationSettings(),
  ]

  @Test("An event with all of its data is reproduced too", arguments: completeSamples)
  func completeRoundTrip(_ event: LifecycleEvent) throws {
    let again = try LifecycleEvent(
      name: event.name, payload: event.payload, url: event.url, scene: event.scene)
    #expect(again == event)
  }

  @Test("An event belongs to the process or to its scene")
  func scopes() {
    #expect(LifecycleEvent.openURL("notes://").scene == nil)
    #expect(LifecycleEvent.openURL(OpenURLRequest("notes://", scene: "left")).scene == "left")
    #expect(LifecycleEvent.sceneDidBecomeActive("left").scene == "left")
    #expect(LifecycleEvent.willTerminate.scene == nil)
  }

  @Test("Text payloads are plain text or JSON strings")
  func texts() throws {
    let name = EventName.didRegisterForRemoteNotifications.name
    let token = LifecycleEvent.didRegisterForRemoteNotifications(token: [0xAB, 0x01])
    #expect(try LifecycleEvent(name: name, payload: "AB01") == token)
    #expect(try LifecycleEvent(name: name, payload: #""ab01""#) == token)
  }

  @Test("A scene connection keeps its reason and payload")
  func connecting() throws {
    let payload = #"{"reason":"notification","id":7}"#
    let event = try LifecycleEvent(name: "sceneWillConnect", payload: payload, scene: "left")
    #expect(
      event
        == .sceneWillConnect(
          SceneConnection("left", options: LaunchOptions(reason: .notification, payload: payload))))
    let opened = try LifecycleEvent(name: "sceneWillConnect", url: "notes://7", scene: "left")
    #expect(
      opened
        == .sceneWillConnect(SceneConnection("left", options: LaunchOptions(reason: .url, url: "notes://7"))))
  }

  @Test("A custom event must be declared")
  func custom() throws {
    let event = try LifecycleEvent(
      name: "consentGranted", payload: "yes", declared: [EventName("consentGranted")])
    #expect(event == .custom(CustomEvent("consentGranted", payload: "yes")))
    #expect(event.scene == nil)
  }

  @Test("A custom event belongs to the process or a scene as declared")
  func ownScope() throws {
    let cart = EventName("cartOpened", of: .scene)
    let event = try LifecycleEvent(
      name: "cartOpened", scene: "left", declared: [EventName("consentGranted"), cart])
    #expect(event == .custom(CustomEvent("cartOpened", scene: "left")) && event.scene == "left")
    #expect(throws: LifecycleEventError.missing(.scene, event: "cartOpened")) {
      try LifecycleEvent(name: "cartOpened", declared: [cart])
    }
    #expect(throws: LifecycleEventError.unexpected(.scene, event: "consentGranted")) {
      try LifecycleEvent(name: "consentGranted", scene: "left", declared: [EventName("consentGranted")])
    }
  }

  @Test("A member of a payload that is null counts as absent")
  func nullMembers() throws {
    let activity = try LifecycleEvent(
      name: "continueActivity", payload: #"{"type":"note","title":null,"userInfo":null}"#)
    #expect(activity == .continueActivity(UserActivity(type: "note")))
    let share = try LifecycleEvent(
      name: "userDidAcceptCloudKitShare", payload: #"{"container":null}"#, url: "https://a.b/c")
    #expect(share == .userDidAcceptCloudKitShare(CloudKitShare(url: "https://a.b/c", container: nil)))
  }

  struct Mistake: Sendable, CustomTestStringConvertible {
    let name: String
    var payload: String?
    var url: String?
    var scene: SceneID?
    let message: String
    var testDescription: String { message }
  }

  static let mistakes = [
    Mistake(
      name: "didEnterBackgroud",
      message: "unknown event \"didEnterBackgroud\": did you mean \"didEnterBackground\"?"),
    Mistake(
      name: "openURL",
      message: "openURL needs a url: give it with --url"),
    Mistake(
      name: "sceneDidBecomeActive", message: "sceneDidBecomeActive needs a scene: give it with --scene"),
    Mistake(
      name: "willTerminate", scene: "left",
      message: "willTerminate takes no scene: remove --scene"),
    Mistake(
      name: "didEnterBackground", payload: "{}",
      message: "didEnterBackground takes no payload: remove --payload"),
    Mistake(
      name: "openURL", url: "a b",
      message: "\"a b\" is not a valid URL for openURL: it has spaces or control characters"),
    Mistake(
      name: "openURL", url: "note/42",
      message:
        "\"note/42\" is not a valid URL for openURL: it has no scheme, as \"notes://note/42\" has"),
    Mistake(
      name: "didReceiveRemoteNotification", payload: "[]",
      message: "the payload of didReceiveRemoteNotification must be a JSON object"),
    Mistake(
      name: "didRegisterForRemoteNotifications", payload: "abc",
      message:
        "the payload of didRegisterForRemoteNotifications must be the hexadecimal digits of the token, two per byte"
    ),
    Mistake(
      name: "performQuickAction", payload: "{}",
      message: "the payload of performQuickAction must be an object with \"type\", a string"),
    Mistake(
      name: "openURL", payload: #"{"opensInPlace":1}"#, url: "notes://7",
      message: "the payload of openURL must be an object whose \"opensInPlace\" is true or false"),
    Mistake(
      name: "openURL", payload: #"{"openInPlace":true}"#, url: "notes://7",
      message:
        "the payload of openURL must be an object without \"openInPlace\": did you mean \"opensInPlace\"?"),
    Mistake(
      name: "serviceFailed", payload: #"{"id":"web","port":80}"#,
      message:
        "the payload of serviceFailed must be an object without \"port\": it can have \"id\", \"reason\", "
        + "\"exitCode\", \"restarts\""),
    Mistake(
      name: "didDiscardSceneSessions", payload: #"{"scenes":[1]}"#,
      message: "the payload of didDiscardSceneSessions must be an object with \"scenes\", a list of names"),
    Mistake(
      name: "performBackgroundTask",
      message: "performBackgroundTask needs a payload: give it with --payload"),
    Mistake(
      name: "userDidAcceptCloudKitShare",
      message: "userDidAcceptCloudKitShare needs a url: give it with --url"),
    Mistake(
      name: "didReceiveNotificationResponse", payload: #"{"action":1}"#,
      message: "the payload of didReceiveNotificationResponse must be "
        + "an object whose \"action\" is a string"),
  ]

  @Test("An invalid event reports the mistake", arguments: mistakes)
  func refusal(_ mistake: Mistake) {
    let error = #expect(throws: LifecycleEventError.self) {
      try LifecycleEvent(
        name: mistake.name, payload: mistake.payload, url: mistake.url, scene: mistake.scene)
    }
    #expect(error?.description == mistake.message)
  }

  @Test("A payload that is not JSON reports the syntax error")
  func notJSON() {
    let error = #expect(throws: LifecycleEventError.self) {
      try LifecycleEvent(name: "willPresentNotification", payload: "{")
    }
    #expect(error?.description.hasPrefix("the payload of willPresentNotification is not JSON: ") == true)
  }
}
