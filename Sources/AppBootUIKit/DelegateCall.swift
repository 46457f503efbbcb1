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
  private struct Pending {
    let id: Int
    let call: DelegateCall
    /// The responders that have received the objects.
    var takers: Set<ObjectIdentifier> = []
  }

  private var calls: [LifecycleEvent: [Pending]] = [:]
  private var lastID = 0

  /// Creates an empty table.
  nonisolated init() {}

  /// True if no event waits for its outcome.
  var isEmpty: Bool { calls.isEmpty }

  /// Returns the call of an event that a responder handles; `nil` if no delegate was called for it.
  ///
  /// Equal events can be pending at the same time. Each responder handles them in the order of their calls, so it gets
  /// the oldest call that it has not had yet. An event that a command emitted takes no call if there is no equal one.
  func take(_ event: LifecycleEvent, for responder: ObjectIdentifier) -> DelegateCall? {
    guard let pending = calls[event] else { return nil }
    guard let index = pending.firstIndex(where: { !$0.takers.contains(responder) }) else {
      return pending.last?.call
    }
    calls[event]?[index].takers.insert(responder)
    return pending[index].call
  }

  /// Adds a call. Returns its number.
  func add(_ call: DelegateCall, for event: LifecycleEvent) -> Int {
    lastID += 1
    calls[event, default: []].append(Pending(id: lastID, call: call))
    return lastID
  }

  /// Removes the call with a number.
  func remove(_ id: Int, of event: LifecycleEvent) {
    calls[event]?.removeAll { $0.id == id }
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
