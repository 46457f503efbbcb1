import AppBoot
public import AppBootLifecycle

/// Performs the actions of the app's icon.
public struct QuickActions {
  let services: Services

  /// Performs by the services.
  public init(services: Services) { self.services = services }
}

extension QuickActions: LifecycleResponder {
  /// Takes what `OfferQuickActions` offered.
  public func respond(to event: LifecycleEvent, _ reply: LifecycleReply) {
    guard case .performQuickAction(let action) = event, ["search", "reorder"].contains(action.type) else {
      return reply.decline()
    }
    services.call("perform \(action.type)")
    reply.answer(.bool(true))
  }
}
