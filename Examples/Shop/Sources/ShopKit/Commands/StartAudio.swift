public import AppBoot

/// Sets how the app's sound mixes with that of others.
public struct StartAudio: Command {
  /// A description of the command in one sentence.
  public static let abstract = "Sets how the app's sound mixes with that of others."

  /// The session's category.
  @Parameter("The session's category.") public var category = "ambient"

  private let services: Services

  /// Creates the command with its defaults.
  public init(_ services: Services) { self.services = services }

  /// Sets the category.
  public func execute(in context: LaunchContext) {
    services.call("audio \(category)")
    context.note(category)
  }
}
