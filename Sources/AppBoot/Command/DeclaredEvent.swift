/// An event of an app's own, as its registry declares it.
public struct DeclaredEvent: Sendable, Hashable, ExpressibleByStringLiteral {
  /// To what an event belongs.
  public enum Owner: Sendable, Hashable {
    /// The app as a whole: `"consentGranted"`.
    case process
    /// One scene each time, which must be named: `"cartOpened"`.
    case scene
  }

  /// The name, as a manifest's `on` writes it.
  public let name: String
  /// To what it belongs.
  public let owner: Owner

  /// Declares an event.
  public init(_ name: String, of owner: Owner = .process) {
    self.name = name
    self.owner = owner
  }

  /// Declares an event of the process.
  public init(stringLiteral name: String) { self.init(name) }
}
