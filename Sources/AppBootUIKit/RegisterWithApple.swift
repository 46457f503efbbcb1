#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
public import AppBoot
import UIKit

/// A command that registers the device with Apple's push service.
///
/// The token arrives as the event `didRegisterForRemoteNotifications`. If an iOS app registers this command, it
/// replaces the stock command `RegisterRemoteNotifications`.
public struct RegisterWithApple: Command {
  /// The name of the stock command that this command replaces.
  public static let name = "RegisterRemoteNotifications"
  /// The one-line description of the command.
  public static let abstract = "Registers the device with Apple's push service."

  /// Creates the command, which registers this device for remote notifications.
  public init() {}

  /// Starts the registration. UIKit reports the result as an event.
  public func execute(in context: LaunchContext) {
    MainThread.run { UIApplication.shared.registerForRemoteNotifications() }
  }
}
#endif
