/// The information that the system passes with a URL to open.
public struct OpenURLOptions: Sendable, Hashable {
  /// The bundle identifier of the app that asks; `nil` if it is unknown.
  public var sourceApplication: String?
  /// True if the app must open the file where it is, and false if it may move the file.
  public var opensInPlace: Bool
  /// The data of the app that asks, as JSON; `nil` if there is none.
  public var annotation: String?

  /// Creates options. By default nothing is known about the app that asks.
  public init(sourceApplication: String? = nil, opensInPlace: Bool = false, annotation: String? = nil) {
    self.sourceApplication = sourceApplication
    self.opensInPlace = opensInPlace
    self.annotation = annotation
  }
}
