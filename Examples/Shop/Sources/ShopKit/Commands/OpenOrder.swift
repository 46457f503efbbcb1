public import AppBoot

/// Shows the order that a URL asks for; other URLs are for others.
public struct OpenOrder: Command {
  /// What the command does, in one sentence.
  public static let abstract = "Shows the order of a URL such as shop://order/7."

  private static let beginning = "shop://order/"

  /// Creates the command.
  public init() {}

  /// Goes on top of what the window shows.
  ///
  /// - Throws: What the window throws.
  public func execute(in context: LaunchContext) throws {
    guard let url = context.launch.url, url.hasPrefix(Self.beginning) else {
      context.note("not an order")
      return context.decline()
    }
    let order = String(url.dropFirst(Self.beginning.count))
    try context.window?.show(AppScreen(name: "Order", title: "Order \(order)", text: ""))
  }
}
