public import AppBoot

/// The orientations of a screen.
public enum Orientation: String, Sendable, Hashable, CaseIterable, Codable {
  case portrait, landscape
}

extension ContextKey where Value == [Orientation] {
  /// The orientations that screens may have.
  public static var orientations: Self { Self("orientations") }
}

/// Sets the orientations that the screens allow.
public struct LockOrientation: Command {
  /// A description of the command in one sentence.
  public static let abstract = "Sets the orientations that the screens allow."

  /// The name of the context value that it provides.
  public static let provides = ContextKeys(.orientations)

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
  /// - Throws: An error for an unknown name.
  public func execute(in context: LaunchContext) throws {
    let allowed = try orientations.map { name in
      guard let orientation = Orientation(rawValue: name) else { throw Unknown(name: name) }
      return orientation
    }
    context.provide(allowed, for: .orientations)
    context.note(orientations.joined(separator: ", "))
  }
}
