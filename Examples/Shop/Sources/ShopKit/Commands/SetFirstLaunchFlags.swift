public import AppBoot

/// Remembers since when the app is there; the manifest says that only the first launch does.
public struct SetFirstLaunchFlags: Command {
  /// The command's help, lane and context values.
  public static let options = CommandOptions(abstract: "Remembers which version was launched first.")

  /// The version to remember.
  @Parameter("The version to remember.") public var version = "1.0.0"

  /// Creates the command with its defaults.
  public init() {}

  /// Writes the flag.
  ///
  /// - Throws: Errors of the state.
  public func execute(in context: LaunchContext) throws {
    try context.state.write("first-version", Array(version.utf8))
  }
}
