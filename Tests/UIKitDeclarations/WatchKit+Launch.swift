// swift-format-ignore-file
import Foundation

extension WKApplication {
  nonisolated public static let didFinishLaunchingNotification = Notification.Name("WKApplicationDidFinishLaunching")
}
