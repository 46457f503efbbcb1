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

extension OpenURLRequest {
  @MainActor
  init(_ context: UIOpenURLContext, scene: SceneID? = nil) {
    let options = context.options
    self.init(
      context.url.absoluteString, sourceApplication: options.sourceApplication,
      opensInPlace: options.openInPlace, annotation: options.annotation.flatMap(JSONPayload.fragment),
      scene: scene)
  }

  init(_ url: URL, _ options: [UIApplication.OpenURLOptionsKey: Any]) {
    self.init(
      url.absoluteString, sourceApplication: options[.sourceApplication] as? String,
      opensInPlace: options[.openInPlace] as? Bool ?? false,
      annotation: options[.annotation].flatMap(JSONPayload.fragment))
  }
}

#if !os(tvOS)
extension QuickAction {
  @MainActor
  init(_ item: UIApplicationShortcutItem, scene: SceneID? = nil) {
    self.init(item.type, userInfo: JSONPayload.text(unlessEmpty: item.userInfo), scene: scene)
  }
}
#endif

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
    request = (options[.url] as? URL).map {
      OpenURLRequest(
        $0.absoluteString, sourceApplication: options[.sourceApplication] as? String,
        annotation: options[.annotation].flatMap(JSONPayload.fragment))
    }
    #if !os(tvOS)
    quickAction = (options[.shortcutItem] as? UIApplicationShortcutItem).map { QuickAction($0) }
    #endif
    // The key of the activity in this dictionary is not public. The other value is its type.
    let activities = (options[.userActivityDictionary] as? [AnyHashable: Any])?.values
    activity = activities?.lazy.compactMap { $0 as? NSUserActivity }.first.map { UserActivity($0) }
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
    request = options.urlContexts.first.map { OpenURLRequest($0) }
    activity = options.userActivities.first.map { UserActivity($0) }
    #if !os(tvOS)
    quickAction = options.shortcutItem.map { QuickAction($0) }
    response = options.notificationResponse.map { NotificationResponse($0) }
    #endif
  }
}
#endif
