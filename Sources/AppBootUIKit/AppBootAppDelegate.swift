#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
import AppBoot
public import AppBootLifecycle
public import UIKit
import UserNotifications

/// An app delegate that sends each call of its methods to a `LifecycleHost` as an event. A subclass only makes the
/// host.
///
/// ```swift
/// @main final class AppDelegate: AppBootAppDelegate {
///   override func makeHost() throws -> LifecycleHost {
///     try AppDelegateFactory.makeHost(reading: path, registry: registry, configuration: scenes())
///   }
/// }
/// ```
@MainActor
open class AppBootAppDelegate: UIResponder, UIApplicationDelegate {
  /// The windows of the connected scenes.
  let windows = UIKitWindows()
  /// The host that runs the app. It is `nil` before the launch, and if `makeHost()` failed.
  public private(set) var host: LifecycleHost?
  private let fetches = PendingCompletions<UIBackgroundFetchResult>()
  private let actions = PendingCompletions<Bool>()
  private var notifications: NotificationDelegate?
  /// The filters that recognize events which UIKit sends twice. Without scenes, they last until the app is active.
  private var duplicateFilters: [DuplicateEventFilter] = []

  /// Adds a filter for the next event that repeats the notification response of a scene's connection.
  ///
  /// - Parameter source: The source of the scene's connection.
  func expectDuplicates(of source: LaunchSource) {
    duplicateFilters.append(DuplicateEventFilter(of: source, isScene: true))
  }

  /// Makes the host that runs the app. Override it: the default host has no commands.
  ///
  /// - Throws: Any error. The delegate passes it to ``launchFailed(_:)``.
  open func makeHost() throws -> LifecycleHost {
    LifecycleHost(StartupPlan(sequence: []), configuration: scenes())
  }

  /// Handles an error of ``makeHost()``, for example an invalid manifest. The default does nothing.
  open func launchFailed(_ error: any Error) {}

  /// Returns a host configuration that uses the windows of the scene delegates.
  public func scenes() -> LifecycleHost.Configuration {
    var configuration = LifecycleHost.Configuration()
    let windows = windows
    configuration.window = { windows[$0] }
    return configuration
  }

  // MARK: - The launch

  /// Sends `didFinishLaunching`. Returns the merged answer, or `true` if the answer is not available at once.
  ///
  /// Returns `false` if ``makeHost()`` failed.
  open func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    do {
      let host = try makeHost()
      self.host = host
      let notifications = NotificationDelegate { [weak self] in self?.receive($0, $1) }
      self.notifications = notifications
      UNUserNotificationCenter.current().delegate = notifications
      if Self.usesScenes { try host.attach(NotificationCenterEventSource.ofStates()) }
    } catch {
      launchFailed(error)
      return false
    }
    let source = LaunchSource(launchOptions, in: application, hasScenes: Self.usesScenes)
    duplicateFilters = [DuplicateEventFilter(of: source)]
    return ask(.didFinishLaunching(source.options)) ?? true
  }

  /// True if the app has scenes. UIKit then posts foreground and background only as notifications.
  private static var usesScenes: Bool {
    Bundle.main.object(forInfoDictionaryKey: "UIApplicationSceneManifest") != nil
  }

  // MARK: - States

  /// Sends `willEnterForeground`.
  open func applicationWillEnterForeground(_ application: UIApplication) {
    host?.receive(.willEnterForeground)
  }
  /// Sends `didBecomeActive`.
  open func applicationDidBecomeActive(_ application: UIApplication) {
    duplicateFilters = []
    host?.receive(.didBecomeActive)
  }
  /// Sends `willResignActive`.
  open func applicationWillResignActive(_ application: UIApplication) { host?.receive(.willResignActive) }
  /// Sends `didEnterBackground`.
  open func applicationDidEnterBackground(_ application: UIApplication) { host?.receive(.didEnterBackground) }
  /// Sends `willTerminate`.
  open func applicationWillTerminate(_ application: UIApplication) { host?.receive(.willTerminate) }
  /// Sends `significantTimeChange`.
  open func applicationSignificantTimeChange(_ application: UIApplication) {
    host?.receive(.significantTimeChange)
  }
  /// Sends `didReceiveMemoryWarning`.
  open func applicationDidReceiveMemoryWarning(_ application: UIApplication) {
    host?.receive(.didReceiveMemoryWarning)
  }

  // MARK: - Remote notifications

  /// Sends `didRegisterForRemoteNotifications`.
  open func application(
    _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
  ) { host?.receive(.didRegisterForRemoteNotifications(token: [UInt8](deviceToken))) }

  /// Sends `didFailToRegisterForRemoteNotifications`.
  open func application(
    _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
  ) { host?.receive(.didFailToRegisterForRemoteNotifications(error: String(describing: error))) }

  /// Sends `didReceiveRemoteNotification`. Calls the completion handler once, with the merged answer.
  open func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
    fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  ) {
    guard let host else { return completionHandler(.noData) }
    let complete = fetches.store(completionHandler)
    host.receive(.didReceiveRemoteNotification(payload: JSONPayload.text(userInfo))) {
      complete(UIBackgroundFetchResult($0.response.answer))
    }
  }

  // MARK: - Requests

  /// Sends `openURL` in an app without scenes. A URL that the launch has already shown is not shown again.
  open func application(
    _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
  ) -> Bool { ask(.openURL(url.absoluteString)) ?? false }

  /// Sends `continueActivity` in an app without scenes.
  open func application(
    _ application: UIApplication, continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
  ) -> Bool { ask(.continueActivity(UserActivity(userActivity))) ?? false }

  /// Sends `performQuickAction` in an app without scenes. Calls the completion handler once.
  open func application(
    _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void
  ) {
    let complete = actions.store(completionHandler)
    receive(.performQuickAction(shortcutItem.type)) { complete($0?.response.answer.bool ?? false) }
  }

  /// Passes an event to the host. Marks it as a duplicate if it repeats the request of the launch or of a connection.
  ///
  /// - Parameter completion: Receives the outcome; `nil` without a host.
  private func receive(
    _ request: LifecycleEvent, _ completion: @escaping @Sendable (LifecycleOutcome?) -> Void
  ) {
    guard let host else { return completion(nil) }
    let isDuplicate = duplicateFilters.indices.contains { duplicateFilters[$0].take(request) }
    host.receive(request, isDuplicate: isDuplicate, completion: completion)
  }

  /// Sends an event and returns the merged answer; `nil` if the answer is not available at once.
  private func ask(_ event: LifecycleEvent) -> Bool? {
    let slot = Slot<Bool?>()
    receive(event) { slot.set($0?.response.answer.bool) }
    return slot.current ?? nil
  }
}
#endif
