public import AppBoot
import AppBootLifecycle

/// Shows the order that a URL asks for; other URLs are for others.
public struct OpenOrder: MainActorCommand {
  /// The command's help, lane and context values.
  public static let options = CommandOptions(
    abstract: "Shows the order of a URL, for example shop://order/7.")

  private static let beginning = "shop://order/"

  /// Creates the command.
  public init() {}

  /// Shows the order on top of the current screen.
  ///
  /// - Throws: Errors of the window.
  public func execute(in context: LaunchContext) async throws {
    guard let url = context.launch.url, url.hasPrefix(Self.beginning) else {
      context.note("not an order")
      return context.decline()
    }
    let order = String(url.dropFirst(Self.beginning.count))
    try context.window?.show(AppScreen(name: "Order", title: "Order \(order)", text: ""))
  }
}
