public import AppBoot

/// What a platform says at a launch or when a scene connects; why the app was launched follows from it.
public struct LaunchSource: Sendable, Hashable {
  /// The URL that the app was asked to open.
  public var url: String?
  /// The activity that the app was asked to continue.
  public var activity: UserActivity?
  /// The type of the quick action that the user chose.
  public var quickAction: String?
  /// What the user did with a notification.
  public var response: NotificationResponse?
  /// The payload of a notification that started the app in the background.
  public var remoteNotification: String?
  /// Whether the system started the app in the background for another reason.
  public var isBackground = false
  /// Whether the system started the app ahead of time.
  public var isPrewarmed = false

  /// Signs of a normal start.
  public init() {}

  /// Why and with what the app was launched.
  ///
  /// The most deliberate sign counts: what the user answered, chose, went on with or opened; then prewarming,
  /// then the background.
  public var options: LaunchOptions {
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
  /// What the event's commands find as the launch: why and with what they run.
  public var launchOptions: LaunchOptions {
    var signs = LaunchSource()
    switch self {
    case .didFinishLaunching(let options), .sceneWillConnect(_, let options): return options
    case .didReceiveNotificationResponse(let response, _): signs.response = response
    case .openURL(let url, _): signs.url = url
    case .continueActivity(let activity, _): signs.activity = activity
    case .performQuickAction(let type, _): signs.quickAction = type
    case .didReceiveRemoteNotification(let payload): signs.remoteNotification = payload
    case .willPresentNotification, .custom, .didShowFirstScreen, .didRegisterForRemoteNotifications,
      .didFailToRegisterForRemoteNotifications:
      return LaunchOptions(payload: payload)
    case .willEnterForeground, .didBecomeActive, .willResignActive, .didEnterBackground, .willTerminate,
      .didReceiveReload, .significantTimeChange, .didReceiveMemoryWarning, .sceneDidDisconnect,
      .sceneWillEnterForeground, .sceneDidBecomeActive, .sceneWillResignActive, .sceneDidEnterBackground:
      break
    }
    return signs.options
  }
}
