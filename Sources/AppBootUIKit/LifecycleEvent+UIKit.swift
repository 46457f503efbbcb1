#if canImport(UIKit) && !os(watchOS)
import AppBoot
import AppBootLifecycle
import UIKit
import UserNotifications

extension NSUserActivity {
  convenience init(_ activity: UserActivity) {
    self.init(activityType: activity.type)
    title = activity.title
    // Foundation raises an exception for any other scheme.
    if let url = activity.url, url.hasPrefix("http") { webpageURL = URL(string: url) }
    userInfo = activity.userInfo.map(JSONPayload.object)
  }
}

extension OpenURLOptions {
  @MainActor
  init(_ options: UIScene.OpenURLOptions) {
    self.init(
      sourceApplication: options.sourceApplication, opensInPlace: options.openInPlace,
      annotation: options.annotation.flatMap(JSONPayload.fragment))
  }

  init(_ options: [UIApplication.OpenURLOptionsKey: Any]) {
    self.init(
      sourceApplication: options[.sourceApplication] as? String,
      opensInPlace: options[.openInPlace] as? Bool ?? false,
      annotation: options[.annotation].flatMap(JSONPayload.fragment))
  }
}

#if !os(tvOS)
private var orientations: [(InterfaceOrientations, UIInterfaceOrientationMask)] {
  [
    (.portrait, .portrait), (.portraitUpsideDown, .portraitUpsideDown), (.landscapeLeft, .landscapeLeft),
    (.landscapeRight, .landscapeRight),
  ]
}

extension UIInterfaceOrientationMask {
  init(_ set: InterfaceOrientations) { self.init(orientations.filter { set.contains($0.0) }.map(\.1)) }
}

extension InterfaceOrientations {
  init(_ mask: UIInterfaceOrientationMask) {
    self.init(orientations.filter { mask.contains($0.1) }.map(\.0))
  }
}
#endif

private var fetchResults: [(FetchResult, UIBackgroundFetchResult)] {
  [(.newData, .newData), (.failed, .failed), (.noData, .noData)]
}

extension FetchResult {
  init(_ result: UIBackgroundFetchResult) { self = fetchResults.first { $0.1 == result }?.0 ?? .noData }
}

extension UIBackgroundFetchResult {
  init(_ answer: LifecycleAnswer) { self = fetchResults.first { .fetch($0.0) == answer }?.1 ?? .noData }
}

private var presentations: [(PresentationOptions, UNNotificationPresentationOptions)] {
  [(.banner, .banner), (.list, .list), (.sound, .sound), (.badge, .badge)]
}

extension PresentationOptions {
  init(_ options: UNNotificationPresentationOptions) {
    self.init(presentations.filter { options.contains($0.1) }.map(\.0))
  }
}

extension UNNotificationPresentationOptions {
  init(_ answer: LifecycleAnswer) {
    var chosen: PresentationOptions = []
    if case .presentation(let options) = answer { chosen = options }
    self.init(presentations.filter { chosen.contains($0.0) }.map(\.1))
  }
}

extension LifecycleAnswer {
  /// The answer as a Boolean; false if the answer is of another kind.
  var bool: Bool { self == .bool(true) }
}

extension LaunchSource {
  /// Creates a source from the launch options.
  ///
  /// UIKit passes the requests of an app with scenes to the scene instead.
  @MainActor
  init(
    _ options: [UIApplication.LaunchOptionsKey: Any]?, in application: UIApplication, hasScenes: Bool,
    role: ProcessRole
  ) {
    self.init()
    let options = options ?? [:]
    url = (options[.url] as? URL)?.absoluteString
    urlOptions = OpenURLOptions(
      sourceApplication: options[.sourceApplication] as? String,
      annotation: options[.annotation].flatMap(JSONPayload.fragment))
    #if !os(tvOS)
    if let item = options[.shortcutItem] as? UIApplicationShortcutItem {
      quickAction = item.type
      quickActionUserInfo = JSONPayload.text(unlessEmpty: item.userInfo)
    }
    #endif
    // The key of the activity in this dictionary is not public. The other value is its type.
    let activities = (options[.userActivityDictionary] as? [AnyHashable: Any])?.values
    activity = activities?.lazy.compactMap { $0 as? NSUserActivity }.first.map(UserActivity.init)
    let payload = (options[.remoteNotification] as? [AnyHashable: Any]).map(JSONPayload.text)
    isBackground = Self.isInBackground(options, application, hasScenes, role)
    if isBackground {
      remoteNotification = payload
    } else {
      // In the foreground, the user has tapped the notification.
      response = payload.map { NotificationResponse(payload: $0) }
    }
  }

  /// Returns whether the system launches the app in the background.
  ///
  /// An app with scenes always starts in the background state (Apple, `applicationState`), so that the state says
  /// nothing. The role of the process does; without it, the launch options do that only a background launch has.
  @MainActor
  private static func isInBackground(
    _ options: [UIApplication.LaunchOptionsKey: Any], _ application: UIApplication, _ hasScenes: Bool,
    _ role: ProcessRole
  ) -> Bool {
    guard hasScenes else { return application.applicationState == .background }
    switch role {
    case .foreground: return false
    case .background: return true
    case .unknown:
      #if os(tvOS)
      return options[.remoteNotification] != nil
      #else
      let keys: [UIApplication.LaunchOptionsKey] = [
        .remoteNotification, .location, .bluetoothCentrals, .bluetoothPeripherals,
      ]
      return keys.contains { options[$0] != nil }
      #endif
    }
  }

  /// Creates a source from a scene's connection options.
  @MainActor
  init(_ options: UIScene.ConnectionOptions) {
    self.init()
    if let context = options.urlContexts.first {
      url = context.url.absoluteString
      urlOptions = OpenURLOptions(context.options)
    }
    activity = options.userActivities.first.map(UserActivity.init)
    #if !os(tvOS)
    if let item = options.shortcutItem {
      quickAction = item.type
      quickActionUserInfo = JSONPayload.text(unlessEmpty: item.userInfo)
    }
    response = options.notificationResponse.map(NotificationResponse.init)
    #endif
  }
}
#endif
