public import AppBoot

extension ContextKey<String> {
  /// The server that the app speaks to.
  public static var server: Self { Self("server") }
}

/// Points the app at a server for tests; the manifest says when.
public struct UseTestConfiguration: Command {
  /// A description of the command in one sentence.
  public static let abstract = "Points the app at a server for tests."

  /// The name of the context value that it provides.
  public static let provides = ContextKeys(.server)

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
