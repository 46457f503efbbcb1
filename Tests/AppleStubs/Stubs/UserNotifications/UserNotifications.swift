// swift-format-ignore-file
// A stub of UserNotifications: what AppBootUIKit uses of it, written from Apple's public documentation.
@_exported import Foundation

open class UNNotificationContent: NSObject {
  #if !tvos
  public var userInfo: [AnyHashable: Any] = [:]
  public var categoryIdentifier = ""
  public var threadIdentifier = ""
  #endif
}

open class UNNotificationRequest: NSObject {
  public let identifier: String
  public let content: UNNotificationContent
  public init(identifier: String, content: UNNotificationContent) {
    self.identifier = identifier
    self.content = content
  }
}

open class UNNotification: NSObject {
  public let request: UNNotificationRequest
  public init(_ request: UNNotificationRequest) { self.request = request }
}

#if !tvos
open class UNNotificationResponse: NSObject {
  public let notification: UNNotification
  public let actionIdentifier: String
  /// The scene; UIKit declares the property that returns it.
  public var scene: NSObject?
  public init(_ notification: UNNotification, actionIdentifier: String = UNNotificationDefaultActionIdentifier) {
    self.notification = notification
    self.actionIdentifier = actionIdentifier
  }
}

open class UNTextInputNotificationResponse: UNNotificationResponse {
  public var userText = ""
}
#endif

public let UNNotificationDefaultActionIdentifier = "com.apple.UNNotificationDefaultActionIdentifier"
public let UNNotificationDismissActionIdentifier = "com.apple.UNNotificationDismissActionIdentifier"

public struct UNNotificationPresentationOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let badge = Self(rawValue: 1)
  public static let sound = Self(rawValue: 2)
  public static let list = Self(rawValue: 8)
  public static let banner = Self(rawValue: 16)
}

public struct UNAuthorizationOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let badge = Self(rawValue: 1)
  public static let sound = Self(rawValue: 2)
  public static let alert = Self(rawValue: 4)
  public static let criticalAlert = Self(rawValue: 16)
  public static let providesAppNotificationSettings = Self(rawValue: 32)
  public static let provisional = Self(rawValue: 64)
}

#if !tvos
public struct UNNotificationActionOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let authenticationRequired = Self(rawValue: 1)
  public static let destructive = Self(rawValue: 2)
  public static let foreground = Self(rawValue: 4)
}

public struct UNNotificationCategoryOptions: OptionSet, Sendable {
  public let rawValue: UInt
  public init(rawValue: UInt) { self.rawValue = rawValue }
  public static let customDismissAction = Self(rawValue: 1)
}

open class UNNotificationAction: NSObject {
  public let identifier: String
  public let title: String
  public let options: UNNotificationActionOptions
  public init(identifier: String, title: String, options: UNNotificationActionOptions = []) {
    self.identifier = identifier
    self.title = title
    self.options = options
  }
}

open class UNTextInputNotificationAction: UNNotificationAction {
  public let textInputButtonTitle: String
  public let textInputPlaceholder: String
  public init(
    identifier: String, title: String, options: UNNotificationActionOptions, textInputButtonTitle: String,
    textInputPlaceholder: String
  ) {
    self.textInputButtonTitle = textInputButtonTitle
    self.textInputPlaceholder = textInputPlaceholder
    super.init(identifier: identifier, title: title, options: options)
  }
}

open class UNNotificationCategory: NSObject {
  public let identifier: String
  public let actions: [UNNotificationAction]
  public init(
    identifier: String, actions: [UNNotificationAction], intentIdentifiers: [String],
    options: UNNotificationCategoryOptions = []
  ) {
    self.identifier = identifier
    self.actions = actions
  }
}
#endif

public protocol UNUserNotificationCenterDelegate: AnyObject {
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void)
#if !tvos
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void)
  func userNotificationCenter(_ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?)
#endif
}

open class UNUserNotificationCenter: NSObject, @unchecked Sendable {
  nonisolated(unsafe) private static var shared = UNUserNotificationCenter()
  public static func current() -> UNUserNotificationCenter { shared }
  public weak var delegate: (any UNUserNotificationCenterDelegate)?
  public func requestAuthorization(
    options: UNAuthorizationOptions = [], completionHandler: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    requestedOptions.append(options)
    completionHandler(isGranted, nil)
  }
#if !tvos
  public func setNotificationCategories(_ categories: Set<UNNotificationCategory>) { self.categories = categories }
#endif

  // For tests.
  public private(set) var requestedOptions: [UNAuthorizationOptions] = []
#if !tvos
  public private(set) var categories: Set<UNNotificationCategory> = []
#endif
  public var isGranted = true
  public static func reset() { shared = UNUserNotificationCenter() }
}
