import AppBoot
import AppBootCommands
import AppBootLifecycle
import AppBootSystem
import Testing
import UIKit

@testable import AppBootUIKit

extension BridgeTests {
  @Suite @MainActor struct PushTests {
    let app = TestAppDelegate()

    init() {
      app.text = #"""
        { "version": 1, "commands": [ { "command": "RegisterRemoteNotifications", "with": {
          "provider": "https://push.example/devices", "headers": { "Authorization": "Bearer 1" }, "timeout": "3s",
          "permissions": ["alert", "sound"],
          "categories": [ { "id": "NOTE", "actions": [
            { "id": "archive", "title": "Archive", "destructive": true },
            { "id": "reply", "title": "Reply", "textButton": "Send" } ] } ] } } ] }
        """#
    }

    @Test("The stock command asks Apple for a token, and the user for permission")
    func registration() {
      let phone = Phone(app)
      #expect(phone.launch())
      #expect(phone.application.remoteNotificationRegistrations == 1)
      let center = UNUserNotificationCenter.current()
      #expect(center.requestedOptions == [[.alert, .sound]])
      #expect(center.categories.map(\.identifier) == ["NOTE"])
      let actions = center.categories.first?.actions ?? []
      #expect(actions.map(\.identifier) == ["archive", "reply"])
      #expect(actions.map(\.options) == [.destructive, []])
      #expect((actions.last as? UNTextInputNotificationAction)?.textInputButtonTitle == "Send")
      #expect(app.host?.state.token == nil)
    }

    @Test("The stock registry has one command for remote notifications, and its service is Apple's")
    func registry() {
      let commands = StockCommands.all.filter { "\($0)".contains("RemoteNotifications") }
      #expect(commands.count == 1)
      let phone = Phone(app)
      app.text = #"{"version":1,"commands":["RegisterRemoteNotifications"]}"#
      #expect(phone.launch())
      #expect(phone.application.remoteNotificationRegistrations == 1)
      #expect(!app.journal.names.contains("didRegisterForRemoteNotifications"))
    }

    @Test("Apple's token goes to the app and to the provider")
    func token() throws {
      let sent = Lock<[URLRequest]>([])
      app.pushService.send = { request, completion in
        sent.withLock { $0.append(request) }
        completion(nil)
      }
      let phone = Phone(app)
      phone.launch()
      app.application(phone.application, didRegisterForRemoteNotificationsWithDeviceToken: Data([10, 255]))
      #expect(app.host?.state.token == "0aff")
      let request = try #require(sent.withLock(\.self).first)
      #expect(request.url?.absoluteString == "https://push.example/devices")
      #expect(request.httpMethod == "POST" && request.timeoutInterval == 3)
      #expect(request.value(forHTTPHeaderField: "Authorization") == "Bearer 1")
      let body = String(decoding: request.httpBody ?? Data(), as: UTF8.self)
      #expect(body == #"{"token":"0aff","platform":"\#(Host.platform)","reason":"normal"}"#)
    }

    @Test("A provider that refuses the token is a failed registration")
    func refusedToken() {
      app.pushService.send = { _, completion in completion("push.example answered with status 403") }
      let phone = Phone(app)
      phone.launch()
      app.application(phone.application, didRegisterForRemoteNotificationsWithDeviceToken: Data([10, 255]))
      let message = "push.example answered with status 403"
      #expect(app.journal.events.last == .didFailToRegisterForRemoteNotifications(error: message))
    }
  }
}
