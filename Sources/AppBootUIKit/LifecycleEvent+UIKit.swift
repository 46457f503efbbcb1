#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
import AppBoot
import AppBootLifecycle
import UIKit
import UserNotifications

extension LaunchSource {
  /// Creates a source from the launch options. Without options it is empty, except for `isBackground`.
  ///
  /// UIKit passes most options of an app with scenes to the scene instead. Such an app is never in the background here.
  @MainActor
  init(_ options: [UIApplication.LaunchOptionsKey: Any]?, in application: UIApplication, hasScenes: Bool) {
    self.init()
    url = (options?[.url] as? URL)?.absoluteString
    quickAction = (options?[.shortcutItem] as? UIApplicationShortcutItem)?.type
    // The key of the activity in this dictionary is not public. The other value is its type.
    let activities = (options?[.userActivityDictionary] as? [AnyHashable: Any])?.values
    activity = activities?.lazy.compactMap { $0 as? NSUserActivity }.first.map(UserActivity.init)
    // An app with scenes always starts in the background state (Apple, `applicationState`).
    let isInBackground = application.applicationState == .background
    isBackground = isInBackground && !hasScenes
    if let payload = (options?[.remoteNotification] as? [AnyHashable: Any]).map(JSONPayload.text) {
      // In the foreground, the user has tapped the notification.
      if isInBackground {
        remoteNotification = payload
      } else {
        response = NotificationResponse(payload: payload)
      }
    }
    // The system sets this in a process that it prewarms (Apple, "About the app launch sequence").
    isPrewarmed = ProcessInfo.processInfo.environment["ActivePrewarm"] == "1"
  }

  /// Creates a source from a scene's connection options.
  @MainActor
  init(_ options: UIScene.ConnectionOptions) {
    self.init()
    url = options.urlContexts.first?.url.absoluteString
    activity = options.userActivities.first.map(UserActivity.init)
    quickAction = options.shortcutItem?.type
    response = options.notificationResponse.map(NotificationResponse.init)
  }
}

extension UserActivity {
  init(_ activity: NSUserActivity) {
    self.init(type: activity.activityType, url: activity.webpageURL?.absoluteString)
  }
}

extension NotificationResponse {
  init(_ response: UNNotificationResponse) {
    let action = response.actionIdentifier
    self.init(
      action: action == UNNotificationDefaultActionIdentifier ? nil : action,
      payload: JSONPayload.text(response.notification.request.content.userInfo))
  }
}

/// A converter from a notification's payload to JSON text.
enum JSONPayload {
  /// Returns the payload as JSON; `{}` if JSON cannot represent it.
  static func text(_ payload: [AnyHashable: Any]) -> String {
    guard JSONSerialization.isValidJSONObject(payload),
      let data = try? JSONSerialization.data(withJSONObject: payload)
    else { return "{}" }
    return String(decoding: data, as: UTF8.self)
  }
}

extension UIBackgroundFetchResult {
  init(_ answer: LifecycleAnswer) {
    switch answer {
    case .fetch(.newData): self = .newData
    case .fetch(.failed): self = .failed
    case .fetch(.noData), .acknowledged, .bool, .presentation: self = .noData
    }
  }
}

extension UNNotificationPresentationOptions {
  init(_ answer: LifecycleAnswer) {
    self = []
    guard case .presentation(let options) = answer else { return }
    if options.contains(.banner) { insert(.banner) }
    if options.contains(.list) { insert(.list) }
    if options.contains(.sound) { insert(.sound) }
    if options.contains(.badge) { insert(.badge) }
  }
}

extension LifecycleAnswer {
  /// The answer as a Boolean; false if the answer is of another kind.
  var bool: Bool {
    switch self {
    case .bool(let flag): flag
    case .acknowledged, .fetch, .presentation: false
    }
  }
}
#endif
