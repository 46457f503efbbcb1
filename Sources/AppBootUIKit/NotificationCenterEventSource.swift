#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
public import AppBoot
import Synchronization
import UIKit

/// UIKit's notifications as events, for an app that keeps a delegate of its own.
public final class NotificationCenterEventSource: LifecycleEventSource {
  private let observations = Mutex<[Observation]>([])

  /// Creates a source over the default notification centre.
  public init() {}

  deinit { stop() }

  /// Passes on the process's notifications, on the thread that posts them.
  public func start(_ receive: @escaping @Sendable (LifecycleEvent) -> Void) {
    let events: [(Notification.Name, LifecycleEvent)] = [
      (UIApplication.willEnterForegroundNotification, .willEnterForeground),
      (UIApplication.didBecomeActiveNotification, .didBecomeActive),
      (UIApplication.willResignActiveNotification, .willResignActive),
      (UIApplication.didEnterBackgroundNotification, .didEnterBackground),
      (UIApplication.willTerminateNotification, .willTerminate),
      (UIApplication.significantTimeChangeNotification, .significantTimeChange),
      (UIApplication.didReceiveMemoryWarningNotification, .didReceiveMemoryWarning),
    ]
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
