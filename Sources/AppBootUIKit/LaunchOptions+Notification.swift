#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit) || canImport(WatchKit)
import AppBoot
import AppBootBase
import AppBootLifecycle
#if canImport(UIKit) && !os(watchOS)
import UIKit
#elseif canImport(AppKit)
import AppKit
import UserNotifications
#else
import WatchKit
#endif

extension LaunchOptions {
  /// Creates the options of a launch from the notification about its end.
  ///
  /// UIKit's notification has the launch options of the delegate. AppKit's has the user's response to a notification.
  @MainActor
  init(of notification: Notification) {
    #if canImport(UIKit) && !os(watchOS)
    var options: [UIApplication.LaunchOptionsKey: Any] = [:]
    for (key, value) in notification.userInfo ?? [:] {
      if let key = key.base as? UIApplication.LaunchOptionsKey {
        options[key] = value
      } else if let name = key.base as? String {
        options[UIApplication.LaunchOptionsKey(rawValue: name)] = value
      }
    }
    self = LaunchSource(options, in: .shared, hasScenes: Bundle.main.hasScenes, role: .current).options
    #elseif canImport(AppKit)
    var source = LaunchSource()
    let response = notification.userInfo?[NSApplication.launchUserNotificationUserInfoKey]
    source.response = (response as? UNNotificationResponse).map(NotificationResponse.init)
    self = source.options
    #else
    self.init()
    #endif
  }
}

#if canImport(UIKit) && !os(watchOS)
extension Bundle {
  /// True if the app has scenes.
  var hasScenes: Bool { object(forInfoDictionaryKey: "UIApplicationSceneManifest") != nil }
}
#endif
#endif
