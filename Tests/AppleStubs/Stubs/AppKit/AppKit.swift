// swift-format-ignore-file
// The declarations of AppKit that AppBootUIKit uses, for type-checking on Linux without an SDK.
@_exported import Foundation

@MainActor public protocol NSApplicationDelegate: NSObjectProtocol {
  func applicationWillFinishLaunching(_ notification: Notification)
  func applicationDidFinishLaunching(_ notification: Notification)
  func application(_ application: NSApplication, open urls: [URL])
  func application(
    _ application: NSApplication, continue userActivity: NSUserActivity,
    restorationHandler: @escaping ([any NSUserActivityRestoring]) -> Void) -> Bool
  func application(
    _ application: NSApplication, didRegisterForRemoteNotificationsWithDeviceToken deviceToken: Data)
  func application(
    _ application: NSApplication, didFailToRegisterForRemoteNotificationsWithError error: any Error)
  func application(_ application: NSApplication, didReceiveRemoteNotification userInfo: [String: Any])
}
@MainActor public protocol NSUserActivityRestoring {}
open class NSUserActivity: NSObject {
  public init(activityType: String) { self.activityType = activityType }
  public let activityType: String
  public var title: String?
  public var webpageURL: URL?
  public var userInfo: [AnyHashable: Any]?
}
@MainActor open class NSAlert: NSObject {
  public var messageText = ""
  public var informativeText = ""
  @discardableResult public func runModal() -> Int { 0 }
}

@MainActor open class NSApplication: NSObject {
  public static let didFinishLaunchingNotification = Notification.Name("NSApplicationDidFinishLaunching")
  public static let willBecomeActiveNotification = Notification.Name("NSApplicationWillBecomeActive")
  public static let didBecomeActiveNotification = Notification.Name("NSApplicationDidBecomeActive")
  public static let willResignActiveNotification = Notification.Name("NSApplicationWillResignActive")
  public static let didResignActiveNotification = Notification.Name("NSApplicationDidResignActive")
  public static let willTerminateNotification = Notification.Name("NSApplicationWillTerminate")
  public static let launchUserNotificationUserInfoKey = "NSApplicationLaunchUserNotificationKey"
}

// Part of Foundation on Apple platforms only.
extension NSNotification.Name {
  public static let NSSystemClockDidChange = NSNotification.Name("NSSystemClockDidChangeNotification")
}
