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
  public func performQuickAction(
    _ type: String, scene: SceneID?, completion: @escaping @Sendable (Bool) -> Void
  ) {
    let isKnown = ["search", "reorder"].contains(type)
    if isKnown { services.call("perform \(type)") }
    completion(isKnown)
  }
}
