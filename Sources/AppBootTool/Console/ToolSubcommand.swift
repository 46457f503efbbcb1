/// A subcommand that an app adds to its tool.
///
/// ```swift
/// let migrate = ToolSubcommand("migrate", help: "Migrates the database.") { arguments in
///   try await Database.open().migrate(to: arguments.first)
///   return 0
/// }
/// ```
public struct ToolSubcommand: Sendable {
  /// The name on the command line.
  public let name: String
  /// The line in the tool's help.
  public let help: String
  /// The implementation, which gets the arguments after the name and returns the exit code.
  let run: @MainActor @Sendable ([String]) async throws -> Int32

  /// Creates a subcommand.
  ///
  /// - Parameters:
  ///   - name: The name on the command line. A name that another subcommand has is a usage error.
  ///   - help: One sentence for the tool's help.
  ///   - run: A function that gets the arguments after the name, and returns the exit code. An error is printed, and
  ///     the exit code is 1. It is not called if the first argument is `--help` or `-h`: the tool then prints the help.
  public init(
    _ name: String, help: String,
    run: @escaping @MainActor @Sendable (_ arguments: [String]) async throws -> Int32
  ) {
    (self.name, self.help, self.run) = (name, help, run)
  }
}

/// The error of a subcommand that needs the main actor while a synchronous call in a task blocks it.
struct SubcommandBlocked: Error, CustomStringConvertible {
  let subcommand: String

  var description: String {
    "\(subcommand) needs the main actor, which this synchronous call blocks: use await run()"
  }
}
