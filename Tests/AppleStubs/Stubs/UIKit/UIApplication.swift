// swift-format-ignore-file
// A stub of UIKit that runs on Linux: what AppBootUIKit uses of it, written from Apple's public documentation.
// Properties below "For tests" are not Apple's.
@_exported import Foundation
// A part of Foundation on Apple's platforms.
@_exported import FoundationNetworking
@_exported import UserNotifications

/// Foundation's class, but for the main queue: on Linux another thread than the first one may run the main actor.
public enum Thread {
  private static let key = DispatchSpecificKey<Bool>()
  private static let mark: Void = DispatchQueue.main.setSpecific(key: key, value: true)
  public static var isMainThread: Bool {
    mark
    return DispatchQueue.getSpecific(key: key) == true
  }
}

@MainActor open class UIResponder: NSObject {}

public struct UIBackgroundTaskIdentifier: Hashable, Sendable, RawRepresentable {
  public let rawValue: Int
  public init(rawValue: Int) { self.rawValue = rawValue }
  public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}

#if !tvos
public struct UIInterfaceOrientationMask: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let portrait = Self(rawValue: 2)
  public static let portraitUpsideDown = Self(rawValue: 4)
  public static let landscapeRight = Self(rawValue: 8)
  public static let landscapeLeft = Self(rawValue: 16)
  public static let landscape: Self = [.landscapeLeft, .landscapeRight]
  public static let all: Self = [.portrait, .landscape, .portraitUpsideDown]
  public static let allButUpsideDown: Self = [.portrait, .landscape]
}
#endif

@MainActor open class UIApplication: UIResponder {
  public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public static let url = Self(rawValue: "UIApplicationLaunchOptionsURLKey")
    public static let sourceApplication = Self(rawValue: "UIApplicationLaunchOptionsSourceApplicationKey")
    public static let annotation = Self(rawValue: "UIApplicationLaunchOptionsAnnotationKey")
    public static let remoteNotification = Self(rawValue: "UIApplicationLaunchOptionsRemoteNotificationKey")
#if !tvos
    public static let shortcutItem = Self(rawValue: "UIApplicationLaunchOptionsShortcutItemKey")
#endif
    public static let userActivityDictionary = Self(rawValue: "UIApplicationLaunchOptionsUserActivityDictionaryKey")
#if !tvos
    public static let location = Self(rawValue: "UIApplicationLaunchOptionsLocationKey")
    public static let bluetoothCentrals = Self(rawValue: "UIApplicationLaunchOptionsBluetoothCentralsKey")
    public static let bluetoothPeripherals = Self(rawValue: "UIApplicationLaunchOptionsBluetoothPeripheralsKey")
#endif
  }
  public struct OpenURLOptionsKey: Hashable, Sendable {
    let name: String
    public static let sourceApplication = OpenURLOptionsKey(name: "sourceApplication")
    public static let annotation = OpenURLOptionsKey(name: "annotation")
    public static let openInPlace = OpenURLOptionsKey(name: "openInPlace")
  }
  public enum State: Int, Sendable { case active, inactive, background }
  public internal(set) static var shared = UIApplication()
  public weak var delegate: (any UIApplicationDelegate)?
  public var applicationState = State.inactive
  public var connectedScenes: Set<UIScene> = []
  public func registerForRemoteNotifications() { remoteNotificationRegistrations += 1 }
  public func beginBackgroundTask(
    withName taskName: String?, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
  ) -> UIBackgroundTaskIdentifier {
    backgroundTaskCount += 1
    let task = UIBackgroundTaskIdentifier(rawValue: backgroundTaskCount)
    backgroundTasks[task] = (taskName ?? "", handler)
    return task
  }
  public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) { backgroundTasks[identifier] = nil }
#if !tvos
  public func supportedInterfaceOrientations(for window: UIWindow?) -> UIInterfaceOrientationMask {
    declaredOrientations
  }
#endif

  nonisolated public static let didFinishLaunchingNotification = Notification.Name("didFinishLaunching")
  nonisolated public static let willEnterForegroundNotification = Notification.Name("willEnterForeground")
  nonisolated public static let didBecomeActiveNotification = Notification.Name("didBecomeActive")
  nonisolated public static let willResignActiveNotification = Notification.Name("willResignActive")
  nonisolated public static let didEnterBackgroundNotification = Notification.Name("didEnterBackground")
  nonisolated public static let willTerminateNotification = Notification.Name("willTerminate")
  nonisolated public static let significantTimeChangeNotification = Notification.Name("significantTimeChange")
  nonisolated public static let didReceiveMemoryWarningNotification = Notification.Name("memoryWarning")
  nonisolated public static let protectedDataDidBecomeAvailableNotification =
    Notification.Name("protectedDataDidBecomeAvailable")
  nonisolated public static let protectedDataWillBecomeUnavailableNotification =
    Notification.Name("protectedDataWillBecomeUnavailable")

  // For tests.
  public private(set) var remoteNotificationRegistrations = 0
  public private(set) var backgroundTasks:
    [UIBackgroundTaskIdentifier: (name: String, expire: (@MainActor @Sendable () -> Void)?)] = [:]
  private var backgroundTaskCount = 0
#if !tvos
  public var declaredOrientations = UIInterfaceOrientationMask.allButUpsideDown
#endif
  public static func reset() { shared = UIApplication() }
}

// An app whose delegate is its entry point.
extension UIApplicationDelegate { public static func main() {} }

@MainActor public protocol UIUserActivityRestoring {}
public enum UIBackgroundFetchResult: UInt, Sendable { case newData, noData, failed }

// All methods are optional on Apple's platforms. Here they are required, so that a wrong signature is an error. For the
// calls of optional methods see OptionalMethods.swift.
@MainActor public protocol UIApplicationDelegate: AnyObject {
  func application(
    _ application: UIApplication,
    willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?) -> Bool
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
  func applicationProtectedDataWillBecomeUnavailable(_ application: UIApplication)
  func applicationProtectedDataDidBecomeAvailable(_ application: UIApplication)
  func application(
    _ application: UIApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data)
  func application(
    _ application: UIApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error)
  func application(
    _ application: UIApplication, didReceiveRemoteNotification userInfo: [AnyHashable: Any],
    fetchCompletionHandler completionHandler: @escaping (UIBackgroundFetchResult) -> Void)
  func application(
    _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
    completionHandler: @escaping () -> Void)
  func application(
    _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]) -> Bool
  func application(
    _ application: UIApplication, continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any UIUserActivityRestoring]?) -> Void) -> Bool
#if !tvos
  func application(
    _ application: UIApplication, performActionFor shortcutItem: UIApplicationShortcutItem,
    completionHandler: @escaping (Bool) -> Void)
  func application(
    _ application: UIApplication, supportedInterfaceOrientationsFor window: UIWindow?) -> UIInterfaceOrientationMask
#endif
  func application(
    _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
    options: UIScene.ConnectionOptions) -> UISceneConfiguration
  func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>)
}

open class NSUserActivity: NSObject {
  public init(activityType: String) { self.activityType = activityType }
  public let activityType: String
  public var title: String?
  public var webpageURL: URL?
  public var userInfo: [AnyHashable: Any]?
  public func addUserInfoEntries(from otherDictionary: [AnyHashable: Any]) {
    userInfo = (userInfo ?? [:]).merging(otherDictionary) { $1 }
  }
}

#if !tvos
@MainActor open class UIApplicationShortcutItem: NSObject {
  public let type: String
  public let userInfo: [String: any NSSecureCoding]?
  public init(
    type: String, localizedTitle: String, localizedSubtitle: String? = nil, icon: UIApplicationShortcutIcon? = nil,
    userInfo: [String: any NSSecureCoding]? = nil
  ) {
    self.type = type
    self.userInfo = userInfo
  }
}
@MainActor open class UIApplicationShortcutIcon: NSObject {}
#endif
