public import AppBoot

/// Offers quick actions on the app's icon: work that can wait until the first screen is there.
public struct OfferQuickActions: AsyncCommand {
  /// The command's help, lane and context values.
  public static let options = CommandOptions(
    abstract: "Offers quick actions on the app's icon.",
    requires: .store)

  private let icon: AppIcon

  /// Creates the command for an icon.
  public init(_ icon: AppIcon) { self.icon = icon }

  /// Offers what fits the store that the launch opened.
  ///
  /// - Throws: `ContextValueError` without an open store.
  public func execute(in context: LaunchContext) async throws {
    let actions = try context.require(.store).orders > 0 ? ["search", "reorder"] : ["search"]
    await icon.offer(actions)
    context.note(actions.joined(separator: ", "))
  }
}
