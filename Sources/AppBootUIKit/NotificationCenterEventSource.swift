#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
public import AppBoot
import Synchronization
import UIKit

/// UIKit's notifications as events, for an app that keeps a delegate of its own.
public final class NotificationCenterEventSource: LifecycleEventSource {
  /// Which notifications are passed on.
  public enum Selection: Sendable {
    /// All that tell of the process.
    case all
    /// Foreground and background alone: what the delegate of an app with scenes is not told.
    case states
  }

  private let selection: Selection
  private let observations = Mutex<[Observation]>([])

  /// Creates a source over the default notification centre.
  public init(_ selection: Selection = .all) { self.selection = selection }

  deinit { stop() }

  /// Passes on the process's notifications, on the thread that posts them.
  public func start(_ receive: @escaping @Sendable (LifecycleEvent) -> Void) {
    let states: [(Notification.Name, LifecycleEvent)] = [
      (UIApplication.willEnterForegroundNotification, .willEnterForeground),
      (UIApplication.didBecomeActiveNotification, .didBecomeActive),
      (UIApplication.willResignActiveNotification, .willResignActive),
      (UIApplication.didEnterBackgroundNotification, .didEnterBackground),
    ]
    let others: [(Notification.Name, LifecycleEvent)] = [
      (UIApplication.willTerminateNotification, .willTerminate),
      (UIApplication.significantTimeChangeNotification, .significantTimeChange),
      (UIApplication.didReceiveMemoryWarningNotification, .didReceiveMemoryWarning),
    ]
    let events = selection == .all ? states + others : states
    let started = events.map { name, event in Observation(of: name) { receive(event) } }
    observations.withLock { $0 = started }
  }

  /// Passes on nothing more.
  public func stop() {
    let ended = observations.withLock { observations in
      defer { observations = [] }
      return observations
    }
    for observation in ended { observation.end() }
  }
}

/// One observer of the default notification centre.
private final class Observation: Sendable {
  private let token: Mutex<(any NSObjectProtocol)?>

  init(of name: Notification.Name, _ body: @escaping @Sendable () -> Void) {
    token = Mutex(
      NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in body() })
  }

  func end() {
    token.withLock { token in
      if let observer = token { NotificationCenter.default.removeObserver(observer) }
      token = nil
    }
  }
}
#endif
