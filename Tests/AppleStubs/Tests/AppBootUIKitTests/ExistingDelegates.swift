import UIKit

@testable import AppBootUIKit

/// App delegates as an app has them before it uses AppBoot.
///
/// They log their calls and complete when the test says so.
@MainActor
final class PaymentsDelegate: UIResponder, UIApplicationDelegate {
  private(set) var options: [UIApplication.OpenURLOptionsKey: Any] = [:]
  var mayLaunch = true

  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool { mayLaunch }

  func application(
    _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
  ) -> Bool {
    self.options = options
    return url.scheme == "pay"
  }

  func application(
    _ application: UIApplication, supportedInterfaceOrientationsFor window: UIWindow?
  ) -> UIInterfaceOrientationMask { .portrait }
}

@MainActor
final class PushDelegate: UIResponder, UIApplicationDelegate {
  private(set) var calls: [String] = []
  private(set) var launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  private(set) var userInfo: [AnyHashable: Any] = [:]
  private(set) var error: (any Error)?
  private(set) var item: UIApplicationShortcutItem?
  private(set) var activity: NSUserActivity?
  private(set) var restore: (([any UIUserActivityRestoring]?) -> Void)?
  private(set) var sessions: Set<UISceneSession> = []
  private(set) var notification: UNNotification?
  private(set) var response: UNNotificationResponse?
  var fetched: (UIBackgroundFetchResult) -> Void = { _ in }
  var performed: (Bool) -> Void = { _ in }
  var finished: () -> Void = {}

  /// Releases the objects that it received.
  func reset() { (userInfo, fetched) = ([:], { _ in }) }

  func application(
    _ application: UIApplication,
    willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool {
    self.launchOptions = launchOptions
    return true
  }

  func applicationDidBecomeActive(_ application: UIApplication) { calls.append("active") }
  func applicationWillResignActive(_ application: UIApplication) { calls.append("inactive") }
  func applicationDidEnterBackground(_ application: UIApplication) { calls.append("background") }
  func applicationWillEnterForeground(_ application: UIApplication) { calls.append("foreground") }
  func applicationDidReceiveMemoryWarning(_ application: UIApplication) { calls.append("memory") }
  func applicationSignificantTimeChange(_ application: UIApplication) { calls.append("time") }
  func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication) { calls.append("locked") }
  func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication) { calls.append("unlocked") }
  func applicationWillTerminate(_ application: UIApplication) { calls.append("end") }

  func application(
    _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
  ) { calls.append("token \([UInt8](deviceToken))") }

  func application(
    _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
  ) { self.error = error }

  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
    fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  ) {
    self.userInfo = userInfo
    fetched = completionHandler
  }

  func application(
    _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void
  ) { finished = completionHandler }

  func application(
    _ application: UIApplication, continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
  ) -> Bool {
    activity = userActivity
    restore = restorationHandler
    return true
  }

  func application(
    _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void
  ) {
    item = shortcutItem
    performed = completionHandler
  }

  func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>) {
    sessions = sceneSessions
  }
}

extension PushDelegate: @preconcurrency UNUserNotificationCenterDelegate {
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) {
    self.notification = notification
    completionHandler(.banner)
  }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    self.response = response
    completionHandler()
  }
}

// MARK: - Methods that a delegate does not implement

extension UNUserNotificationCenterDelegate {
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?
  ) { OptionalMethod.isMissing() }
}

extension UIApplicationDelegate {
  private func missing<Value>(_ value: Value) -> Value {
    OptionalMethod.isMissing()
    return value
  }

  func application(
    _ application: UIApplication,
    willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool { missing(false) }
  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
  ) -> Bool { missing(false) }
  func applicationWillEnterForeground(_ application: UIApplication) { missing(()) }
  func applicationDidBecomeActive(_ application: UIApplication) { missing(()) }
  func applicationWillResignActive(_ application: UIApplication) { missing(()) }
  func applicationDidEnterBackground(_ application: UIApplication) { missing(()) }
  func applicationWillTerminate(_ application: UIApplication) { missing(()) }
  func applicationSignificantTimeChange(_ application: UIApplication) { missing(()) }
  func applicationDidReceiveMemoryWarning(_ application: UIApplication) { missing(()) }
  func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication) { missing(()) }
  func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication) { missing(()) }
  func application(
    _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data
  ) { missing(()) }
  func application(
    _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error
  ) { missing(()) }
  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
    fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void
  ) { missing(()) }
  func application(
    _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void
  ) { missing(()) }
  func application(
    _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
  ) -> Bool { missing(false) }
  func application(
    _ application: UIApplication, continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void
  ) -> Bool { missing(false) }
  func application(
    _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void
  ) { missing(()) }
  func application(
    _ application: UIApplication, supportedInterfaceOrientationsFor window: UIWindow?
  ) -> UIInterfaceOrientationMask { missing([]) }
  func application(
    _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
    options: UIScene.ConnectionOptions
  ) -> UISceneConfiguration { missing(connectingSceneSession.configuration) }
  func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>) {
    missing(())
  }
}
