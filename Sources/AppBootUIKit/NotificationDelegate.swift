#if canImport(UIKit) && !os(watchOS)
import AppBoot
import AppBootBase
import AppBootLifecycle
import AppBootSystem
import UIKit
import UserNotifications

/// A delegate that sends the notification centre's calls to the host as events. The centre may call it on any thread.
final class NotificationDelegate: NSObject, UNUserNotificationCenterDelegate {
  typealias Receive =
    @MainActor @Sendable (
      LifecycleEvent, DelegateCall, @escaping @Sendable (LifecycleOutcome?) -> Void
    ) -> Void

  private let receive: Receive

  init(receive: @escaping Receive) { self.receive = receive }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) {
    let complete = OneShot(completionHandler)
    #if os(tvOS)
    // tvOS shows only badges: the content of a notification has no user info there.
    let payload = "{}"
    #else
    let payload = JSONPayload.text(notification.request.content.userInfo)
    #endif
    let notification = UncheckedSendable(notification)
    MainQueue.run { [receive] in
      receive(.willPresentNotification(payload: payload), .presentation(notification.value)) {
        complete($0.map { UNNotificationPresentationOptions($0.response.answer) } ?? [])
      }
    }
  }

  #if !os(tvOS)
  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    let complete = OneShot<Void>(completionHandler)
    let seen = NotificationResponse(response)
    let response = UncheckedSendable(response)
    MainQueue.run { [receive] in
      let scene = response.value.targetScene.map { SceneID($0.session.persistentIdentifier) }
      receive(.didReceiveNotificationResponse(seen, scene: scene), .response(response.value)) { _ in
        complete(())
      }
    }
  }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, openSettingsFor notification: UNNotification?
  ) {
    let payload = notification.map { JSONPayload.text($0.request.content.userInfo) }
    let notification = UncheckedSendable(notification)
    MainQueue.run { [receive] in
      receive(.openNotificationSettings(payload: payload), .settings(notification.value)) { _ in }
    }
  }
  #endif
}
#endif
