/// An event that the app defines, as its registry declares it.
public struct DeclaredEvent: Sendable, Hashable, ExpressibleByStringLiteral {
  /// The owner of an event.
  public enum Owner: Sendable, Hashable {
    /// The app as a whole: `"consentGranted"`.
    case process
    /// A scene, which must be named each time: `"cartOpened"`.
    case scene
  }

  /// The name, as a manifest's `on` writes it.
  public let name: String
  /// The owner.
  public let owner: Owner

  /// Declares an event.
  public init(_ name: String, of owner: Owner = .process) {
    self.name = name
    self.owner = owner
  }

  /// Declares an event of the process.
  public init(stringLiteral name: String) { self.init(name) }
}
