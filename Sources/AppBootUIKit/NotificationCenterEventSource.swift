#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit) || canImport(WatchKit)
import AppBoot
import AppBootBase
public import AppBootLifecycle
import AppBootSystem
#if canImport(UIKit) && !os(watchOS)
import UIKit
#elseif canImport(AppKit)
import AppKit
import UserNotifications
#else
import WatchKit
#endif

/// A source of events from the platform's notifications. It is for an app that does not use `AppBootAppDelegate`.
///
/// - UIKit, AppKit and WatchKit post the end of the launch, foreground, background, and changes of day or time.
/// - UIKit posts the launch with its URL or remote notification, in an app without scenes. AppKit posts it with the
///   notification that the user tapped. WatchKit posts no options.
/// - UIKit and AppKit post termination.
/// - UIKit posts memory warnings.
///
/// macOS has no background state: an inactive app counts as in the background.
public final class NotificationCenterEventSource: LifecycleEventSource {
  private let events: [(Notification.Name, LifecycleEvent)]
  /// The tokens of the observers. The centre accepts them on any thread.
  private let observers = Lock<[UncheckedSendable<any NSObjectProtocol>]>([])

  /// Creates a source that observes the default notification centre.
  @MainActor
  public convenience init() {
    self.init(Self.states + Self.others)
  }

  /// Creates a source of only the active, foreground and background events.
  ///
  /// The delegate of an app with scenes does not receive these events from UIKit.
  @MainActor
  static func ofStates() -> NotificationCenterEventSource { NotificationCenterEventSource(states) }

  private init(_ events: [(Notification.Name, LifecycleEvent)]) { self.events = events }

  deinit { stop() }

  /// Starts forwarding the system's notifications as events, on the main thread.
  ///
  /// A notification that is posted on the main thread is forwarded before the post returns. A notification from another
  /// thread is forwarded later.
  public func start(_ receive: @escaping @Sendable (LifecycleEvent) -> Void) {
    let started = events.map { name, event in
      let observer = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) {
        notification in
        let notification = UncheckedSendable(notification)
        MainQueue.run {
          guard case .didFinishLaunching = event else { return receive(event) }
          receive(.didFinishLaunching(LaunchOptions(of: notification.value)))
        }
      }
      return UncheckedSendable(observer)
    }
    observers.withLock { $0 = started }
  }

  /// Stops forwarding notifications.
  public func stop() {
    let ended = observers.withLock { observers in
      defer { observers = [] }
      return observers
    }
    for observer in ended { NotificationCenter.default.removeObserver(observer.value) }
  }
}

@MainActor
extension NotificationCenterEventSource {
  #if canImport(UIKit) && !os(watchOS)
  private static var states: [(Notification.Name, LifecycleEvent)] {
    [
      (UIApplication.willEnterForegroundNotification, .willEnterForeground),
      (UIApplication.didBecomeActiveNotification, .didBecomeActive),
      (UIApplication.willResignActiveNotification, .willResignActive),
      (UIApplication.didEnterBackgroundNotification, .didEnterBackground),
    ]
  }

  private static var others: [(Notification.Name, LifecycleEvent)] {
    [
      (UIApplication.didFinishLaunchingNotification, .didFinishLaunching(LaunchOptions())),
      (UIApplication.willTerminateNotification, .willTerminate),
      (UIApplication.significantTimeChangeNotification, .significantTimeChange),
      (UIApplication.didReceiveMemoryWarningNotification, .didReceiveMemoryWarning),
      (UIApplication.protectedDataWillBecomeUnavailableNotification, .protectedDataWillBecomeUnavailable),
      (UIApplication.protectedDataDidBecomeAvailableNotification, .protectedDataDidBecomeAvailable),
    ]
  }
  #else
  /// The names of the notifications about a new day and about changes of the clock and time zone, with their events.
  private static var times: [(Notification.Name, LifecycleEvent)] {
    [.NSCalendarDayChanged, .NSSystemClockDidChange, .NSSystemTimeZoneDidChange]
      .map { ($0, .significantTimeChange) }
  }
  #endif

  #if canImport(UIKit) && !os(watchOS)
  #elseif canImport(AppKit)
  private static var states: [(Notification.Name, LifecycleEvent)] {
    [
      (NSApplication.willBecomeActiveNotification, .willEnterForeground),
      (NSApplication.didBecomeActiveNotification, .didBecomeActive),
      (NSApplication.willResignActiveNotification, .willResignActive),
      (NSApplication.didResignActiveNotification, .didEnterBackground),
    ]
  }

  private static var others: [(Notification.Name, LifecycleEvent)] {
    [
      (NSApplication.didFinishLaunchingNotification, .didFinishLaunching(LaunchOptions())),
      (NSApplication.willTerminateNotification, .willTerminate),
    ] + times
  }
  #else
  private static var states: [(Notification.Name, LifecycleEvent)] {
    [
      (WKApplication.willEnterForegroundNotification, .willEnterForeground),
      (WKApplication.didBecomeActiveNotification, .didBecomeActive),
      (WKApplication.willResignActiveNotification, .willResignActive),
      (WKApplication.didEnterBackgroundNotification, .didEnterBackground),
    ]
  }

  private static var others: [(Notification.Name, LifecycleEvent)] {
    [(WKApplication.didFinishLaunchingNotification, .didFinishLaunching(LaunchOptions()))] + times
  }
  #endif
}

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
    source.response = (response as? UNNotificationResponse).map { NotificationResponse($0) }
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
