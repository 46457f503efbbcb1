// swift-format-ignore-file
// Declarations of what AppBootUIKit uses of WatchKit, for type-checking where there is no SDK (Linux).
@_exported import Foundation

@MainActor open class WKApplication: NSObject {
  public static let willEnterForegroundNotification = Notification.Name("WKApplicationWillEnterForeground")
  public static let didBecomeActiveNotification = Notification.Name("WKApplicationDidBecomeActive")
  public static let willResignActiveNotification = Notification.Name("WKApplicationWillResignActive")
  public static let didEnterBackgroundNotification = Notification.Name("WKApplicationDidEnterBackground")
}

// Of Foundation, which has it on Apple platforms alone.
extension NSNotification.Name {
  public static let NSSystemClockDidChange = NSNotification.Name("NSSystemClockDidChangeNotification")
}
