// swift-format-ignore-file
// The declarations of AppKit that AppBootUIKit uses, for type-checking on Linux without an SDK.
@_exported import Foundation

@MainActor open class NSApplication: NSObject {
  public static let willBecomeActiveNotification = Notification.Name("NSApplicationWillBecomeActive")
  public static let didBecomeActiveNotification = Notification.Name("NSApplicationDidBecomeActive")
  public static let willResignActiveNotification = Notification.Name("NSApplicationWillResignActive")
  public static let didResignActiveNotification = Notification.Name("NSApplicationDidResignActive")
  public static let willTerminateNotification = Notification.Name("NSApplicationWillTerminate")
}

// Part of Foundation on Apple platforms only.
extension NSNotification.Name {
  public static let NSSystemClockDidChange = NSNotification.Name("NSSystemClockDidChangeNotification")
}
