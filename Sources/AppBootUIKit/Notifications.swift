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
    let response = UncheckedSendable(response)
    MainQueue.run { [receive] in
      let scene = response.value.targetScene.map { SceneID($0.session.persistentIdentifier) }
      let seen = NotificationResponse(response.value, scene: scene)
      receive(.didReceiveNotificationResponse(seen), .response(response.value)) { _ in complete(()) }
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

/// Apple's push service: it asks the user for permission, and Apple for the token of this device.
@MainActor
final class ApplePushService: PushService {
  /// A function that sends the events to the host.
  var receive: @MainActor @Sendable (LifecycleEvent) -> Void = { _ in }
  /// A function that sends the token to a provider. It calls back with an error message, or with `nil`.
  var send: @Sendable (URLRequest, @escaping @Sendable (String?) -> Void) -> Void = ProviderSession.send
  private var provider: PushRegistration.Provider?

  nonisolated init() {}

  /// Registers the device. UIKit calls the app delegate with the token.
  nonisolated func register(_ registration: PushRegistration) {
    MainQueue.run { self.start(registration) }
  }

  private func start(_ registration: PushRegistration) {
    provider = registration.provider
    let center = UNUserNotificationCenter.current()
    #if !os(tvOS)
    if !registration.categories.isEmpty {
      center.setNotificationCategories(Set(registration.categories.map(UNNotificationCategory.init)))
    }
    #endif
    if !registration.permissions.isEmpty {
      center.requestAuthorization(options: UNAuthorizationOptions(registration.permissions)) { _, error in
        guard let error else { return }
        MainQueue.run { self.fail(String(describing: error)) }
      }
    }
    UIApplication.shared.registerForRemoteNotifications()
  }

  /// Sends the token to the host and to the provider.
  func didRegister(token: [UInt8]) {
    receive(.didRegisterForRemoteNotifications(token: token))
    guard let provider, let url = URL(string: provider.url) else { return }
    var request = URLRequest(url: url, timeoutInterval: provider.timeout / .seconds(1))
    request.httpMethod = "POST"
    request.setValue("application/json", forHTTPHeaderField: "Content-Type")
    for (name, value) in provider.headers { request.setValue(value, forHTTPHeaderField: name) }
    request.httpBody = Data(provider.body(token: Hexadecimal.text(of: token)).utf8)
    send(request) { message in
      guard let message else { return }
      MainQueue.run { self.fail(message) }
    }
  }

  private func fail(_ message: String) {
    receive(.didFailToRegisterForRemoteNotifications(error: message))
  }
}

/// A session for one request to a provider. It follows no redirect.
private final class ProviderSession: NSObject, URLSessionTaskDelegate {
  static let send: @Sendable (URLRequest, @escaping @Sendable (String?) -> Void) -> Void = {
    request, completion in
    let origin = request.url?.host ?? "the provider"
    let session = URLSession(configuration: .ephemeral, delegate: ProviderSession(), delegateQueue: nil)
    let task = session.dataTask(with: request) { _, response, error in
      let status = (response as? HTTPURLResponse)?.statusCode
      switch status {
      case _ where error != nil: completion("\(origin): \(error.map { "\($0.localizedDescription)" } ?? "")")
      case .some(200...299): completion(nil)
      case .some(let status): completion("\(origin) answered with status \(status)")
      case nil: completion("\(origin) did not answer")
      }
    }
    task.resume()
    session.finishTasksAndInvalidate()
  }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) { completionHandler(nil) }
}

extension UNAuthorizationOptions {
  fileprivate init(_ permissions: Set<PushRegistration.Permission>) {
    let options: [(PushRegistration.Permission, Self)] = [
      (.alert, .alert), (.badge, .badge), (.sound, .sound), (.provisional, .provisional),
    ]
    self.init(options.filter { permissions.contains($0.0) }.map(\.1))
  }
}

#if !os(tvOS)
extension UNNotificationCategory {
  fileprivate convenience init(_ category: PushRegistration.Category) {
    self.init(
      identifier: category.id, actions: category.actions.map { $0.action }, intentIdentifiers: [], options: []
    )
  }
}

extension PushRegistration.Action {
  fileprivate var action: UNNotificationAction {
    var options: UNNotificationActionOptions = []
    if opensApp { options.insert(.foreground) }
    if isDestructive { options.insert(.destructive) }
    guard let textButton else { return UNNotificationAction(identifier: id, title: title, options: options) }
    return UNTextInputNotificationAction(
      identifier: id, title: title, options: options, textInputButtonTitle: textButton,
      textInputPlaceholder: "")
  }
}
#endif
#endif
