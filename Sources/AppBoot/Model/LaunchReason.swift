/// A reason why the app was launched, as the platforms distinguish them.
public enum LaunchReason: String, Sendable, Hashable, CaseIterable {
  /// The user started the app.
  case normal
  /// Another app asked the app to open a URL.
  case url
  /// The app continues an activity (a universal link, Handoff).
  case activity
  /// The user chose a quick action.
  case quickAction
  /// The user responded to a notification.
  case notification
  /// The system started the app in the background.
  case background
  /// The system started the app before the user needs it.
  case prewarm
}
