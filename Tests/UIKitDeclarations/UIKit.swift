// swift-format-ignore-file
// The declarations of UIKit that AppBootUIKit uses, for type-checking on Linux without an SDK.
// Written from Apple's public documentation; nothing here has an effect. The delegate protocols require the methods
// that AppBootUIKit implements, so that a wrong signature is an error.
@_exported import Foundation

@MainActor open class UIResponder: NSObject {}

@MainActor open class UIApplication: UIResponder {
  public struct LaunchOptionsKey: Hashable, Sendable {
    public static let url = LaunchOptionsKey()
    public static let remoteNotification = LaunchOptionsKey()
    public static let shortcutItem = LaunchOptionsKey()
    public static let userActivityDictionary = LaunchOptionsKey()
    public static let location = LaunchOptionsKey()
    public static let bluetoothCentrals = LaunchOptionsKey()
  }
  public struct OpenURLOptionsKey: Hashable, Sendable {}
  public enum State: Int, Sendable { case active, inactive, background }
  public static var shared: UIApplication { UIApplication() }
  public weak var delegate: (any UIApplicationDelegate)?
  public var applicationState: State { .active }
  public func registerForRemoteNotifications() {}
  nonisolated public static let willEnterForegroundNotification = Notification.Name("willEnterForeground")
  nonisolated public static let didBecomeActiveNotification = Notification.Name("didBecomeActive")
  nonisolated public static let willResignActiveNotification = Notification.Name("willResignActive")
  nonisolated public static let didEnterBackgroundNotification = Notification.Name("didEnterBackground")
  nonisolated public static let willTerminateNotification = Notification.Name("willTerminate")
  nonisolated public static let significantTimeChangeNotification = Notification.Name("significantTimeChange")
  nonisolated public static let didReceiveMemoryWarningNotification = Notification.Name("memoryWarning")
}

@MainActor public protocol UIUserActivityRestoring {}
public enum UIBackgroundFetchResult: UInt, Sendable { case newData, noData, failed }

@MainActor public protocol UIApplicationDelegate: AnyObject {
  func application(
    _ application: UIApplication,
    didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?) -> Bool
  func applicationWillEnterForeground(_ application: UIApplication)
  func applicationDidBecomeActive(_ application: UIApplication)
  func applicationWillResignActive(_ application: UIApplication)
  func applicationDidEnterBackground(_ application: UIApplication)
  func applicationWillTerminate(_ application: UIApplication)
  func applicationSignificantTimeChange(_ application: UIApplication)
  func applicationDidReceiveMemoryWarning(_ application: UIApplication)
  func application(
    _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data)
  func application(
    _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error)
  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
    fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void)
  func application(
    _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]) -> Bool
  func application(
    _ application: UIApplication, continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void) -> Bool
  func application(
    _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void)
}

open class NSUserActivity: NSObject {
  public init(activityType: String) { self.activityType = activityType }
  public let activityType: String
  public var webpageURL: URL?
  public var userInfo: [AnyHashable: Any]?
  public func addUserInfoEntries(from otherDictionary: [AnyHashable: Any]) {}
}

@MainActor open class UIApplicationShortcutItem: NSObject { public var type: String { "" } }

@MainActor open class UIScene: UIResponder {
  @MainActor open class ConnectionOptions: NSObject {
    public var urlContexts: Set<UIOpenURLContext> { [] }
    public var userActivities: Set<NSUserActivity> { [] }
    public var shortcutItem: UIApplicationShortcutItem? { nil }
    public var notificationResponse: UNNotificationResponse? { nil }
  }
  public var session: UISceneSession { UISceneSession() }
}
@MainActor open class UIWindowScene: UIScene {}
@MainActor open class UISceneSession: NSObject {
  public var persistentIdentifier: String { "" }
  public var stateRestorationActivity: NSUserActivity?
}
@MainActor open class UIOpenURLContext: NSObject { public var url: URL { URL(fileURLWithPath: "/") } }

@MainActor public protocol UIWindowSceneDelegate: AnyObject {
  var window: UIWindow? { get set }
  func scene(
    _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions)
  func sceneDidDisconnect(_ scene: UIScene)
  func sceneWillEnterForeground(_ scene: UIScene)
  func sceneDidBecomeActive(_ scene: UIScene)
  func sceneWillResignActive(_ scene: UIScene)
  func sceneDidEnterBackground(_ scene: UIScene)
  func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>)
  func scene(_ scene: UIScene, continue userActivity: NSUserActivity)
  func windowScene(
    _ windowScene: UIWindowScene, performActionFor shortcutItem: UIApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void)
  func stateRestorationActivity(for scene: UIScene) -> NSUserActivity?
}

public enum UIUserInterfaceStyle: Int, Sendable { case unspecified, light, dark }
@MainActor open class UITraitCollection: NSObject { public var userInterfaceStyle: UIUserInterfaceStyle { .light } }
open class UIColor: NSObject, @unchecked Sendable {
  public init(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {}
}
@MainActor open class UIView: UIResponder { public var tintColor: UIColor! }
@MainActor public protocol UIAppearance { static func appearance() -> Self }
@MainActor public final class UINavigationBar: UIView, UIAppearance {
  public static func appearance() -> UINavigationBar { UINavigationBar() }
}
@MainActor open class UIWindow: UIView {
  public init(windowScene: UIWindowScene) {}
  public var rootViewController: UIViewController?
  public var overrideUserInterfaceStyle: UIUserInterfaceStyle = .unspecified
  public var traitCollection: UITraitCollection { UITraitCollection() }
  public func makeKeyAndVisible() {}
}

// The declarations of UserNotifications, which UIKit re-exports.
open class UNNotificationContent: NSObject { public var userInfo: [AnyHashable: Any] { [:] } }
open class UNNotificationRequest: NSObject { public var content: UNNotificationContent { UNNotificationContent() } }
open class UNNotification: NSObject { public var request: UNNotificationRequest { UNNotificationRequest() } }
open class UNNotificationResponse: NSObject {
  public var notification: UNNotification { UNNotification() }
  public var actionIdentifier: String { "" }
  public var targetScene: UIScene? { nil }
}
public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
public struct UNNotificationPresentationOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let badge = Self(rawValue: 1)
  public static let sound = Self(rawValue: 2)
  public static let list = Self(rawValue: 8)
  public static let banner = Self(rawValue: 16)
}
public protocol UNUserNotificationCenterDelegate: AnyObject {
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void)
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void)
}
open class UNUserNotificationCenter: NSObject, @unchecked Sendable {
  public static func current() -> UNUserNotificationCenter { UNUserNotificationCenter() }
  public weak var delegate: (any UNUserNotificationCenterDelegate)?
}
