public import AppBoot

extension ContextKey<String> {
  /// The server that the app speaks to.
  public static var server: Self { Self("server") }
}

/// Points the app at a server for tests; the manifest says when.
public struct UseTestConfiguration: Command {
  /// The command's help, lane and context values.
  public static let options = CommandOptions(
    abstract: "Points the app at a server for tests.",
    provides: .server)

  /// The server.
  @Parameter("The server for tests.") public var server = "http://127.0.0.1:8080"

  /// Creates the command with its defaults.
  public init() {}

  /// Provides the server.
  public func execute(in context: LaunchContext) {
    context.provide(server, for: .server)
    context.note(server)
  }
}
