// swift-format-ignore-file
// The declarations of WatchKit that AppBootUIKit uses, for type-checking on Linux without an SDK.
@_exported import Foundation

@MainActor open class WKApplication: NSObject {
  public static let didFinishLaunchingNotification = Notification.Name("WKApplicationDidFinishLaunching")
  public static let willEnterForegroundNotification = Notification.Name("WKApplicationWillEnterForeground")
  public static let didBecomeActiveNotification = Notification.Name("WKApplicationDidBecomeActive")
  public static let willResignActiveNotification = Notification.Name("WKApplicationWillResignActive")
  public static let didEnterBackgroundNotification = Notification.Name("WKApplicationDidEnterBackground")
}

// Part of Foundation on Apple platforms only.
extension NSNotification.Name {
  public static let NSSystemClockDidChange = NSNotification.Name("NSSystemClockDidChangeNotification")
}
