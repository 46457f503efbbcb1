import AppBoot
import AppBootSystem

/// A mediator that forwards a source's events to its listeners.
///
/// - Listeners receive events in the order of their subscriptions.
/// - If a listener throws, the others still receive the event. The ``LifecycleReport`` of the event names the listener.
/// - A listener that subscribes during an event does not receive that event, but all later ones.
/// - A listener that unsubscribes during an event does not receive it, unless it has been called already.
/// - An event that a listener sends is delivered immediately. Events of several threads are delivered concurrently.
///
/// The mediator holds no lock while it calls a listener: it iterates over a snapshot of its subscriptions.
public final class LifecycleMediator: Sendable {
  /// The kind of the mediator's reference to a listener.
  public enum Holding: Sendable, Hashable, CaseIterable {
    /// The mediator retains the listener until it unsubscribes.
    case strong
    /// The mediator does not retain the listener. The subscription ends when the listener is deallocated.
    case weak
  }

  private let entries = Lock<[ListenerEntry]>([])
  private let source: (any LifecycleEventSource)?

  /// Creates a mediator without a source; ``send(_:)`` provides its events.
  public init() { source = nil }

  /// Creates a mediator that starts a source. The source is stopped when the mediator is deallocated.
  ///
  /// - Parameter report: A function that is called after each event of the source, with the listeners' failures.
  /// - Throws: The error of the source's start.
  public init(
    source: any LifecycleEventSource, report: @escaping @Sendable (LifecycleReport) -> Void = { _ in }
  ) throws {
    self.source = source
    try source.start { [weak self] event in
      if let delivered = self?.send(event) { report(delivered) }
    }
  }

  deinit { source?.stop() }

  /// Subscribes a listener. It receives events from the next one on. A listener may subscribe more than once.
  ///
  /// The subscription lasts until it is cancelled, even if the result is discarded.
  @discardableResult
  public func subscribe(_ listener: any LifecycleListener, holding: Holding) -> LifecycleSubscription {
    let entry = ListenerEntry(listener, holding: holding)
    entries.withLock { $0.append(entry) }
    return LifecycleSubscription { [weak self, weak entry] in
      if let entry { self?.remove([entry]) }
    }
  }

  /// Cancels all subscriptions of a listener.
  public func unsubscribe(_ listener: any LifecycleListener) {
    remove(entries.withLock { $0 }.filter { $0.listener === listener })
  }

  /// The names of the subscribed listeners, in the order of their subscriptions.
  package var listenerNames: [String] {
    entries.withLock { $0 }.compactMap { $0.listener?.name }
  }

  /// Sends an event to all listeners on the calling thread. Returns the number of listeners and their failures.
  @discardableResult
  public func send(_ event: LifecycleEvent) -> LifecycleReport {
    let snapshot = entries.withLock { $0 }
    var report = LifecycleReport(event: event)
    var hasDeallocated = false
    for entry in snapshot where entry.isOn {
      guard let listener = entry.listener else {
        hasDeallocated = true
        continue
      }
      report.listenerCount += 1
      do {
        try listener.receive(event)
      } catch {
        let message = Failure(describing: error).description
        report.failures.append(LaunchFailure(source: listener.name, message: message))
      }
    }
    if hasDeallocated { remove(snapshot.filter { $0.listener == nil }) }
    return report
  }

  /// Removes entries of listeners. No further events are sent to these entries.
  ///
  /// The caller keeps the entries alive until the lock is released, because a listener's `deinit` is user code.
  func remove(_ removed: [ListenerEntry]) {
    guard !removed.isEmpty else { return }
    let identities = Set(removed.map(ObjectIdentifier.init))
    for entry in removed { entry.turnOff() }
    entries.withLock { $0.removeAll { identities.contains(ObjectIdentifier($0)) } }
  }
}
