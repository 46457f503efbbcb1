#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
import AppBoot
import AppBootLifecycle
import UIKit
import UserNotifications

extension LaunchSource {
  /// What UIKit says at a launch; with scenes, most of it when they connect.
  @MainActor
  init(_ options: [UIApplication.LaunchOptionsKey: Any]?, in application: UIApplication, hasScenes: Bool) {
    self.init()
    url = (options?[.url] as? URL)?.absoluteString
    quickAction = (options?[.shortcutItem] as? UIApplicationShortcutItem)?.type
    // The activity is in there under a key without a public name, beside its type.
    let activities = (options?[.userActivityDictionary] as? [AnyHashable: Any])?.values
    activity = activities?.lazy.compactMap { $0 as? NSUserActivity }.first.map(UserActivity.init)
    // With scenes every app begins in the background (Apple, `applicationState`), whyever it was launched.
    let isOutOfSight = application.applicationState == .background
    isBackground = isOutOfSight && !hasScenes
    if let payload = (options?[.remoteNotification] as? [AnyHashable: Any]).map(JSONPayload.text) {
      // In the foreground it is there because the user tapped it.
      if isOutOfSight {
        remoteNotification = payload
      } else {
        response = NotificationResponse(payload: payload)
      }
    }
    // Set by the system in a process that it starts ahead of time (Apple, "About the app launch sequence").
    isPrewarmed = ProcessInfo.processInfo.environment["ActivePrewarm"] == "1"
  }

  /// What UIKit says when a scene connects.
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

/// A notification's payload as JSON text.
enum JSONPayload {
  /// `{}` where the payload is none that JSON can write.
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
  /// The answer to a question of yes or no.
  var bool: Bool {
    switch self {
    case .bool(let flag): flag
    case .acknowledged, .fetch, .presentation: false
    }
  }
}
#endif
