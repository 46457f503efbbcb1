/// An invitation to records in CloudKit that the user has accepted.
public struct CloudKitShare: Sendable, Hashable {
  /// The URL of the share.
  public var url: String
  /// The identifier of the share's container; `nil` if it is unknown.
  public var container: String?

  /// Creates a share.
  public init(url: String, container: String? = nil) {
    self.url = url
    self.container = container
  }
}
