import AppBoot
import AppBootLifecycle
import AppBootSystem
import Testing
import UIKit

@testable import AppBootUIKit

extension BridgeTests {
  @Suite @MainActor struct LaunchReasonTests {
    let app = TestAppDelegate()

    /// Launches the app, and returns the options of the launch.
    private func options(
      _ options: [UIApplication.LaunchOptionsKey: Any] = [:], inBackground: Bool = false
    ) -> LaunchOptions? {
      Phone(app).launch(options, inBackground: inBackground)
      guard case .didFinishLaunching(let launch) = app.journal.events.dropFirst().first else { return nil }
      return launch
    }

    @Test("A prewarmed process that the user opens has a normal launch")
    func prewarmed() {
      setenv("ActivePrewarm", "1", 1)
      defer { unsetenv("ActivePrewarm") }
      #expect(options()?.reason == .normal)
      #expect(AppBootAppDelegate.isPrewarmed)
    }

    @Test("A launch without a request is normal, with scenes and without", arguments: [true, false])
    func normal(hasScenes: Bool) {
      app.hasScenes = hasScenes
      #expect(options() == LaunchOptions())
      #expect(!AppBootAppDelegate.isPrewarmed)
    }

    @Test("The role of the process tells that the system launched an app with scenes in the background")
    func backgroundRole() {
      app.role = .background
      #expect(options()?.reason == .background)
    }

    @Test(
      "The launch options tell it if the role is unknown",
      arguments: [UIApplication.LaunchOptionsKey.location, .bluetoothCentrals, .bluetoothPeripherals])
    func backgroundOptions(key: UIApplication.LaunchOptionsKey) {
      #expect(options([key: true])?.reason == .background)
    }

    @Test("The state of an app without scenes tells it")
    func backgroundState() {
      app.hasScenes = false
      #expect(options(inBackground: true)?.reason == .background)
    }

    @Test("A notification that launches the app in the background has its payload")
    func backgroundNotification() {
      let launch = options([.remoteNotification: ["note": 7]])
      #expect(launch == LaunchOptions(reason: .background, payload: #"{"note":7}"#))
    }

    @Test("A notification that the user tapped is the reason of a launch in the foreground")
    func tappedNotification() {
      app.role = .foreground
      let launch = options([.remoteNotification: ["note": 7]])
      #expect(launch == LaunchOptions(reason: .notification, payload: #"{"note":7}"#))
    }

    @Test("A quick action, a URL and an activity keep their data")
    func requests() throws {
      app.hasScenes = false
      let item = UIApplicationShortcutItem(
        type: "add", localizedTitle: "Add", userInfo: ["folder": "inbox" as NSString])
      let action = #"{"type":"add","userInfo":{"folder":"inbox"}}"#
      #expect(options([.shortcutItem: item]) == LaunchOptions(reason: .quickAction, payload: action))
    }

    @Test("An app that the system launched in the background shows its first screen when the user opens it")
    func openedLater() {
      app.role = .background
      app.text = manifest(on: ["sceneWillConnect": "ShowRequest"])
      let phone = Phone(app)
      phone.launch()
      let window = phone.connect("left")
      phone.enterForeground()
      #expect(window?.screenName == "normal")
      #expect(app.host?.state.phase == .active)
    }

    @Test("A URL that launches the app keeps the app that asked")
    func url() throws {
      app.hasScenes = false
      let url = try #require(URL(string: "notes://7"))
      let launch = options([.url: url, .sourceApplication: "org.example.mail"])
      let payload = #"{"sourceApplication":"org.example.mail"}"#
      #expect(launch == LaunchOptions(reason: .url, url: "notes://7", payload: payload))
    }

    @Test("An activity that launches the app keeps its title and its data")
    func activity() {
      app.hasScenes = false
      let activity = NSUserActivity(activityType: "edit")
      activity.title = "Edit"
      activity.userInfo = ["note": 7]
      let launch = options([.userActivityDictionary: ["key": activity, "type": "edit"]])
      let payload = #"{"type":"edit","title":"Edit","userInfo":{"note":7}}"#
      #expect(launch == LaunchOptions(reason: .activity, payload: payload))
    }
  }
}
