import AppBoot
import AppBootLifecycle
import AppBootSystem
import BackgroundTasks
import Testing
import UIKit

@testable import AppBootUIKit

extension BridgeTests {
  @Suite @MainActor struct DelegateEventTests {
    let app = TestAppDelegate()

    private func launched() -> Phone {
      let phone = Phone(app)
      phone.launch()
      return phone
    }

    @Test("The events of a background URL session complete once, and the app keeps running until then")
    func urlSession() {
      let phone = launched()
      var completions = 0
      app.application(phone.application, handleEventsForBackgroundURLSession: "sync") { completions += 1 }
      #expect(app.journal.events.last == .handleEventsForBackgroundURLSession("sync"))
      #expect(phone.application.backgroundTasks.values.map(\.name) == ["handleEventsForBackgroundURLSession"])
      #expect(completions == 0)
      app.journal.answerPending(.acknowledged)
      #expect(completions == 1)
      #expect(phone.application.backgroundTasks.isEmpty)
    }

    @Test("The app keeps running in the background until its work is done", arguments: [true, false])
    func background(hasScenes: Bool) {
      app.hasScenes = hasScenes
      let phone = launched()
      phone.connect("left")
      phone.enterBackground()
      #expect(phone.application.backgroundTasks.values.map(\.name) == ["didEnterBackground"])
      app.journal.answerPending(.acknowledged)
      #expect(phone.application.backgroundTasks.isEmpty)
    }

    @Test("An assertion ends when the system's time is over")
    func expiredAssertion() throws {
      let phone = launched()
      phone.enterBackground()
      let assertion = try #require(phone.application.backgroundTasks.values.first)
      assertion.expire?()
      #expect(phone.application.backgroundTasks.isEmpty)
      app.journal.answerPending(.acknowledged)
    }

    @Test("A background task completes with the answer of the app", arguments: [true, false])
    func backgroundTask(succeeds: Bool) throws {
      app.tasks = ["notes.refresh"]
      _ = launched()
      let task = BGTask("notes.refresh")
      let run = try #require(BGTaskScheduler.shared.handlers["notes.refresh"])
      run(task)
      #expect(app.journal.events.last == .performBackgroundTask("notes.refresh"))
      #expect(task.completions.isEmpty)
      app.journal.answerPending(.bool(succeeds))
      #expect(task.completions == [succeeds])
    }

    @Test("A background task whose time is over has failed, and completes once")
    func expiredTask() throws {
      app.tasks = ["notes.refresh"]
      _ = launched()
      let task = BGTask("notes.refresh")
      let run = try #require(BGTaskScheduler.shared.handlers["notes.refresh"])
      run(task)
      task.expirationHandler?()
      app.journal.answerPending(.bool(true))
      #expect(task.completions == [false])
    }

    @Test("The handlers of a background task and of didEnterBackground are cancelled when their time is over")
    func cancelledWork() async throws {
      app.tasks = ["notes.refresh"]
      app.text = manifest(on: ["performBackgroundTask": "Work", "didEnterBackground": "Work"])
      let phone = launched()
      let task = BGTask("notes.refresh")
      let run = try #require(BGTaskScheduler.shared.handlers["notes.refresh"])
      let expiration = UncheckedSendable(task)
      Work.whenRunning { expiration.value.expirationHandler?() }
      run(task)
      #expect(task.completions == [false])
      let application = UncheckedSendable(phone.application)
      Work.whenRunning {
        MainActor.assumeIsolated {
          application.value.backgroundTasks.values.first { $0.name == "didEnterBackground" }?.expire?()
        }
      }
      phone.enterBackground()
      app.journal.answerPending(.acknowledged)
      #expect(Work.ends.suffix(2) == ["cancelled", "cancelled"])
    }

    @Test("The handlers of a background task that waits do not begin after its time is over")
    func expiredInQueue() async throws {
      app.tasks = ["notes.refresh"]
      app.text = manifest(on: ["performBackgroundTask": "Work"])
      _ = launched()
      let run = try #require(BGTaskScheduler.shared.handlers["notes.refresh"])
      let (first, second) = (BGTask("notes.refresh"), UncheckedSendable(BGTask("notes.refresh")))
      let start = UncheckedSendable(run)
      let count = Work.ends.count
      Work.whenRunning {
        start.value(second.value)
        second.value.expirationHandler?()
      }
      run(first)
      #expect(Work.ends.suffix(from: count) == ["ran"])
      #expect(second.value.completions == [false])
      app.journal.answerPending(.bool(true))
      #expect(first.completions == [true])
      #expect(app.host?.state.lastFailure?.message.contains("background time is over") == true)
    }

    @Test("Protected data, in an app with a delegate, are events")
    func protectedData() {
      let phone = launched()
      app.applicationProtectedDataWillBecomeUnavailable(phone.application)
      app.applicationProtectedDataDidBecomeAvailable(phone.application)
      #expect(
        app.journal.events.suffix(2) == [
          .protectedDataWillBecomeUnavailable, .protectedDataDidBecomeAvailable,
        ])
    }

    @Test("Discarded scene sessions are one event with sorted names")
    func discardedSessions() {
      let phone = launched()
      app.application(
        phone.application, didDiscardSceneSessions: [UISceneSession("right"), UISceneSession("left")])
      #expect(app.journal.events.last == .didDiscardSceneSessions(["left", "right"]))
    }

    @Test("A window's scene gets the app's scene delegate, or else the one in Info.plist")
    func configuration() {
      app.sceneClass = TestSceneDelegate.self
      let phone = launched()
      let declared = UISceneConfiguration(name: "Main", sessionRole: .windowApplication)
      let session = UISceneSession("left", configuration: declared)
      let options = UIScene.ConnectionOptions()
      let made = app.application(phone.application, configurationForConnecting: session, options: options)
      #expect(made.name == "Main")
      #expect(made.delegateClass == TestSceneDelegate.self)
      app.sceneClass = nil
      #expect(
        app.application(phone.application, configurationForConnecting: session, options: options) === declared
      )
    }

    @Test("The orientations are those that all responders and Info.plist support")
    func orientations() {
      app.journal = Journal(orientations: [.portrait, .portraitUpsideDown])
      let phone = launched()
      #expect(app.application(phone.application, supportedInterfaceOrientationsFor: nil) == .portrait)
    }

    @Test("Without a common orientation, those of Info.plist are supported")
    func noOrientation() {
      app.journal = Journal(orientations: .portraitUpsideDown)
      let phone = launched()
      #expect(app.application(phone.application, supportedInterfaceOrientationsFor: nil) == .allButUpsideDown)
    }

    @Test("A URL keeps the options with which it was opened")
    func urlOptions() throws {
      let phone = launched()
      phone.connect("left")
      let scene = try #require(phone.scenes["left"])
      let options = UIScene.OpenURLOptions()
      options.sourceApplication = "org.example.mail"
      options.openInPlace = true
      options.annotation = ["a": 1]
      let context = UIOpenURLContext(try #require(URL(string: "file:///a.txt")), options)
      scene.delegate?.scene(scene, openURLContexts: [context])
      let seen = OpenURLRequest(
        "file:///a.txt", sourceApplication: "org.example.mail", opensInPlace: true,
        annotation: #"{"a":1}"#, scene: "left")
      #expect(app.journal.events.last == .openURL(seen))
    }

    @Test("A delegate below SwiftUI's own delegate receives the scenes' events")
    func swiftUI() {
      let phone = Phone(app)
      phone.application.delegate = nil
      phone.launch()
      phone.connect("left")
      #expect(app.journal.names.last == "sceneWillConnect left")
    }
  }
}
