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
