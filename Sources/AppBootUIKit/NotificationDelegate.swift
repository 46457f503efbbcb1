#if canImport(UIKit) && !os(watchOS) && !os(tvOS)
import AppBoot
import AppBootLifecycle
import UIKit
import UserNotifications

/// A delegate that sends the notification centre's calls to the host as events. The centre calls it on the main thread.
@MainActor
final class NotificationDelegate: NSObject, @preconcurrency UNUserNotificationCenterDelegate {
  private let receive: @MainActor (LifecycleEvent, @escaping @Sendable (LifecycleOutcome?) -> Void) -> Void
  private let presentations = PendingCompletions<UNNotificationPresentationOptions>()
  private let responses = PendingCompletions<Void>()

  init(
    receive: @escaping @MainActor (LifecycleEvent, @escaping @Sendable (LifecycleOutcome?) -> Void) -> Void
  ) { self.receive = receive }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, willPresent notification: UNNotification,
    withCompletionHandler completionHandler: @escaping (UNNotificationPresentationOptions) -> Void
  ) {
    let complete = presentations.store(completionHandler)
    let payload = JSONPayload.text(notification.request.content.userInfo)
    receive(.willPresentNotification(payload: payload)) {
      complete($0.map { UNNotificationPresentationOptions($0.response.answer) } ?? [])
    }
  }

  func userNotificationCenter(
    _ center: UNUserNotificationCenter, didReceive response: UNNotificationResponse,
    withCompletionHandler completionHandler: @escaping () -> Void
  ) {
    let complete = responses.store(completionHandler)
    let scene = response.targetScene.map { SceneID($0.session.persistentIdentifier) }
    receive(.didReceiveNotificationResponse(NotificationResponse(response), scene: scene)) { _ in
      complete(())
    }
  }
}
#endif
