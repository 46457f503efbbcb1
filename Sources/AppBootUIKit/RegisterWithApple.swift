#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
public import AppBoot
import UIKit

/// Registers the device with Apple's push service; the token comes as `didRegisterForRemoteNotifications`.
///
/// In a manifest it goes by the stock command's name, whose place it takes in an iOS app's registry.
public struct RegisterWithApple: Command {
  /// The stock command's name.
  public static let name = "RegisterRemoteNotifications"
  /// What the command does, in one sentence.
  public static let abstract = "Registers the device with Apple's push service."

  /// Creates the command.
  public init() {}

  /// Asks UIKit to register; it answers by an event.
  public func execute(in context: LaunchContext) {
    MainThread.run { UIApplication.shared.registerForRemoteNotifications() }
  }
}
#endif
