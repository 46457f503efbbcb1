import AppBootSystem

/// A subscription of a listener to events, or of a function to a part of a store's state.
public final class LifecycleSubscription: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  /// Cancels the subscription. It takes effect even for an event or action in progress. A second call does nothing.
  public func cancel() { end() }
}

/// An entry for a listener in a mediator, with a strong or a weak reference.
final class ListenerEntry: Sendable {
  private let retained: (any LifecycleListener)?
  /// The listener; `nil` if the reference is weak and the listener has been deallocated.
  weak let listener: (any LifecycleListener)?
  /// Set when the subscription is cancelled.
  let isCancelled = StopFlag()
  /// The mailbox of a listener of the main actor; `nil` for other listeners.
  let mailbox: MainActorMailbox<(entry: ListenerEntry, event: LifecycleEvent)>?

  init(_ listener: any LifecycleListener, holding: LifecycleMediator.Holding) {
    self.listener = listener
    retained = holding == .strong ? listener : nil
    mailbox =
      listener is any MainActorListener
      ? MainActorMailbox { entry, event in
        if !entry.isCancelled.isSet { (entry.listener as? any MainActorListener)?.handle(event) }
      } : nil
  }
}
