// swift-format-ignore-file
import Foundation

extension NSApplication {
  nonisolated public static let didFinishLaunchingNotification = Notification.Name("NSApplicationDidFinishLaunching")
}
