#if (canImport(UIKit) && !os(watchOS)) || canImport(AppKit)
import AppBootLifecycle
#if canImport(UIKit) && !os(watchOS)
import UIKit
#else
import AppKit
#endif
import UserNotifications

/// A converter from property lists, for example a notification's payload, to JSON text with sorted keys.
///
/// A date becomes a text of ISO 8601, data become base64, and a value that JSON does not have becomes its description.
enum JSONPayload {
  /// Returns the payload as a JSON object.
  static func text(_ payload: [AnyHashable: Any]) -> String { fragment(payload) ?? "{}" }

  /// Returns the payload as a JSON object; `nil` if it is empty.
  static func text(unlessEmpty payload: [AnyHashable: Any]?) -> String? {
    guard let payload, !payload.isEmpty else { return nil }
    return text(payload)
  }

  /// Returns the object of a JSON text; empty if the text is no object.
  static func object(_ text: String) -> [AnyHashable: Any] {
    let value = try? JSONSerialization.jsonObject(with: Data(text.utf8))
    return value as? [String: Any] ?? [:]
  }

  /// Returns any value as JSON.
  static func fragment(_ value: Any) -> String? {
    let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes, .fragmentsAllowed]
    let data = try? JSONSerialization.data(withJSONObject: representable(value), options: options)
    return data.map { String(decoding: $0, as: UTF8.self) }
  }

  private static func representable(_ value: Any) -> Any {
    switch value {
    case let date as Date: Date.ISO8601FormatStyle(includingFractionalSeconds: true).format(date)
    case let data as Data: data.base64EncodedString()
    case let url as URL: url.absoluteString
    case let members as [AnyHashable: Any]:
      Dictionary(members.map { ("\($0.key.base)", representable($0.value)) }) { first, _ in first }
    case let elements as [Any]: elements.map(representable)
    default: JSONSerialization.isValidJSONObject([value]) ? value : String(describing: value)
    }
  }
}

extension UserActivity {
  init(_ activity: NSUserActivity, scene: SceneID? = nil) {
    self.init(
      type: activity.activityType, url: activity.webpageURL?.absoluteString, title: activity.title,
      userInfo: JSONPayload.text(unlessEmpty: activity.userInfo), scene: scene)
  }
}

#if (canImport(UIKit) && !os(tvOS)) || (canImport(AppKit) && !canImport(UIKit))
extension NotificationResponse {
  init(_ response: UNNotificationResponse, scene: SceneID? = nil) {
    let (action, request) = (response.actionIdentifier, response.notification.request)
    let (category, thread) = (request.content.categoryIdentifier, request.content.threadIdentifier)
    self.init(
      action: action == UNNotificationDefaultActionIdentifier ? nil : action,
      text: (response as? UNTextInputNotificationResponse)?.userText, identifier: request.identifier,
      category: category.isEmpty ? nil : category, thread: thread.isEmpty ? nil : thread,
      payload: JSONPayload.text(request.content.userInfo), scene: scene)
  }
}
#endif
#endif
