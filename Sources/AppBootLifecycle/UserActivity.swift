/// An activity that the user began elsewhere, for example on another device, and continues in this app.
public struct UserActivity: Sendable, Hashable {
  /// The type of a universal link: Foundation's `NSUserActivityTypeBrowsingWeb`.
  public static let browsingWeb = "NSUserActivityTypeBrowsingWeb"

  /// The type of the activity.
  public var type: String
  /// The URL of the activity's web page; `nil` if it has no page.
  public var url: String?
  /// The title of the activity; `nil` if it has none.
  public var title: String?
  /// The app's own data about the activity, a JSON object; `nil` if there is none.
  public var userInfo: String?

  /// Creates an activity. By default it is a universal link.
  public init(
    type: String = UserActivity.browsingWeb, url: String? = nil, title: String? = nil, userInfo: String? = nil
  ) {
    self.type = type
    self.url = url
    self.title = title
    self.userInfo = userInfo
  }
}
