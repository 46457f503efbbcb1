#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
public import AppBoot
public import AppBootLifecycle
public import UIKit
import UserNotifications

/// An app delegate whose every method is an event: the app says only how its host is made.
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
  public let windows = UIKitWindows()
  /// What runs the app; `nil` before the launch, and where it could not be made.
  public private(set) var host: LifecycleHost?
  private let fetches = PendingCompletions<UIBackgroundFetchResult>()
  private let actions = PendingCompletions<Bool>()
  private var notifications: NotificationDelegate?
  /// What UIKit will tell once more; without scenes, until the app is active.
  private var echoes: [DuplicateEventFilter] = []

  /// Expects to be told once more what a scene was told when it connected.
  func expectEchoes(of signs: LaunchSource) { echoes.append(DuplicateEventFilter(of: signs, isScene: true)) }

  /// Makes what runs the app; to be overridden. By default an app without commands.
  ///
  /// - Throws: Any error; ``launchFailed(_:)`` is called with it.
  open func makeHost() throws -> LifecycleHost {
    LifecycleHost(StartupPlan(sequence: []), configuration: scenes())
  }

  /// The host could not be made: a manifest that is invalid, for instance. By default nothing.
  open func launchFailed(_ error: any Error) {}

  /// A host's configuration whose scenes have the windows of the scene delegates.
  public func scenes() -> LifecycleHost.Configuration {
    var configuration = LifecycleHost.Configuration()
    let windows = windows
    configuration.window = { windows[$0] }
    return configuration
  }

  // MARK: - The launch

  /// `didFinishLaunching`; the answer is the merged one, or `true` where it takes longer.
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
      if Self.usesScenes { try host.attach(NotificationCenterEventSource(.states)) }
    } catch {
      launchFailed(error)
      return false
    }
    let signs = LaunchSource(launchOptions, in: application, hasScenes: Self.usesScenes)
    echoes = [DuplicateEventFilter(of: signs)]
    return ask(.didFinishLaunching(signs.options)) ?? true
  }

  /// Whether the app has scenes: then UIKit tells its delegate nothing of foreground and background, and posts it only.
  private static var usesScenes: Bool {
    Bundle.main.object(forInfoDictionaryKey: "UIApplicationSceneManifest") != nil
  }

  // MARK: - States

  /// `willEnterForeground`
  open func applicationWillEnterForeground(_ application: UIApplication) {
    host?.receive(.willEnterForeground)
  }
  /// `didBecomeActive`
  open func applicationDidBecomeActive(_ application: UIApplication) {
    echoes = []
    host?.receive(.didBecomeActive)
  }
  /// `willResignActive`
  open func applicationWillResignActive(_ application: UIApplication) { host?.receive(.willResignActive) }
  /// `didEnterBackground`
  open func applicationDidEnterBackground(_ application: UIApplication) { host?.receive(.didEnterBackground) }
  /// `willTerminate`
  open func applicationWillTerminate(_ application: UIApplication) { host?.receive(.willTerminate) }
  /// `significantTimeChange`
  open func applicationSignificantTimeChange(_ application: UIApplication) {
    host?.receive(.significantTimeChange)
  }
  /// `didReceiveMemoryWarning`
  open func applicationDidReceiveMemoryWarning(_ application: UIApplication) {
    host?.receive(.didReceiveMemoryWarning)
  }

  // MARK: - Remote notifications

  /// `didRegisterForRemoteNotifications`
  open func application(
    _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
  ) { host?.receive(.didRegisterForRemoteNotifications(token: [UInt8](deviceToken))) }

  /// `didFailToRegisterForRemoteNotifications`
  open func application(
    _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
  ) { host?.receive(.didFailToRegisterForRemoteNotifications(error: String(describing: error))) }

  /// `didReceiveRemoteNotification`; the handler is called once, with the merged result.
  open func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
    fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  ) {
    guard let host else { return completionHandler(.noData) }
    let complete = fetches.keep(completionHandler)
    host.receive(.didReceiveRemoteNotification(payload: JSONPayload.text(userInfo))) {
      complete(UIBackgroundFetchResult($0.response.answer))
    }
  }

  // MARK: - Being asked for something

  /// `openURL`, in an app without scenes; what the launch has shown for the same URL is not shown again.
  open func application(
    _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
  ) -> Bool { ask(.openURL(url.absoluteString)) ?? false }

  /// `continueActivity`, in an app without scenes.
  open func application(
    _ application: UIApplication, continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
  ) -> Bool { ask(.continueActivity(UserActivity(userActivity))) ?? false }

  /// `performQuickAction`, in an app without scenes; the handler is called once.
  open func application(
    _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void
  ) {
    let complete = actions.keep(completionHandler)
    receive(.performQuickAction(shortcutItem.type)) { complete($0?.response.answer.bool ?? false) }
  }

  /// Lets the host handle a request that it may have been told with the launch; `nil` where there is no host.
  private func receive(
    _ request: LifecycleEvent, _ completion: @escaping @Sendable (LifecycleOutcome?) -> Void
  ) {
    guard let host else { return completion(nil) }
    let isEcho = echoes.indices.contains { echoes[$0].take(request) }
    host.receive(request, isDuplicate: isEcho, completion: completion)
  }

  /// The merged answer, where it is there at once.
  private func ask(_ event: LifecycleEvent) -> Bool? {
    let slot = Slot<Bool?>()
    receive(event) { slot.set($0?.response.answer.bool) }
    return slot.current ?? nil
  }
}
#endif
