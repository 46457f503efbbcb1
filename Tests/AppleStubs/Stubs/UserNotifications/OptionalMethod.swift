// swift-format-ignore-file
// The calls of optional methods, which only Objective-C has: `delegate.application?(…)`. The protocols of the stubs
// require every method. A method counts as not implemented if it calls `OptionalMethod.isMissing()`, as the default
// methods of the tests do.

public enum OptionalMethod {
  nonisolated(unsafe) private static var missing = false
  public static func isMissing() { missing = true }

  /// Calls a method. Returns nil if it is not implemented.
  public static func call<Result>(_ method: () -> Result) -> Result? {
    let outer = missing
    missing = false
    defer { missing = outer }
    let result = method()
    return missing ? nil : result
  }
}

extension UNUserNotificationCenterDelegate {
  public var userNotificationCenter: UserNotificationCenterMethods? { UserNotificationCenterMethods(delegate: self) }
}

public struct UserNotificationCenterMethods {
  let delegate: any UNUserNotificationCenterDelegate
  public func callAsFunction(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler handler: @escaping (UNNotificationPresentationOptions) -> Void
  ) -> Void? {
    OptionalMethod.call {
      delegate.userNotificationCenter(center, willPresent: notification, withCompletionHandler: handler)
    }
  }
#if !tvos
  public func callAsFunction(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler handler: @escaping () -> Void
  ) -> Void? {
    OptionalMethod.call {
      delegate.userNotificationCenter(center, didReceive: response, withCompletionHandler: handler)
    }
  }
  @discardableResult public func callAsFunction(
    _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?
  ) -> Void? { OptionalMethod.call { delegate.userNotificationCenter(center, openSettingsFor: notification) } }
#endif
}
