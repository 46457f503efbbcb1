#if (canImport(UIKit) && !os(watchOS) && !os(tvOS)) || (canImport(AppKit) && !canImport(UIKit))
import AppBootLifecycle
import UserNotifications

extension NotificationResponse {
  init(_ response: UNNotificationResponse) {
    let (action, request) = (response.actionIdentifier, response.notification.request)
    let (category, thread) = (request.content.categoryIdentifier, request.content.threadIdentifier)
    self.init(
      action: action == UNNotificationDefaultActionIdentifier ? nil : action,
      text: (response as? UNTextInputNotificationResponse)?.userText, identifier: request.identifier,
      category: category.isEmpty ? nil : category, thread: thread.isEmpty ? nil : thread,
      payload: JSONPayload.text(request.content.userInfo))
  }
}
#endif
