public import AppBoot

/// Offers quick actions on the app's icon: work that can wait until the first screen is there.
public struct OfferQuickActions: AsyncCommand {
  /// A description of the command in one sentence.
  public static let abstract = "Offers quick actions on the app's icon."

  /// The store, whose orders decide the actions.
  public static let requires = ContextKeys(.store)

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
