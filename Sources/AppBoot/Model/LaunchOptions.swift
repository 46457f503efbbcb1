/// Why and with what the app was launched.
public struct LaunchOptions: Sendable, Hashable {
  /// Why the app was launched.
  public var reason: LaunchReason
  /// The URL that the app was asked to open, where it was.
  public var url: String?
  /// What came with the launch (a notification's payload, an activity), as JSON text or plain text.
  public var payload: String?

  /// Describes a launch; with a URL and no reason, the reason is ``LaunchReason/url``.
  public init(reason: LaunchReason? = nil, url: String? = nil, payload: String? = nil) {
    self.reason = reason ?? (url == nil ? .normal : .url)
    self.url = url
    self.payload = payload
  }
}

/// Why the app was launched, told apart as the platforms do.
public enum LaunchReason: String, Sendable, Hashable, CaseIterable, Codable {
  /// The user started it.
  case normal
  /// It was asked to open a URL.
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

  /// Whether the app starts without being shown.
  package var isOutOfSight: Bool {
    switch self {
    case .background, .prewarm: true
    case .normal, .url, .activity, .quickAction, .notification: false
    }
  }
}
