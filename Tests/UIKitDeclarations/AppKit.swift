// swift-format-ignore-file
// Declarations of what AppBootUIKit uses of AppKit, for type-checking where there is no SDK (Linux).
@_exported import Foundation

@MainActor open class NSApplication: NSObject {
  public static let willBecomeActiveNotification = Notification.Name("NSApplicationWillBecomeActive")
  public static let didBecomeActiveNotification = Notification.Name("NSApplicationDidBecomeActive")
  public static let willResignActiveNotification = Notification.Name("NSApplicationWillResignActive")
  public static let didResignActiveNotification = Notification.Name("NSApplicationDidResignActive")
  public static let willTerminateNotification = Notification.Name("NSApplicationWillTerminate")
}

// Of Foundation, which has it on Apple platforms alone.
extension NSNotification.Name {
  public static let NSSystemClockDidChange = NSNotification.Name("NSSystemClockDidChangeNotification")
}
