import AppBoot
import AppBootLifecycle
import Testing
import UIKit

@testable import AppBootUIKit

extension BridgeTests {
  @Suite @MainActor struct NotificationTests {
    let app = TestAppDelegate()

    @discardableResult
    private func launched() -> Phone {
      let phone = Phone(app)
      phone.launch()
      return phone
    }

    @Test("A notification in the foreground is presented as the app answers")
    func presentation() {
      app.journal = Journal(answers: ["willPresentNotification": .presentation([.banner, .sound])])
      let phone = launched()
      var presentations: [UNNotificationPresentationOptions] = []
      phone.present(UNNotification(["note": 7])) { presentations.append($0) }
      #expect(presentations == [[.banner, .sound]])
      #expect(app.journal.events.last == .willPresentNotification(payload: #"{"note":7}"#))
    }

    @Test("A replaced delegate of the notification centre is reported once", arguments: [true, false])
    func replacedDelegate(hasScenes: Bool) {
      app.hasScenes = hasScenes
      let phone = launched()
      phone.activate()
      #expect(app.host?.state.lastFailure == nil)
      let library = PushDelegate()
      UNUserNotificationCenter.current().delegate = library
      phone.activate()
      let reported = app.host?.state.lastFailure
      #expect(reported?.source == "notifications" && reported?.message.contains("PushDelegate") == true)
      app.host?.report("later", from: "test")
      phone.activate()
      #expect(app.host?.state.lastFailure?.source == "test")
    }

    @Test("A response belongs to its scene, and completes once")
    func response() throws {
      let phone = launched()
      phone.connect("left")
      let response = UNNotificationResponse(UNNotification(["note": 7]), actionIdentifier: "archive")
      response.scene = phone.scenes["left"]
      var completions = 0
      phone.respond(response) { completions += 1 }
      #expect(completions == 0)
      app.journal.answerPending(.acknowledged)
      #expect(completions == 1)
      let seen = NotificationResponse(
        action: "archive", identifier: "request", payload: #"{"note":7}"#, scene: "left")
      #expect(app.journal.events.last == .didReceiveNotificationResponse(seen))
    }

    @Test("A response that opens a scene is shown once")
    func coldResponse() throws {
      app.text = manifest(on: [
        "sceneWillConnect": "ShowRequest", "didReceiveNotificationResponse": "ShowRequest",
      ])
      let phone = launched()
      let response = UNNotificationResponse(UNNotification(["note": 7]))
      let options = UIScene.ConnectionOptions()
      options.notificationResponse = response
      phone.connect("left", options)
      response.scene = phone.scenes["left"]
      phone.respond(response)
      #expect(app.host?["left"]?.coordinator?.screens.map(\.name) == [#"notification {"note":7}"#])
    }

    @Test("A response has the text and the identifiers of its notification")
    func textResponse() {
      let phone = launched()
      let notification = UNNotification(["note": 7], identifier: "r1", category: "NOTE", thread: "book")
      let response = UNTextInputNotificationResponse(notification, actionIdentifier: "reply")
      response.userText = "On my way"
      phone.respond(response)
      let seen = NotificationResponse(
        action: "reply", text: "On my way", identifier: "r1", category: "NOTE", thread: "book",
        payload: #"{"note":7}"#)
      #expect(app.journal.events.last == .didReceiveNotificationResponse(seen))
    }

    @Test("A payload with dates, data and lists is a JSON object")
    func payload() {
      let phone = launched()
      let date = Date(timeIntervalSince1970: 1.5)
      phone.present(
        UNNotification([
          "at": date, "icon": Data([1]), "list": [1, date], "more": ["url": "a/b", "wrong": Double.nan],
        ])
      ) { _ in }
      let time = #""1970-01-01T00:00:01.500Z""#
      let text = #"{"at":\#(time),"icon":"AQ==","list":[1,\#(time)],"more":{"url":"a/b","wrong":"nan"}}"#
      #expect(app.journal.events.last == .willPresentNotification(payload: text))
    }

    @Test("The settings for notifications are opened for a notification or for none")
    func settings() {
      launched()
      let center = UNUserNotificationCenter.current()
      center.delegate?.userNotificationCenter(center, openSettingsFor: UNNotification(["note": 7]))
      center.delegate?.userNotificationCenter(center, openSettingsFor: nil)
      #expect(
        app.journal.events.suffix(2) == [
          .openNotificationSettings(payload: #"{"note":7}"#), .openNotificationSettings(),
        ])
    }

    @Test("The notification centre may call on any thread")
    func otherThread() async {
      app.journal = Journal(answers: ["willPresentNotification": .presentation(.banner)])
      launched()
      let options = await withCheckedContinuation { continuation in
        DispatchQueue.global().async {
          let center = UNUserNotificationCenter.current()
          center.delegate?.userNotificationCenter(center, willPresent: UNNotification([:])) {
            continuation.resume(returning: $0)
          }
        }
      }
      #expect(options == .banner)
      #expect(app.journal.events.last == .willPresentNotification(payload: "{}"))
    }
  }
}
