import AppBoot

/// What a launch was told and the platform tells once more as an event: UIKit does so with the URL, the activity and the quick
/// action of an app without scenes, and with every response to a notification.
///
/// The event is an event all the same; only the screen that the launch has shown for it is not shown again (``DuplicateScreenFilter``).
package struct DuplicateEventFilter: Sendable, Hashable {
  private var expected: LifecycleEvent?

  /// Expects what the signs of a launch say.
  ///
  /// - Parameter isScene: Whether they are those of a scene that connects, which is told of nothing else twice than of a
  ///   response.
  package init(of signs: LaunchSource, isScene: Bool = false) {
    switch signs.options.reason {
    case .notification: expected = signs.response.map { Self.response($0) }
    case .url where !isScene: expected = signs.url.map { .openURL($0) }
    case .activity where !isScene: expected = signs.activity.map { .continueActivity($0) }
    case .quickAction where !isScene: expected = signs.quickAction.map { .performQuickAction($0) }
    case .url, .activity, .quickAction, .normal, .background, .prewarm: break
    }
  }

  /// Whether the event tells what the launch was told; true once.
  package mutating func take(_ event: LifecycleEvent) -> Bool {
    var told = event
    if case .didReceiveNotificationResponse(let response, _) = event { told = Self.response(response) }
    guard told == expected else { return false }
    expected = nil
    return true
  }

  /// The launch knows of a response what the notification says, and maybe neither the action nor the scene.
  private static func response(_ response: NotificationResponse) -> LifecycleEvent {
    .didReceiveNotificationResponse(NotificationResponse(payload: response.payload))
  }
}

/// The window of an event that tells what the launch was told: what is on it already is not shown once more.
final class DuplicateScreenFilter: AppWindow {
  private let coordinator: ScreenCoordinator

  init(_ coordinator: ScreenCoordinator) { self.coordinator = coordinator }

  func apply(_ appearance: WindowAppearance) { coordinator.apply(appearance) }
  func systemTheme() -> AppTheme? { coordinator.systemTheme() }

  func show(_ screen: AppScreen) throws {
    if coordinator.flow.visible != screen { try coordinator.show(screen) }
  }
}
