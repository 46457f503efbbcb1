public import AppBoot

/// An event in the life of an app, from its launch to its end.
///
/// Some events belong either to the process or to one scene. Their property `scene` is `nil` for the process.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum LifecycleEvent: Sendable, Hashable {
  /// The app is about to finish its launch, and has not restored its state yet.
  case willFinishLaunching(LaunchOptions)
  /// The app was launched.
  case didFinishLaunching(LaunchOptions)
  /// The app is about to come to the foreground.
  case willEnterForeground
  /// The app is in the foreground and receives input.
  case didBecomeActive
  /// The app is about to stop receiving input.
  case willResignActive
  /// The app is in the background.
  case didEnterBackground
  /// The app is about to exit.
  case willTerminate
  /// The app should reload its configuration (`SIGHUP`).
  case didReceiveReload
  /// The process shows its first screen. The value is the screen's name; `nil` if it is unknown.
  case didShowFirstScreen(screen: String?)
  /// The device is registered for remote notifications.
  case didRegisterForRemoteNotifications(token: [UInt8])
  /// The registration for remote notifications failed. The value is the error message.
  case didFailToRegisterForRemoteNotifications(error: String)
  /// A notification that requests a background fetch arrived. The payload is a JSON object.
  case didReceiveRemoteNotification(payload: String)
  /// A notification arrived while the app is in the foreground. The payload is a JSON object.
  case willPresentNotification(payload: String)
  /// The user responded to a notification.
  case didReceiveNotificationResponse(NotificationResponse)
  /// The app should open a URL.
  case openURL(OpenURLRequest)
  /// The app should continue an activity: a universal link or Handoff.
  case continueActivity(UserActivity)
  /// The user chose a quick action.
  case performQuickAction(QuickAction)
  /// A new day began, or the time zone or the clock changed.
  case significantTimeChange
  /// The system is low on memory.
  case didReceiveMemoryWarning
  /// The device is about to be locked. The app can then no longer read its protected files.
  case protectedDataWillBecomeUnavailable
  /// The device was unlocked. The app can read its protected files.
  case protectedDataDidBecomeAvailable
  /// Transfers of a background URL session have ended. The value is the session's identifier.
  case handleEventsForBackgroundURLSession(String)
  /// The system runs a background task of the app. The value is the task's identifier.
  case performBackgroundTask(String)
  /// The user accepted an invitation to records in CloudKit.
  case userDidAcceptCloudKitShare(CloudKitShare)
  /// The app should show its settings for notifications. The payload is that of a notification, a JSON object.
  case openNotificationSettings(payload: String? = nil)
  /// The user removed scenes that were not connected, for example in the app switcher.
  case didDiscardSceneSessions([SceneID])
  /// A service became ready, after its first or a later start.
  case serviceReady(ServiceChange)
  /// A service failed, and is not started again. A failure of its first start fails its step instead.
  case serviceFailed(ServiceChange)
  /// A service was started again, by its rules, after a change of its files or on request.
  case serviceRestarted(ServiceChange)
  /// A service was stopped while the app continues, or it ended with success.
  case serviceStopped(ServiceChange)
  /// A scene is about to appear.
  case sceneWillConnect(SceneConnection)
  /// A scene disconnected.
  case sceneDidDisconnect(SceneID)
  /// A scene is about to come to the foreground.
  case sceneWillEnterForeground(SceneID)
  /// A scene receives input.
  case sceneDidBecomeActive(SceneID)
  /// A scene is about to stop receiving input.
  case sceneWillResignActive(SceneID)
  /// A scene is in the background.
  case sceneDidEnterBackground(SceneID)
  /// A custom event that the app's registry declares.
  case custom(CustomEvent)
}

extension LifecycleEvent {
  /// The name of the event, as it is written in a manifest's `on`.
  public var name: String { traits.event.name }

  /// The scene that the event belongs to; `nil` for an event of the process.
  public var scene: SceneID? { traits.scene }

  /// The change of a service that the event is about; `nil` for other events.
  public var service: ServiceChange? {
    switch self {
    case .serviceReady(let change), .serviceFailed(let change), .serviceRestarted(let change),
      .serviceStopped(let change):
      change
    default: nil
    }
  }

  /// The rule by which the answers to the event are merged.
  package var answerRule: AnswerRule { traits.answers }

  /// The properties of an event that follow from its case: its name, its scene, and the rule for its answers.
  private var traits: (event: EventName, scene: SceneID?, answers: AnswerRule) {
    switch self {
    case .willFinishLaunching: (.willFinishLaunching, nil, .allTrue)
    case .didFinishLaunching: (.didFinishLaunching, nil, .allTrue)
    case .willEnterForeground: (.willEnterForeground, nil, .acknowledge)
    case .didBecomeActive: (.didBecomeActive, nil, .acknowledge)
    case .willResignActive: (.willResignActive, nil, .acknowledge)
    case .didEnterBackground: (.didEnterBackground, nil, .acknowledge)
    case .willTerminate: (.willTerminate, nil, .acknowledge)
    case .didReceiveReload: (.didReceiveReload, nil, .acknowledge)
    case .didShowFirstScreen: (.didShowFirstScreen, nil, .acknowledge)
    case .didRegisterForRemoteNotifications: (.didRegisterForRemoteNotifications, nil, .acknowledge)
    case .didFailToRegisterForRemoteNotifications:
      (.didFailToRegisterForRemoteNotifications, nil, .acknowledge)
    case .didReceiveRemoteNotification: (.didReceiveRemoteNotification, nil, .fetch)
    case .willPresentNotification: (.willPresentNotification, nil, .union)
    case .didReceiveNotificationResponse(let response):
      (.didReceiveNotificationResponse, response.scene, .acknowledge)
    case .openURL(let request): (.openURL, request.scene, .anyTrue)
    case .continueActivity(let activity): (.continueActivity, activity.scene, .anyTrue)
    case .performQuickAction(let action): (.performQuickAction, action.scene, .anyTrue)
    case .significantTimeChange: (.significantTimeChange, nil, .acknowledge)
    case .didReceiveMemoryWarning: (.didReceiveMemoryWarning, nil, .acknowledge)
    case .protectedDataWillBecomeUnavailable: (.protectedDataWillBecomeUnavailable, nil, .acknowledge)
    case .protectedDataDidBecomeAvailable: (.protectedDataDidBecomeAvailable, nil, .acknowledge)
    case .handleEventsForBackgroundURLSession: (.handleEventsForBackgroundURLSession, nil, .acknowledge)
    case .performBackgroundTask: (.performBackgroundTask, nil, .allTrue)
    case .userDidAcceptCloudKitShare(let share): (.userDidAcceptCloudKitShare, share.scene, .acknowledge)
    case .openNotificationSettings: (.openNotificationSettings, nil, .acknowledge)
    case .didDiscardSceneSessions: (.didDiscardSceneSessions, nil, .acknowledge)
    case .serviceReady: (.serviceReady, nil, .acknowledge)
    case .serviceFailed: (.serviceFailed, nil, .acknowledge)
    case .serviceRestarted: (.serviceRestarted, nil, .acknowledge)
    case .serviceStopped: (.serviceStopped, nil, .acknowledge)
    case .sceneWillConnect(let connection): (.sceneWillConnect, connection.scene, .acknowledge)
    case .sceneDidDisconnect(let scene): (.sceneDidDisconnect, scene, .acknowledge)
    case .sceneWillEnterForeground(let scene): (.sceneWillEnterForeground, scene, .acknowledge)
    case .sceneDidBecomeActive(let scene): (.sceneDidBecomeActive, scene, .acknowledge)
    case .sceneWillResignActive(let scene): (.sceneWillResignActive, scene, .acknowledge)
    case .sceneDidEnterBackground(let scene): (.sceneDidEnterBackground, scene, .acknowledge)
    case .custom(let event): (EventName(event.name), event.scene, .acknowledge)
    }
  }

  /// Returns one event for each case that has neither a payload nor a URL. Events of a scene have the given scene.
  static func withoutData(of scene: SceneID) -> [LifecycleEvent] {
    [
      .willEnterForeground, .didBecomeActive, .willResignActive, .didEnterBackground, .willTerminate,
      .didReceiveReload, .significantTimeChange, .didReceiveMemoryWarning,
      .protectedDataWillBecomeUnavailable, .protectedDataDidBecomeAvailable, .sceneDidDisconnect(scene),
      .sceneWillEnterForeground(scene), .sceneDidBecomeActive(scene), .sceneWillResignActive(scene),
      .sceneDidEnterBackground(scene),
    ]
  }
}

/// The facts of an event about a service.
public struct ServiceChange: Sendable, Hashable {
  /// The id of the service's step.
  public var id: String
  /// The last end of the service in words, for example "exited with code 1"; `nil` if it has not ended.
  public var reason: String?
  /// The exit code of the last end; `nil` without an end, after a signal, and for a service in Swift.
  public var exitCode: Int?
  /// The number of starts after the first one.
  public var restarts: Int

  /// Creates a change.
  public init(id: String, reason: String? = nil, exitCode: Int? = nil, restarts: Int = 0) {
    (self.id, self.reason, self.exitCode, self.restarts) = (id, reason, exitCode, restarts)
  }
}

/// A request to open a URL. A string literal is a request with only the URL.
public struct OpenURLRequest: Sendable, Hashable, ExpressibleByStringInterpolation {
  /// The URL.
  public var url: String
  /// The bundle identifier of the app that asks; `nil` if it is unknown.
  public var sourceApplication: String?
  /// True if the app must open the file where it is, and false if it may move the file.
  public var opensInPlace: Bool
  /// The data of the app that asks, as JSON; `nil` if there is none.
  public var annotation: String?
  /// The scene that opens the URL; `nil` for the process.
  public var scene: SceneID?

  /// Creates a request. By default nothing is known about the app that asks.
  public init(
    _ url: String, sourceApplication: String? = nil, opensInPlace: Bool = false, annotation: String? = nil,
    scene: SceneID? = nil
  ) {
    (self.url, self.sourceApplication, self.opensInPlace) = (url, sourceApplication, opensInPlace)
    (self.annotation, self.scene) = (annotation, scene)
  }

  /// Creates a request with only a URL.
  public init(stringLiteral url: String) { self.init(url) }
}

/// An activity that the user began elsewhere, for example on another device, and continues in this app.
public struct UserActivity: Sendable, Hashable {
  /// The type of a universal link: Foundation's `NSUserActivityTypeBrowsingWeb`.
  public static let browsingWeb = "NSUserActivityTypeBrowsingWeb"

  /// The type of the activity.
  public var type: String
  /// The URL of the activity's web page; `nil` if it has no page.
  public var url: String?
  /// The title of the activity; `nil` if it has none.
  public var title: String?
  /// The app's own data about the activity, a JSON object; `nil` if there is none.
  public var userInfo: String?
  /// The scene that continues the activity; `nil` for the process.
  public var scene: SceneID?

  /// Creates an activity. By default it is a universal link.
  public init(
    type: String = UserActivity.browsingWeb, url: String? = nil, title: String? = nil,
    userInfo: String? = nil,
    scene: SceneID? = nil
  ) {
    (self.type, self.url, self.title) = (type, url, title)
    (self.userInfo, self.scene) = (userInfo, scene)
  }
}

/// A quick action that the user chose. A string literal is an action with only its type.
public struct QuickAction: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The type of the action.
  public var type: String
  /// The app's own data about the action, a JSON object; `nil` if there is none.
  public var userInfo: String?
  /// The scene that performs the action; `nil` for the process.
  public var scene: SceneID?

  /// Creates an action.
  public init(_ type: String, userInfo: String? = nil, scene: SceneID? = nil) {
    (self.type, self.userInfo, self.scene) = (type, userInfo, scene)
  }

  /// Creates an action with only a type.
  public init(stringLiteral type: String) { self.init(type) }
}

/// An invitation to records in CloudKit that the user has accepted.
public struct CloudKitShare: Sendable, Hashable {
  /// The URL of the share.
  public var url: String
  /// The identifier of the share's container; `nil` if it is unknown.
  public var container: String?
  /// The scene that shows the records; `nil` for the process.
  public var scene: SceneID?

  /// Creates a share.
  public init(url: String, container: String? = nil, scene: SceneID? = nil) {
    (self.url, self.container, self.scene) = (url, container, scene)
  }
}

/// The user's response to a notification.
public struct NotificationResponse: Sendable, Hashable {
  /// The action that the user chose; `nil` if the user tapped the notification itself.
  public var action: String?
  /// The text that the user typed; `nil` if the action takes no text.
  public var text: String?
  /// The identifier of the notification's request; `nil` if it is unknown.
  public var identifier: String?
  /// The identifier of the notification's category; `nil` if it has none.
  public var category: String?
  /// The identifier of the notification's thread; `nil` if it has none.
  public var thread: String?
  /// The payload of the notification, a JSON object.
  public var payload: String
  /// The scene that handles the response; `nil` for the process.
  public var scene: SceneID?

  /// Creates a response.
  public init(
    action: String? = nil, text: String? = nil, identifier: String? = nil, category: String? = nil,
    thread: String? = nil, payload: String = "{}", scene: SceneID? = nil
  ) {
    (self.action, self.text, self.identifier) = (action, text, identifier)
    (self.category, self.thread, self.payload, self.scene) = (category, thread, payload, scene)
  }
}

/// A connection of a scene. A string literal is the connection of a scene that no request opened.
public struct SceneConnection: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The scene.
  public var scene: SceneID
  /// The reason and the request of the connection.
  public var options: LaunchOptions

  /// Creates a connection. By default no request opened the scene.
  public init(_ scene: SceneID, options: LaunchOptions = LaunchOptions()) {
    (self.scene, self.options) = (scene, options)
  }

  /// Creates the connection of a scene that no request opened.
  public init(stringLiteral scene: String) { self.init(SceneID(scene)) }
}

/// An event that the app's registry declares. A string literal is an event with only its name.
public struct CustomEvent: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The name of the event.
  public var name: String
  /// The text that the event carries; `nil` for none.
  public var payload: String?
  /// The scene that the event belongs to; `nil` for the process.
  public var scene: SceneID?

  /// Creates an event.
  public init(_ name: String, payload: String? = nil, scene: SceneID? = nil) {
    (self.name, self.payload, self.scene) = (name, payload, scene)
  }

  /// Creates an event with only a name.
  public init(stringLiteral name: String) { self.init(name) }
}
