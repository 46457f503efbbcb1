import AppBoot
public import AppBootLifecycle

/// Fetches the content of a notification, and decides how one is shown.
public struct Notifications {
  let services: Services

  /// Fetches by the services.
  public init(services: Services) { self.services = services }
}

extension Notifications: LifecycleResponder {
  /// Fetches an order's state, and shows a notification as a banner without sound.
  public func respond(to event: LifecycleEvent, _ reply: LifecycleReply) {
    switch event {
    case .didReceiveRemoteNotification(let payload):
      services.call("fetch \(payload)")
      reply.answer(.fetch(.newData))
    case .willPresentNotification: reply.answer(.presentation([.banner]))
    default: reply.decline()
    }
  }
}
