public import AppBoot

/// Sets how the app's sound mixes with that of others.
public struct StartAudio: Command {
  /// The command's help, lane and context values.
  public static let options = CommandOptions(abstract: "Sets how the app's sound mixes with that of others.")

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
