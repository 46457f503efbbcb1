/// The reason for which the app was launched, as the platforms distinguish them.
public enum LaunchReason: String, Sendable, Hashable, CaseIterable, Codable {
  /// The user started it.
  case normal
  /// Another app asked it to open a URL.
  case url
  /// It continues an activity (a universal link, Handoff).
  case activity
  /// The user chose a quick action.
  case quickAction
  /// The user answered a notification.
  case notification
  /// The system started it in the background.
  case background
  /// The system started it ahead of time.
  case prewarm

  /// True if the app starts without being shown.
  package var isOutOfSight: Bool {
    switch self {
    case .background, .prewarm: true
    case .normal, .url, .activity, .quickAction, .notification: false
    }
  }
}
