/// A name of an event, for the handlers in a plan (``On``) and for closures that listen to events.
///
/// An app declares its own events as constants. The declaration also says who owns the event:
///
/// ```swift
/// extension EventName {
///   static let consentGranted = EventName("consentGranted")
///   static let cartOpened = EventName("cartOpened", of: .scene)
/// }
/// ```
public struct EventName: Sendable, Hashable {
  /// An owner of events: the process or a scene.
  public enum Owner: Sendable, Hashable {
    /// The app as a whole owns the event, for example `"consentGranted"`.
    case process
    /// A scene owns the event, for example `"cartOpened"`. The scene must be given each time the event is sent.
    case scene
  }

  /// The name, as it is written in a manifest's `on`.
  public let name: String
  /// The owner of the event. For a standard event it is not used.
  public let owner: Owner

  /// Creates the name of an event of the app. The standard events are constants of this type.
  public init(_ name: String, of owner: Owner = .process) {
    (self.name, self.owner) = (name, owner)
  }
}

extension EventName {
  /// The app was launched. In a plan, the steps themselves handle it.
  public static let didFinishLaunching = EventName("didFinishLaunching")
  /// The app is about to come to the foreground.
  public static let willEnterForeground = EventName("willEnterForeground")
  /// The app is in the foreground and receives input.
  public static let didBecomeActive = EventName("didBecomeActive")
  /// The app is about to stop receiving input.
  public static let willResignActive = EventName("willResignActive")
  /// The app is in the background.
  public static let didEnterBackground = EventName("didEnterBackground")
  /// The app is about to exit.
  public static let willTerminate = EventName("willTerminate")
  /// The app should reload its configuration (`SIGHUP`).
  public static let didReceiveReload = EventName("didReceiveReload")
  /// The first screen is on the window.
  public static let didShowFirstScreen = EventName("didShowFirstScreen")
  /// The device is registered for remote notifications.
  public static let didRegisterForRemoteNotifications = EventName("didRegisterForRemoteNotifications")
  /// The registration for remote notifications failed.
  public static let didFailToRegisterForRemoteNotifications = EventName(
    "didFailToRegisterForRemoteNotifications")
  /// A notification that requests a background fetch arrived.
  public static let didReceiveRemoteNotification = EventName("didReceiveRemoteNotification")
  /// A notification arrived while the app is in the foreground.
  public static let willPresentNotification = EventName("willPresentNotification")
  /// The user responded to a notification.
  public static let didReceiveNotificationResponse = EventName("didReceiveNotificationResponse")
  /// The app should open a URL.
  public static let openURL = EventName("openURL")
  /// The app should continue an activity: a universal link or Handoff.
  public static let continueActivity = EventName("continueActivity")
  /// The user chose a quick action.
  public static let performQuickAction = EventName("performQuickAction")
  /// A new day began, or the time zone or the clock changed.
  public static let significantTimeChange = EventName("significantTimeChange")
  /// The system is low on memory.
  public static let didReceiveMemoryWarning = EventName("didReceiveMemoryWarning")
  /// The app is about to finish its launch, and has not restored its state yet.
  public static let willFinishLaunching = EventName("willFinishLaunching")
  /// The device is about to be locked. The app can then no longer read its protected files.
  public static let protectedDataWillBecomeUnavailable = EventName("protectedDataWillBecomeUnavailable")
  /// The device was unlocked. The app can read its protected files.
  public static let protectedDataDidBecomeAvailable = EventName("protectedDataDidBecomeAvailable")
  /// Transfers of a background URL session have ended.
  public static let handleEventsForBackgroundURLSession = EventName("handleEventsForBackgroundURLSession")
  /// The system runs a background task of the app.
  public static let performBackgroundTask = EventName("performBackgroundTask")
  /// The user accepted an invitation to records in CloudKit.
  public static let userDidAcceptCloudKitShare = EventName("userDidAcceptCloudKitShare")
  /// The app should show its settings for notifications.
  public static let openNotificationSettings = EventName("openNotificationSettings")
  /// The user removed scenes that were not connected.
  public static let didDiscardSceneSessions = EventName("didDiscardSceneSessions")
  /// A service became ready, after its first or a later start.
  public static let serviceReady = EventName("serviceReady")
  /// A service failed, and is not started again.
  public static let serviceFailed = EventName("serviceFailed")
  /// A service was started again.
  public static let serviceRestarted = EventName("serviceRestarted")
  /// A service was stopped while the app continues, or it ended with success.
  public static let serviceStopped = EventName("serviceStopped")
  /// A scene is about to appear.
  public static let sceneWillConnect = EventName("sceneWillConnect")
  /// A scene disconnected.
  public static let sceneDidDisconnect = EventName("sceneDidDisconnect")
  /// A scene is about to come to the foreground.
  public static let sceneWillEnterForeground = EventName("sceneWillEnterForeground")
  /// A scene receives input.
  public static let sceneDidBecomeActive = EventName("sceneDidBecomeActive")
  /// A scene is about to stop receiving input.
  public static let sceneWillResignActive = EventName("sceneWillResignActive")
  /// A scene is in the background.
  public static let sceneDidEnterBackground = EventName("sceneDidEnterBackground")

  /// The names of all standard events.
  package static let standardNames = [
    willFinishLaunching, didFinishLaunching, willEnterForeground, didBecomeActive, willResignActive,
    didEnterBackground, willTerminate, didReceiveReload, didShowFirstScreen,
    didRegisterForRemoteNotifications, didFailToRegisterForRemoteNotifications, didReceiveRemoteNotification,
    willPresentNotification, didReceiveNotificationResponse, openURL, continueActivity, performQuickAction,
    significantTimeChange, didReceiveMemoryWarning, protectedDataWillBecomeUnavailable,
    protectedDataDidBecomeAvailable, handleEventsForBackgroundURLSession, performBackgroundTask,
    userDidAcceptCloudKitShare, openNotificationSettings, didDiscardSceneSessions, serviceReady,
    serviceFailed, serviceRestarted, serviceStopped, sceneWillConnect, sceneDidDisconnect,
    sceneWillEnterForeground, sceneDidBecomeActive, sceneWillResignActive, sceneDidEnterBackground,
  ].map(\.name)

  /// The events of services.
  package static let ofServices = [serviceReady, serviceFailed, serviceRestarted, serviceStopped]
}

/// An error that reports that nothing handles an event which a command emitted after its launch had ended.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum EmitError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The launch ran without a `LifecycleHost`.
  case noHost(event: String)
  /// The `LifecycleHost` of the launch has ended.
  case hostEnded(event: String)

  /// The error message: the event, and the reason why it was not handled.
  public var description: String {
    switch self {
    case .noHost(let event):
      "\"\(event)\" was not emitted: the launch has ended and has no host; emit it before the command returns, or run "
        + "the plan in a LifecycleHost"
    case .hostEnded(let event): "\"\(event)\" was not emitted: the LifecycleHost of the launch has ended"
    }
  }
}
