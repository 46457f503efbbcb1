/// The reason why the app was launched, and the data that came with it.
public struct LaunchOptions: Sendable, Hashable {
  /// The reason why the app was launched.
  public var reason: LaunchReason
  /// The URL to open; `nil` if there is none.
  public var url: String?
  /// The data that came with the launch, as JSON or plain text; `nil` if there is none.
  ///
  /// It is for example a notification's payload or an activity.
  public var payload: String?

  /// Creates launch options. Without a reason, the reason is ``LaunchReason/url`` if there is a URL, and otherwise
  /// ``LaunchReason/normal``.
  public init(reason: LaunchReason? = nil, url: String? = nil, payload: String? = nil) {
    self.reason = reason ?? (url == nil ? .normal : .url)
    self.url = url
    self.payload = payload
  }
}
