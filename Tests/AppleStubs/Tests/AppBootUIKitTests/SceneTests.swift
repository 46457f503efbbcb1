import AppBoot
import AppBootBase
import AppBootLifecycle
import Testing
import UIKit

@testable import AppBootUIKit

/// A responder that answers the launch later.
private final class LateResponder: LifecycleResponder {
  let reply = Lock<LifecycleReply?>(nil)

  func respond(to event: LifecycleEvent, _ reply: LifecycleReply) {
    guard case .didFinishLaunching = event else { return reply.decline() }
    self.reply.withLock { $0 = reply }
  }
}

extension BridgeTests {
  @Suite @MainActor struct SceneTests {
    let app = TestAppDelegate()
    let options = UIScene.ConnectionOptions()

    init() { app.text = manifest(on: ["sceneWillConnect": "ShowRequest", "openURL": "ShowRequest"]) }

    private func launched() -> Phone {
      let phone = Phone(app)
      phone.launch()
      return phone
    }

    private func scene(_ phone: Phone, _ name: String) throws -> (UIWindowScene, TestSceneDelegate) {
      let scene = try #require(phone.scenes[name])
      return (scene, try #require(scene.delegate as? TestSceneDelegate))
    }

    @Test("A scene connects after the launch, and becomes active")
    func connection() {
      let phone = launched()
      let window = phone.connect("left")
      phone.enterForeground()
      #expect(window?.screenName == "normal")
      #expect(
        app.journal.names == [
          "willFinishLaunching", "didFinishLaunching", "sceneWillConnect left", "didShowFirstScreen",
          "willEnterForeground",
          "sceneWillEnterForeground left", "didBecomeActive", "sceneDidBecomeActive left",
        ])
      #expect(app.host?.state.phase == .active)
      #expect(app.host?["left"]?.phase == .active)
    }

    @Test("Two scenes have their own windows and screens")
    func twoScenes() throws {
      let phone = launched()
      let left = phone.connect("left")
      options.urlContexts = [UIOpenURLContext(try #require(URL(string: "notes://8")))]
      let right = phone.connect("right", options)
      #expect(left?.screenName == "normal")
      #expect(right?.screenName == "url notes://8")
    }

    @Test("A URL opens on top of the scene's screen")
    func url() throws {
      let phone = launched()
      let window = phone.connect("left")
      let (scene, delegate) = try scene(phone, "left")
      delegate.scene(scene, openURLContexts: [UIOpenURLContext(try #require(URL(string: "notes://7")))])
      #expect(window?.screenName == "url notes://7")
      #expect(app.host?["left"]?.coordinator?.screens.count == 2)
    }

    @Test("A universal link is an activity of its scene")
    func activity() throws {
      let phone = launched()
      phone.connect("left")
      let (scene, delegate) = try scene(phone, "left")
      let activity = NSUserActivity(activityType: UserActivity.browsingWeb)
      activity.webpageURL = URL(string: "https://notes.example/7")
      delegate.scene(scene, continue: activity)
      #expect(
        app.journal.events.last
          == .continueActivity(UserActivity(url: "https://notes.example/7", scene: "left")))
    }

    @Test("A quick action completes once, with the answer that comes later")
    func quickAction() throws {
      let phone = launched()
      phone.connect("left")
      let (scene, delegate) = try scene(phone, "left")
      var results: [Bool] = []
      let item = UIApplicationShortcutItem(type: "add", localizedTitle: "Add")
      delegate.windowScene(scene, performActionFor: item) { results.append($0) }
      #expect(results.isEmpty)
      app.journal.answerPending(.bool(true))
      #expect(results == [true])
    }

    @Test("An activity and a quick action of a scene keep their title and their data")
    func userInfo() throws {
      let phone = launched()
      phone.connect("left")
      let (scene, delegate) = try scene(phone, "left")
      let activity = NSUserActivity(activityType: "edit")
      activity.title = "Edit"
      activity.userInfo = ["at": Date(timeIntervalSince1970: 1.5)]
      delegate.scene(scene, continue: activity)
      let item = UIApplicationShortcutItem(
        type: "add", localizedTitle: "Add", userInfo: ["folder": "inbox" as NSString])
      delegate.windowScene(scene, performActionFor: item) { _ in }
      let seen = UserActivity(
        type: "edit", title: "Edit", userInfo: #"{"at":"1970-01-01T00:00:01.500Z"}"#, scene: "left")
      #expect(
        app.journal.events.suffix(2) == [
          .continueActivity(seen),
          .performQuickAction(QuickAction("add", userInfo: #"{"folder":"inbox"}"#, scene: "left")),
        ])
    }

    @Test("A scene that moves to the background changes the phases of the scene and of the process")
    func background() {
      let phone = launched()
      phone.connect("left")
      phone.enterForeground()
      phone.enterBackground()
      #expect(app.host?["left"]?.phase == .background)
      #expect(app.host?.state.phase == .background)
      #expect(app.journal.names.suffix(2) == ["didEnterBackground", "sceneDidEnterBackground left"])
    }

    @Test("A disconnected scene has no session and no window")
    func disconnection() {
      let phone = launched()
      phone.connect("left")
      phone.disconnect("left")
      #expect(app.host?["left"] == nil)
      #expect(app.windows.withLock { $0["left"] == nil })
    }

    @Test("A scene shows its last screens after the process was ended")
    func restoration() throws {
      let phone = launched()
      phone.connect("left")
      let (scene, delegate) = try scene(phone, "left")
      delegate.scene(scene, openURLContexts: [UIOpenURLContext(try #require(URL(string: "notes://7")))])
      let next = TestAppDelegate()
      next.text = app.text
      let phoneAfter = phone.relaunch(next)
      phoneAfter.launch()
      #expect(phoneAfter.connect("left")?.screenName == "url notes://7")
      #expect(next.host?["left"]?.coordinator?.screens.map(\.name) == ["normal", "url notes://7"])
    }

    @Test("The URL, the activity and the quick action that open a scene are events of their own")
    func requestsOfConnection() throws {
      let phone = launched()
      let url = try #require(URL(string: "notes://7"))
      options.urlContexts = [UIOpenURLContext(url)]
      options.userActivities = [NSUserActivity(activityType: "edit")]
      options.shortcutItem = UIApplicationShortcutItem(type: "add", localizedTitle: "Add")
      phone.connect("left", options)
      #expect(
        app.journal.events.filter { $0.scene == "left" }.dropFirst() == [
          .openURL(OpenURLRequest("notes://7", scene: "left")),
          .continueActivity(UserActivity(type: "edit", scene: "left")),
          .performQuickAction(QuickAction("add", scene: "left")),
        ])
    }

    @Test("The screen of the URL that opens a scene is shown once, by the handlers of either event")
    func screenOfConnection() throws {
      let phone = launched()
      let url = try #require(URL(string: "notes://7"))
      options.urlContexts = [UIOpenURLContext(url)]
      phone.connect("left", options)
      #expect(app.host?["left"]?.coordinator?.screens.map(\.name) == ["url notes://7"])
      app.text = manifest(on: ["openURL": "ShowRequest"])
      let next = TestAppDelegate()
      next.text = app.text
      let phoneAfter = phone.relaunch(next)
      phoneAfter.launch()
      phoneAfter.connect("right", options)
      #expect(next.host?["right"]?.coordinator?.screens.map(\.name) == ["url notes://7"])
    }

    @Test("A scene that connects during the launch restores its screens after its handlers")
    func restorationDuringLaunch() throws {
      let phone = launched()
      phone.connect("left")
      let (scene, delegate) = try scene(phone, "left")
      delegate.scene(scene, openURLContexts: [UIOpenURLContext(try #require(URL(string: "notes://7")))])
      let next = TestAppDelegate()
      next.text = manifest(["DuringLaunch"], on: ["sceneWillConnect": "ShowRequest"])
      let phoneAfter = phone.relaunch(next)
      next.duringLaunch = { phoneAfter.connect("left") }
      phoneAfter.launch()
      let session = try #require(next.host?["left"])
      #expect(session.coordinator?.screens.map(\.name) == ["normal", "url notes://7"])
    }

    @Test("A scene that connected during a launch that fails shows the failure, and its events are refused")
    func failureDuringLaunch() async throws {
      app.text = manifest(["DuringLaunch", "Fail"], on: ["sceneWillConnect": "ShowRequest"])
      let phone = Phone(app)
      app.duringLaunch = { phone.connect("left") }
      phone.launch()
      let (scene, delegate) = try scene(phone, "left")
      #expect(app.launchError != nil)
      #expect(delegate.window?.failureText?.contains("out of paper") == true)
      delegate.sceneDidBecomeActive(scene)
      #expect(!app.journal.names.contains("sceneWillConnect left"))
      #expect(!app.journal.names.contains("sceneDidBecomeActive left"))
    }

    @Test("An active app reports that no scene has connected to its scene delegate")
    func missingScenes() {
      let phone = launched()
      phone.activate()
      #expect(app.host?.state.lastFailure?.message.contains("no AppBootSceneDelegate was connected") == true)
      let other = TestAppDelegate()
      let connected = Phone(other)
      other.text = app.text
      connected.launch()
      connected.connect("left")
      connected.activate()
      #expect(other.host?.state.lastFailure == nil)
    }

    @Test("An app whose views show the values of the launch needs no scene delegate")
    func viewsOnly() {
      app.text = manifest(["ShowRequest"])
      launched().activate()
      #expect(app.host?.state.lastFailure == nil)
    }

    @Test("A scene shows nothing between a failed launch and a late answer to it")
    func lateFailure() throws {
      let late = LateResponder()
      app.parts = [late]
      app.text = manifest(["DuringLaunch", "Fail"], on: ["sceneWillConnect": "ShowRequest"])
      let phone = Phone(app)
      app.duringLaunch = { phone.connect("left") }
      phone.launch()
      let (_, delegate) = try scene(phone, "left")
      #expect(delegate.window?.rootViewController == nil)
      late.reply.withLock { $0 }?.answer(.bool(true))
      #expect(delegate.window?.failureText?.contains("out of paper") == true)
    }

    @Test("A request that opens a scene has priority over its last screens")
    func requestBeforeRestoration() throws {
      let phone = launched()
      phone.connect("left")
      phone.disconnect("left")
      options.shortcutItem = UIApplicationShortcutItem(type: "add", localizedTitle: "Add")
      #expect(phone.connect("left", options)?.screenName == #"quickAction {"type":"add"}"#)
    }
  }
}
