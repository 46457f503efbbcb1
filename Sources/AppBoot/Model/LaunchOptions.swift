/// The reason for which the app was launched, and the data that came with it.
public struct LaunchOptions: Sendable, Hashable {
  /// The reason for which the app was launched.
  public var reason: LaunchReason
  /// The URL to open; `nil` if it has no URL.
  public var url: String?
  /// The data that came with the launch (a notification's payload, an activity), as JSON or plain text.
  public var payload: String?

  /// Creates launch options; with a URL and no reason, the reason is ``LaunchReason/url``.
  public init(reason: LaunchReason? = nil, url: String? = nil, payload: String? = nil) {
    self.reason = reason ?? (url == nil ? .normal : .url)
    self.url = url
    self.payload = payload
  }
}
