import AppBoot
public import AppBootLifecycle

/// Fetches the content of a notification, and decides how one is shown.
public struct Notifications {
  let services: Services

  /// Fetches by the services.
  public init(services: Services) { self.services = services }
}

extension Notifications: LifecycleResponder {
  /// Fetches an order's state.
  public func didReceiveRemoteNotification(
    payload: String, completion: @escaping @Sendable (FetchResult) -> Void
  ) {
    services.call("fetch \(payload)")
    completion(.newData)
  }

  /// A banner without sound.
  public func willPresentNotification(
    payload: String, completion: @escaping @Sendable (PresentationOptions) -> Void
  ) { completion([.banner]) }
}
