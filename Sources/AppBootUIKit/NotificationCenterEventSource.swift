#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit) || canImport(WatchKit)
public import AppBoot
public import AppBootLifecycle
import Synchronization
#if canImport(UIKit) && !os(watchOS)
import UIKit
#elseif canImport(AppKit)
import AppKit
#else
import WatchKit
#endif

/// The platform's notifications as events, for an app that keeps a delegate of its own.
///
/// UIKit, AppKit and WatchKit tell of foreground and background; UIKit and AppKit of the end, UIKit of memory, and all of
/// them of a new day or another time. macOS knows no background: an app that is not active counts as in it.
public final class NotificationCenterEventSource: LifecycleEventSource {
  /// Which notifications are passed on.
  public enum Selection: Sendable {
    /// All that tell of the process.
    case all
    /// Foreground and background alone: what the delegate of an app with scenes is not told.
    case states
  }

  private let events: [(Notification.Name, LifecycleEvent)]
  private let observations = Mutex<[Observation]>([])

  /// Creates a source over the default notification centre.
  @MainActor
  public init(_ selection: Selection = .all) {
    events = selection == .all ? Self.states + Self.others : Self.states
  }

  deinit { stop() }

  /// Passes on the process's notifications, on the main thread: at once those that are posted there, and soon the others, such as
  /// that of a new day.
  public func start(_ receive: @escaping @Sendable (LifecycleEvent) -> Void) {
    let started = events.map { name, event in Observation(of: name) { MainThread.run { receive(event) } } }
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
      (UIApplication.willTerminateNotification, .willTerminate),
      (UIApplication.significantTimeChangeNotification, .significantTimeChange),
      (UIApplication.didReceiveMemoryWarningNotification, .didReceiveMemoryWarning),
    ]
  }
  #else
  /// A new day, and the clock and the time zone where they were changed.
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
    [(NSApplication.willTerminateNotification, .willTerminate)] + times
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

  private static var others: [(Notification.Name, LifecycleEvent)] { times }
  #endif
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
