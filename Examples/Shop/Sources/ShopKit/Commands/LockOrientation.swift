public import AppBoot

/// The ways in which a screen may be turned.
public enum Orientation: String, Sendable, Hashable, CaseIterable, Codable {
  case portrait, landscape
}

extension ContextKey where Value == [Orientation] {
  /// The orientations that screens may have.
  public static var orientations: Self { Self("orientations") }
}

/// Says in which ways the screens may be turned.
public struct LockOrientation: Command {
  /// What the command does, in one sentence.
  public static let abstract = "Says in which ways the screens may be turned."

  /// The name of the context value that it provides.
  public static let provides = [ContextKey<[Orientation]>.orientations.name]

  /// The orientations.
  @Parameter("The orientations that screens may have.") public var orientations: [String]

  /// Creates the command without orientations.
  public init() {}

  struct Unknown: Error, CustomStringConvertible {
    let name: String
    var description: String { "there is no orientation \"\(name)\": it is portrait or landscape" }
  }

  /// Provides the orientations.
  ///
  /// - Throws: Where a name is none.
  public func execute(in context: LaunchContext) throws {
    let allowed = try orientations.map { name in
      guard let orientation = Orientation(rawValue: name) else { throw Unknown(name: name) }
      return orientation
    }
    context.provide(allowed, for: .orientations)
    context.note(orientations.joined(separator: ", "))
  }
}
