package import AppBoot

/// The information that a platform passes to a launch or to a connecting scene. ``options`` is derived from it.
package struct LaunchSource: Sendable, Hashable {
  /// The URL to open; `nil` if there is none.
  package var url: String?
  /// The activity to continue; `nil` if there is none.
  package var activity: UserActivity?
  /// The type of the quick action that the user chose; `nil` if there is none.
  package var quickAction: String?
  /// The user's response to a notification; `nil` if there is none.
  package var response: NotificationResponse?
  /// The payload of a notification that started the app in the background; `nil` if there is none.
  package var remoteNotification: String?
  /// True if the system started the app in the background for another reason.
  package var isBackground = false
  /// True if the system started the app before the user needs it (prewarming).
  package var isPrewarmed = false

  /// Creates the source of a normal launch.
  package init() {}

  /// The launch options: the reason for the launch, the URL and the payload.
  ///
  /// If there are several reasons, the first of this order is used: notification response, quick action, activity, URL.
  /// Without any of these it is prewarming, then the background, then a normal launch.
  package var options: LaunchOptions {
    if let response { return LaunchOptions(reason: .notification, payload: response.payload) }
    if let quickAction {
      return LaunchOptions(reason: .quickAction, payload: JSONText.object(["type": quickAction]))
    }
    if let activity {
      let payload = JSONText.object(["type": activity.type])
      return LaunchOptions(reason: .activity, url: activity.url, payload: payload)
    }
    if let url { return LaunchOptions(reason: .url, url: url) }
    if isPrewarmed { return LaunchOptions(reason: .prewarm) }
    if let remoteNotification { return LaunchOptions(reason: .background, payload: remoteNotification) }
    return LaunchOptions(reason: isBackground ? .background : .normal)
  }
}

extension LifecycleEvent {
  /// The launch options that the event's handlers receive in their context.
  package var launchOptions: LaunchOptions {
    var source = LaunchSource()
    switch self {
    case .didFinishLaunching(let options), .sceneWillConnect(_, let options): return options
    case .didReceiveNotificationResponse(let response, _): source.response = response
    case .openURL(let url, _): source.url = url
    case .continueActivity(let activity, _): source.activity = activity
    case .performQuickAction(let type, _): source.quickAction = type
    case .didReceiveRemoteNotification(let payload): source.remoteNotification = payload
    case .willPresentNotification, .custom, .didShowFirstScreen, .didRegisterForRemoteNotifications,
      .didFailToRegisterForRemoteNotifications:
      return LaunchOptions(payload: payload)
    case .willEnterForeground, .didBecomeActive, .willResignActive, .didEnterBackground, .willTerminate,
      .didReceiveReload, .significantTimeChange, .didReceiveMemoryWarning, .sceneDidDisconnect,
      .sceneWillEnterForeground, .sceneDidBecomeActive, .sceneWillResignActive, .sceneDidEnterBackground:
      break
    }
    return source.options
  }
}
