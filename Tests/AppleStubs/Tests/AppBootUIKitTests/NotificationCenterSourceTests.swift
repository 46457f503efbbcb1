import AppBoot
import AppBootLifecycle
import AppBootSystem
import Testing
import UIKit

@testable import AppBootUIKit

extension BridgeTests {
  @Suite("The source of the notification centre") @MainActor struct NotificationCenterSourceTests {
    private let seen = Lock<[LifecycleEvent]>([])

    init() { UIApplication.reset() }

    /// Posts notifications while a source is started. Returns its events.
    private func events(of posts: [(Notification.Name, [AnyHashable: Any]?)]) -> [LifecycleEvent] {
      let source = NotificationCenterEventSource()
      source.start { [seen] event in seen.withLock { $0.append(event) } }
      for (name, userInfo) in posts {
        NotificationCenter.default.post(name: name, object: UIApplication.shared, userInfo: userInfo)
      }
      source.stop()
      NotificationCenter.default.post(
        name: UIApplication.willTerminateNotification, object: UIApplication.shared)
      return seen.withLock(\.self)
    }

    private func launch(_ userInfo: [AnyHashable: Any]?) -> LaunchOptions? {
      let name = UIApplication.didFinishLaunchingNotification
      guard case .didFinishLaunching(let options)? = events(of: [(name, userInfo)]).first else { return nil }
      return options
    }

    @Test("Each notification of UIKit is one event, until the source is stopped")
    func names() {
      let names = [
        UIApplication.didFinishLaunchingNotification, UIApplication.didBecomeActiveNotification,
        UIApplication.willResignActiveNotification, UIApplication.didEnterBackgroundNotification,
        UIApplication.willEnterForegroundNotification, UIApplication.significantTimeChangeNotification,
        UIApplication.didReceiveMemoryWarningNotification,
        UIApplication.protectedDataWillBecomeUnavailableNotification,
        UIApplication.protectedDataDidBecomeAvailableNotification,
      ]
      #expect(
        events(of: names.map { ($0, nil) }) == [
          .didFinishLaunching(LaunchOptions()), .didBecomeActive, .willResignActive, .didEnterBackground,
          .willEnterForeground, .significantTimeChange, .didReceiveMemoryWarning,
          .protectedDataWillBecomeUnavailable, .protectedDataDidBecomeAvailable,
        ])
    }

    @Test("The launch has the URL of its notification and the app that asked")
    func url() throws {
      let url = try #require(URL(string: "notes://7"))
      let payload = #"{"sourceApplication":"org.example.mail"}"#
      let expected = LaunchOptions(reason: .url, url: "notes://7", payload: payload)
      let options: [UIApplication.LaunchOptionsKey: Any] = [
        .url: url, .sourceApplication: "org.example.mail",
      ]
      #expect(launch(options) == expected)
    }

    @Test("The launch has the options of a notification whose keys are strings, as in Objective-C")
    func textKeys() throws {
      let url = try #require(URL(string: "notes://7"))
      #expect(
        launch(["UIApplicationLaunchOptionsURLKey": url]) == LaunchOptions(reason: .url, url: "notes://7"))
    }

    @Test(
      "The launch has the remote notification: the user tapped it, or it started the app in the background",
      arguments: [(UIApplication.State.inactive, LaunchReason.notification), (.background, .background)])
    func remoteNotification(state: UIApplication.State, reason: LaunchReason) {
      UIApplication.shared.applicationState = state
      let options: [UIApplication.LaunchOptionsKey: Any] = [.remoteNotification: ["note": 7]]
      #expect(launch(options) == LaunchOptions(reason: reason, payload: #"{"note":7}"#))
    }

    @Test("A late listener of a mediator receives the launch with its options")
    func replay() throws {
      let mediator = try LifecycleMediator(source: NotificationCenterEventSource())
      let url = try #require(URL(string: "notes://7"))
      let options: [UIApplication.LaunchOptionsKey: Any] = [.url: url]
      NotificationCenter.default.post(
        name: UIApplication.didFinishLaunchingNotification, object: UIApplication.shared, userInfo: options)
      let journal = Journal()
      mediator.subscribe(journal, holding: .strong, replaysLaunch: true)
      let launch = LaunchOptions(reason: .url, url: "notes://7")
      #expect(journal.events == [.didFinishLaunching(launch)])
    }
  }
}
