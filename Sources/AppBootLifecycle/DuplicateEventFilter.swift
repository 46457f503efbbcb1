import AppBoot

/// A filter that recognizes an event with which UIKit repeats the request that launched the app.
///
/// In an app without scenes, UIKit passes the URL, the activity or the quick action to the launch, and then again to
/// the delegate. UIKit repeats each notification response, also in an app with scenes. The host handles the repeated
/// event too, but does not show the same screen twice (``DuplicateScreenFilter``).
package struct DuplicateEventFilter: Sendable, Hashable {
  private var expected: LifecycleEvent?

  /// Creates a filter that expects UIKit to repeat the request of a launch.
  ///
  /// - Parameter isScene: True if the source belongs to a connecting scene. For a scene, UIKit repeats only
  ///   notification responses.
  package init(of source: LaunchSource, isScene: Bool = false) {
    switch source.options.reason {
    case .notification: expected = source.response.map { .didReceiveNotificationResponse($0) }
    case .url where !isScene: expected = source.url.map { .openURL($0) }
    case .activity where !isScene: expected = source.activity.map { .continueActivity($0) }
    case .quickAction where !isScene: expected = source.quickAction.map { .performQuickAction($0) }
    case .url, .activity, .quickAction, .normal, .background, .prewarm: break
    }
    expected = expected.map(Self.request)
  }

  /// Returns `true` for the first event that repeats the launch's request, and `false` for all other events.
  package mutating func take(_ event: LifecycleEvent) -> Bool {
    guard let expected, Self.request(event) == expected else { return false }
    self.expected = nil
    return true
  }

  /// Returns the event with only those values that the platform passes both to the launch and to the delegate.
  private static func request(_ event: LifecycleEvent) -> LifecycleEvent {
    switch event {
    case .didReceiveNotificationResponse(let response, _):
      .didReceiveNotificationResponse(NotificationResponse(payload: response.payload))
    case .openURL(let url, _, nil): .openURL(url)
    case .continueActivity(let activity, nil):
      .continueActivity(UserActivity(type: activity.type, url: activity.url))
    case .performQuickAction(let type, _, nil): .performQuickAction(type)
    default: event
    }
  }
}

/// A window for the handlers of a repeated event. It does not show a screen that is already visible.
final class DuplicateScreenFilter: AppWindow {
  private let coordinator: ScreenCoordinator

  init(_ coordinator: ScreenCoordinator) { self.coordinator = coordinator }

  func apply(_ appearance: WindowAppearance) { coordinator.apply(appearance) }
  func systemTheme() -> AppTheme? { coordinator.systemTheme() }

  func afterNextFrame(_ work: @escaping @Sendable () -> Void) { coordinator.afterNextFrame(work) }
  func show(_ navigation: Navigation) throws { try coordinator.show(navigation) }

  func show(_ screen: AppScreen) throws {
    if coordinator.flow.visible != screen { try coordinator.show(screen) }
  }
}
