#if canImport(UIKit) && !os(watchOS)
import AppBootLifecycle
import UIKit
import UserNotifications

/// The objects with which the system called a delegate for an event.
///
/// An event has only values that can be sent between threads. An ``ApplicationDelegateResponder`` passes these objects
/// on instead.
enum DelegateCall {
  case launch([UIApplication.LaunchOptionsKey: Any]?)
  case registrationError(any Error)
  case remoteNotification([AnyHashable: Any])
  case url(URL, [UIApplication.OpenURLOptionsKey: Any])
  case activity(NSUserActivity, ([any UIUserActivityRestoring]?) -> Void)
  case discardedSessions(Set<UISceneSession>)
  case connection(UIScene.ConnectionOptions)
  case presentation(UNNotification)
  #if !os(tvOS)
  case quickAction(UIApplicationShortcutItem)
  case response(UNNotificationResponse)
  case settings(UNNotification?)
  #endif
}

/// The calls whose events have no outcome yet.
@MainActor
final class DelegateCalls {
  private var calls: [LifecycleEvent: [DelegateCall]] = [:]

  /// Creates an empty table.
  nonisolated init() {}

  /// The oldest call of an event; `nil` if no delegate was called for it, for example if a command emitted it.
  subscript(event: LifecycleEvent) -> DelegateCall? { calls[event]?.first }

  func add(_ call: DelegateCall, for event: LifecycleEvent) { calls[event, default: []].append(call) }

  func removeFirst(of event: LifecycleEvent) {
    calls[event]?.removeFirst()
    if calls[event]?.isEmpty == true { calls[event] = nil }
  }
}

extension UIApplication.OpenURLOptionsKey {
  /// Returns the options of a scene's URL as an app without scenes receives them.
  @MainActor
  static func options(_ options: UIScene.OpenURLOptions) -> [Self: Any] {
    var all: [Self: Any] = [.openInPlace: options.openInPlace]
    all[.sourceApplication] = options.sourceApplication
    all[.annotation] = options.annotation
    return all
  }
}
#endif
