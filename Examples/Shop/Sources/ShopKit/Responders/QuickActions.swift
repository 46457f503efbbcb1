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
    guard case .performQuickAction(let type, _, _) = event, ["search", "reorder"].contains(type) else {
      return reply.decline()
    }
    services.call("perform \(type)")
    reply.answer(.bool(true))
  }
}
