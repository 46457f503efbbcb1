package import AppBoot

/// The information that a platform passes to a launch or to a connecting scene. ``options`` is derived from it.
package struct LaunchSource: Sendable, Hashable {
  /// The request to open a URL; `nil` if there is none.
  package var request: OpenURLRequest?
  /// The activity to continue; `nil` if there is none.
  package var activity: UserActivity?
  /// The quick action that the user chose; `nil` if there is none.
  package var quickAction: QuickAction?
  /// The user's response to a notification; `nil` if there is none.
  package var response: NotificationResponse?
  /// The payload of a notification that started the app in the background; `nil` if there is none.
  package var remoteNotification: String?
  /// True if the system started the app in the background for another reason.
  package var isBackground = false

  /// Creates the source of a normal launch.
  package init() {}

  /// The launch options: the reason for the launch, the URL and the payload.
  ///
  /// If there are several reasons, the first of this order is used: notification response, quick action, activity, URL.
  /// Without any of these, it is `background` for a launch in the background, and `normal` otherwise. The payload has
  /// the data of the reason.
  package var options: LaunchOptions {
    if let response { return LaunchOptions(reason: .notification, payload: response.payload) }
    if let quickAction { return LaunchOptions(reason: .quickAction, payload: quickAction.eventPayload) }
    if let activity {
      return LaunchOptions(reason: .activity, url: activity.url, payload: activity.eventPayload)
    }
    if let request { return LaunchOptions(reason: .url, url: request.url, payload: request.eventPayload) }
    if let remoteNotification { return LaunchOptions(reason: .background, payload: remoteNotification) }
    return LaunchOptions(reason: isBackground ? .background : .normal)
  }
}

extension LifecycleEvent {
  /// The launch options that the event's handlers receive in their context.
  package var launchOptions: LaunchOptions {
    switch self {
    case .willFinishLaunching(let options), .didFinishLaunching(let options): options
    case .sceneWillConnect(let connection): connection.options
    case .didReceiveNotificationResponse(let response):
      LaunchOptions(reason: .notification, payload: response.payload)
    case .continueActivity: LaunchOptions(reason: .activity, url: url, payload: payload)
    case .performQuickAction: LaunchOptions(reason: .quickAction, payload: payload)
    case .didReceiveRemoteNotification, .performBackgroundTask, .handleEventsForBackgroundURLSession:
      LaunchOptions(reason: .background, payload: payload)
    default: LaunchOptions(url: url, payload: payload)
    }
  }
}

extension LaunchReason {
  /// True if the app starts without being visible.
  package var isOutOfSight: Bool {
    switch self {
    case .background, .prewarm: true
    case .normal, .url, .activity, .quickAction, .notification: false
    }
  }
}

/// A filter that recognizes an event with which UIKit repeats the request that launched the app.
///
/// In an app without scenes, UIKit passes the URL, the activity or the quick action to the launch, and then again to
/// the delegate. The scene delegate does the same for a connecting scene. UIKit repeats each notification response. The
/// host handles the repeated event too, but does not show the same screen twice
/// (``ScreenCoordinator/forRepeatedEvents``).
package struct DuplicateEventFilter: Sendable, Hashable {
  private var expected: LifecycleEvent?

  /// Creates a filter that expects a repetition of the request of a launch, or of a scene's connection.
  ///
  /// - Parameter scene: The connecting scene; `nil` for a launch.
  package init(of source: LaunchSource, in scene: SceneID? = nil) {
    switch source.options.reason {
    case .notification: expected = source.response.map { .didReceiveNotificationResponse($0) }
    case .url: expected = source.request.map { .openURL($0) }
    case .activity: expected = source.activity.map { .continueActivity($0) }
    case .quickAction: expected = source.quickAction.map { .performQuickAction($0) }
    case .normal, .background, .prewarm: break
    }
    expected = expected.map { Self.request($0, in: scene) }
  }

  /// Returns `true` for the first event that repeats the launch's request, and `false` for all other events.
  package mutating func take(_ event: LifecycleEvent) -> Bool {
    guard let expected, Self.request(event, in: event.scene) == expected else { return false }
    self.expected = nil
    return true
  }

  /// Returns the event with only those values that the platform passes both to the launch and to the delegate.
  private static func request(_ event: LifecycleEvent, in scene: SceneID?) -> LifecycleEvent {
    switch event {
    case .didReceiveNotificationResponse(let response):
      .didReceiveNotificationResponse(NotificationResponse(payload: response.payload))
    case .openURL(let request): .openURL(OpenURLRequest(request.url, scene: scene))
    case .continueActivity(let activity):
      .continueActivity(UserActivity(type: activity.type, url: activity.url, scene: scene))
    case .performQuickAction(let action): .performQuickAction(QuickAction(action.type, scene: scene))
    default: event
    }
  }
}
