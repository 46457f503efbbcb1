import AppBoot

@MainActor
final class CartBadge {
  var number = 0
  nonisolated init() {}
}

struct ShowCart: MainActorCommand {
  let badge: CartBadge

  func execute(in context: LaunchContext) async throws {
    badge.number = try context.require(.cartSize)
  }
}

extension ContextKey<Int> {
  static var cartSize: Self { Self("cartSize") }
}
