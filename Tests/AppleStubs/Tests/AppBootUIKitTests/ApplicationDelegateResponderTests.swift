import AppBoot
import AppBootLifecycle
import AppBootSystem
import Testing
import UIKit

@testable import AppBootUIKit

extension BridgeTests {
  @Suite("An existing app delegate in the composite") @MainActor struct ApplicationDelegateResponderTests {
    let payments = PaymentsDelegate()
    let push = PushDelegate()
    let app = TestAppDelegate()

    init() {
      app.journal = Journal(answers: [
        "performQuickAction": .bool(false), "didReceiveRemoteNotification": .fetch(.noData),
        "handleEventsForBackgroundURLSession": .acknowledged, "didReceiveNotificationResponse": .acknowledged,
        "willPresentNotification": .presentation(.sound), "didEnterBackground": .acknowledged,
      ])
      app.parts = [ApplicationDelegateResponder(payments), ApplicationDelegateResponder(push)]
    }

    private func launched(scenes: Bool = false, _ options: [UIApplication.LaunchOptionsKey: Any]? = nil)
      -> Phone
    {
      app.hasScenes = scenes
      let phone = Phone(app)
      phone.launch(options)
      return phone
    }

    @Test("The delegate receives the options with which UIKit launched the app")
    func launch() {
      _ = launched([.annotation: app])
      #expect(push.launchOptions?[.annotation] as? TestAppDelegate === app)
    }

    @Test("A delegate that declines the launch makes the app decline it")
    func declinedLaunch() {
      payments.mayLaunch = false
      #expect(!Phone(app).launch())
    }

    @Test("A URL is opened if any delegate opens it, with the options of UIKit", arguments: ["pay", "other"])
    func url(scheme: String) throws {
      let phone = launched()
      let url = try #require(URL(string: "\(scheme)://7"))
      #expect(app.application(phone.application, open: url, options: [.annotation: app]) == (scheme == "pay"))
      #expect(payments.options[.annotation] as? TestAppDelegate === app)
    }

    @Test("A URL of a scene reaches the delegate, whether it opens the scene or comes later")
    func urlOfScene() throws {
      let phone = launched(scenes: true)
      let (options, urlOptions) = (UIScene.ConnectionOptions(), UIScene.OpenURLOptions())
      urlOptions.sourceApplication = "org.example.mail"
      let url = try #require(URL(string: "pay://7"))
      options.urlContexts = [UIOpenURLContext(url, urlOptions)]
      phone.connect("left", options)
      #expect(payments.options[.sourceApplication] as? String == "org.example.mail")
      let scene = try #require(phone.scenes["left"])
      scene.delegate?.scene(scene, openURLContexts: [UIOpenURLContext(url)])
      #expect(payments.options[.sourceApplication] == nil)
    }

    @Test("A URL that a command emits reaches the delegate without UIKit")
    func emittedURL() async {
      _ = launched()
      let outcome = await app.host?.receive(.openURL(OpenURLRequest("pay://7", opensInPlace: true)))
      #expect(outcome?.response.answer == .bool(true))
      #expect(payments.options[.openInPlace] as? Bool == true)
    }

    @Test("The delegate receives the states of the app, with scenes and without", arguments: [true, false])
    func states(scenes: Bool) {
      let phone = launched(scenes: scenes)
      phone.activate()
      phone.enterBackground()
      phone.enterForeground()
      #expect(push.calls == ["active", "inactive", "background", "foreground", "active"])
    }

    @Test("The delegate receives warnings, the lock of the device and the end of the process")
    func warnings() {
      let phone = launched()
      app.applicationDidReceiveMemoryWarning(phone.application)
      app.applicationSignificantTimeChange(phone.application)
      app.applicationProtectedDataWillBecomeUnavailable(phone.application)
      app.applicationProtectedDataDidBecomeAvailable(phone.application)
      app.applicationWillTerminate(phone.application)
      #expect(push.calls == ["memory", "time", "locked", "unlocked", "end"])
    }

    @Test("The delegate receives the token, and the error object of a failed registration")
    func registration() {
      let phone = launched()
      app.application(phone.application, didRegisterForRemoteNotificationsWithDeviceToken: Data([10, 255]))
      app.application(phone.application, didFailToRegisterForRemoteNotificationsWithError: Fail.Mishap())
      #expect(push.calls == ["token [10, 255]"])
      #expect(push.error is Fail.Mishap)
    }

    @Test("A fetch completes once, when the last delegate has completed, with the merged result")
    func fetch() {
      let phone = launched()
      var results: [UIBackgroundFetchResult] = []
      app.application(phone.application, didReceiveRemoteNotification: ["app": app]) { results.append($0) }
      #expect(push.userInfo["app"] as? TestAppDelegate === app)
      #expect(results.isEmpty)
      push.fetched(.newData)
      push.fetched(.failed)
      #expect(results == [.newData])
      #expect(app.host?.state.lastFailure?.message.contains("PushDelegate answered twice") == true)
    }

    @Test("A delegate may complete on any thread")
    func otherThread() async {
      let phone = launched()
      let result = await withCheckedContinuation { continuation in
        app.application(phone.application, didReceiveRemoteNotification: [:]) {
          continuation.resume(returning: $0)
        }
        let fetched = UncheckedSendable(push.fetched)
        DispatchQueue.global().async { fetched.value(.failed) }
      }
      #expect(result == .failed)
    }

    @Test("The events of a background URL session complete when the delegate is done")
    func urlSession() {
      let phone = launched()
      var completions = 0
      app.application(phone.application, handleEventsForBackgroundURLSession: "sync") { completions += 1 }
      #expect(completions == 0)
      push.finished()
      #expect(completions == 1)
    }

    @Test("The delegate receives the activity object, and can restore its objects")
    func activity() {
      let phone = launched()
      let activity = NSUserActivity(activityType: "edit")
      var restored = 0
      #expect(app.application(phone.application, continue: activity) { _ in restored += 1 })
      #expect(push.activity === activity)
      push.restore?(nil)
      #expect(restored == 1)
    }

    @Test(
      "A quick action is performed by the delegate, in an app with scenes and without",
      arguments: [true, false])
    func quickAction(scenes: Bool) throws {
      let phone = launched(scenes: scenes)
      let item = UIApplicationShortcutItem(type: "add", localizedTitle: "Add")
      var results: [Bool] = []
      if scenes {
        phone.connect("left")
        let scene = try #require(phone.scenes["left"])
        let delegate = try #require(scene.delegate as? TestSceneDelegate)
        delegate.windowScene(scene, performActionFor: item) { results.append($0) }
      } else {
        app.application(phone.application, performActionFor: item) { results.append($0) }
      }
      #expect(push.item === item)
      push.performed(true)
      #expect(results == [true])
    }

    @Test("A delegate of the notification centre presents and handles notifications")
    func notifications() {
      let phone = launched()
      let response = UNNotificationResponse(UNNotification(["note": 7]))
      var (presentations, completions): ([UNNotificationPresentationOptions], Int) = ([], 0)
      phone.present(response.notification) { presentations.append($0) }
      phone.respond(response) { completions += 1 }
      #expect(presentations == [[.banner, .sound]])
      #expect(push.notification === response.notification)
      #expect(push.response === response)
      #expect(completions == 1)
    }

    @Test("A delegate receives the object of each of two equal events that are pending")
    func equalEvents() {
      app.journal = Journal()
      let phone = launched()
      let responses = (1...2).map { _ in UNNotificationResponse(UNNotification(["note": 7])) }
      var completions = 0
      for response in responses {
        phone.respond(response) { completions += 1 }
        #expect(push.response === response)
      }
      #expect(completions == 0)
      app.journal.answerPending(.acknowledged)
      #expect(completions == 2)
      #expect(app.calls.isEmpty)
    }

    @Test("The delegate receives the discarded scene sessions")
    func discardedSessions() {
      let phone = launched(scenes: true)
      let session = UISceneSession("left")
      app.application(phone.application, didDiscardSceneSessions: [session])
      #expect(push.sessions == [session])
    }

    @Test("The orientations of a delegate limit those of the app")
    func orientations() {
      let phone = launched()
      #expect(app.application(phone.application, supportedInterfaceOrientationsFor: nil) == .portrait)
    }

    @Test("The objects of a call are released after its event")
    func release() {
      let phone = launched()
      weak var activity: NSUserActivity?
      do {
        let given = NSUserActivity(activityType: "edit")
        activity = given
        app.application(phone.application, didReceiveRemoteNotification: ["activity": given]) { _ in }
        #expect(!app.calls.isEmpty)
        push.fetched(.noData)
        #expect(app.calls.isEmpty)
      }
      push.reset()
      #expect(activity == nil)
    }
  }
}
