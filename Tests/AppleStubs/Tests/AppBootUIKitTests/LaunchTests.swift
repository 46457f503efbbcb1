import AppBoot
import AppBootLifecycle
import MetricKit
import Testing
import UIKit
import os

@testable import AppBootUIKit

extension BridgeTests {
  @Suite @MainActor struct LaunchTests {
    let app = TestAppDelegate()

    @Test("A launch runs the commands, shows the screen, and answers true")
    func launch() {
      app.hasScenes = false
      app.text = manifest(["ShowRequest"])
      let phone = Phone(app)
      #expect(phone.launch())
      phone.activate()
      #expect(
        app.journal.names
          == ["willFinishLaunching", "didFinishLaunching", "didShowFirstScreen", "didBecomeActive"])
      #expect(app.window?.screenName == "normal")
      #expect(app.window?.isKeyWindow == true)
    }

    @Test("A responder that declines the launch makes the delegate answer false")
    func declinedLaunch() {
      app.journal = Journal(answers: ["didFinishLaunching": .bool(false)])
      #expect(!Phone(app).launch())
    }

    @Test("A responder that declines before the launch makes the delegate answer false, and the launch runs")
    func declinedBeforeLaunch() {
      app.journal = Journal(answers: ["willFinishLaunching": .bool(false)])
      #expect(!Phone(app).launch())
      #expect(app.journal.names == ["willFinishLaunching", "didFinishLaunching"])
    }

    @Test("An invalid manifest is reported, and the delegate answers false")
    func invalidManifest() {
      app.text = "{"
      #expect(!Phone(app).launch())
      #expect(app.failures.count == 1)
      #expect(app.host == nil)
      #expect(app.launchError != nil)
    }

    @Test(
      "The system measures the launch until the plan has ended, even if it fails",
      arguments: ["ShowRequest", "Fail"])
    func measured(command: String) {
      app.text = manifest([command])
      Phone(app).launch()
      #expect(MXMetricManager.shared.calls == ["extend appboot.launch", "finish appboot.launch"])
    }

    @Test("An error of MetricKit does not fail the launch")
    func unmeasured() {
      let phone = Phone(app)
      MXMetricManager.shared.fails = true
      #expect(phone.launch())
      #expect(app.failures.isEmpty && app.launchError == nil)
      #expect(MXMetricManager.shared.calls == ["extend appboot.launch"])
    }

    @Test("A launch in the background is not measured")
    func background() {
      app.hasScenes = false
      Phone(app).launch(inBackground: true)
      #expect(MXMetricManager.shared.calls.isEmpty)
    }

    @Test("Each step is an interval in Instruments")
    func signposts() {
      app.text = manifest(["ShowRequest"], on: ["didBecomeActive": "ShowRequest"])
      Phone(app).launch()
      #expect(Signposts.shared.calls == ["begin step ShowRequest", "end step ShowRequest"])
    }

    @Test("A URL that launches an app without scenes is shown once")
    func urlWithoutScenes() throws {
      app.hasScenes = false
      app.text = manifest(["ShowRequest"], on: ["openURL": "ShowRequest"])
      let phone = Phone(app)
      let url = try #require(URL(string: "notes://7"))
      phone.launch([.url: url])
      #expect(app.application(phone.application, open: url, options: [:]))
      #expect(app.host?.coordinator?.screens.map(\.name) == ["url notes://7"])
      #expect(app.application(phone.application, open: url, options: [:]))
      #expect(app.host?.coordinator?.screens.count == 2)
    }

    @Test("The states of an app without scenes come from the delegate")
    func states() {
      app.hasScenes = false
      let phone = Phone(app)
      phone.launch()
      phone.activate()
      phone.enterBackground()
      phone.enterForeground()
      app.applicationDidReceiveMemoryWarning(phone.application)
      app.applicationSignificantTimeChange(phone.application)
      app.applicationWillTerminate(phone.application)
      #expect(
        app.journal.names == [
          "willFinishLaunching", "didFinishLaunching", "didBecomeActive", "willResignActive",
          "didEnterBackground",
          "willEnterForeground", "didBecomeActive", "didReceiveMemoryWarning", "significantTimeChange",
          "willTerminate",
        ])
      #expect(app.host?.state.phase == .terminating)
    }

    @Test("The token and a failed registration are events")
    func registration() {
      let phone = Phone(app)
      phone.launch()
      app.application(
        phone.application, didRegisterForRemoteNotificationsWithDeviceToken: Data([10, 255]))
      #expect(app.host?.state.token == "0aff")
      app.application(phone.application, didFailToRegisterForRemoteNotificationsWithError: Fail.Mishap())
      #expect(app.host?.state.lastFailure?.message == "out of paper")
    }

    @Test("A background fetch completes once, with the answer that comes later")
    func fetch() {
      let phone = Phone(app)
      phone.launch(inBackground: true)
      var results: [UIBackgroundFetchResult] = []
      app.application(phone.application, didReceiveRemoteNotification: ["note": 7]) { results.append($0) }
      #expect(results.isEmpty)
      app.journal.answerPending(.fetch(.newData))
      #expect(results == [.newData])
      #expect(app.journal.events.last == .didReceiveRemoteNotification(payload: #"{"note":7}"#))
    }
  }
}
