import AppBoot
import AppBootSystem

/// Subscribes once to where events come from, and tells each to its listeners.
///
/// - Listeners hear in the order in which they subscribed.
/// - One that throws does not keep the others from hearing; the report names it.
/// - One that subscribes while an event is told hears from the next one on.
/// - One that unsubscribes while an event is told is not told that one any more, unless it is its turn already.
/// - An event that a listener tells is told at once, in between; events of several threads are told side by side.
///
/// No lock is held while a listener is called: telling walks over a snapshot of the list.
public final class LifecycleMediator: Sendable {
  /// How a listener is held.
  public enum Holding: Sendable, Hashable, CaseIterable {
    /// The mediator keeps the listener alive until it unsubscribes.
    case strong
    /// Somebody else keeps the listener alive; once it has gone, its subscription has too.
    case weak
  }

  private let entries = Lock<[ListenerEntry]>([])
  private let source: (any LifecycleEventSource)?

  /// Creates a mediator that is told its events by ``tell(_:)``.
  public init() { source = nil }

  /// Creates a mediator that subscribes to a source, and unsubscribes when it goes.
  ///
  /// - Parameter report: Hears how each event of the source was taken.
  /// - Throws: What the source throws.
  public init(
    source: any LifecycleEventSource, report: @escaping @Sendable (LifecycleReport) -> Void = { _ in }
  ) throws {
    self.source = source
    try source.start { [weak self] event in
      if let taken = self?.tell(event) { report(taken) }
    }
  }

  deinit { source?.stop() }

  /// Lets a listener hear of every event from the next one on; the same one may subscribe more than once.
  ///
  /// The subscription lasts until it is cancelled, whether the result is kept or not.
  @discardableResult
  public func subscribe(_ listener: any LifecycleListener, holding: Holding) -> LifecycleSubscription {
    let entry = ListenerEntry(listener, holding: holding)
    entries.withLock { $0.append(entry) }
    return LifecycleSubscription(entry, in: self)
  }

  /// Ends every subscription of a listener.
  public func unsubscribe(_ listener: any LifecycleListener) {
    remove(entries.withLock { $0 }.filter { $0.listener === listener })
  }

  /// The names of the listeners, in the order in which they hear.
  public var listenerNames: [String] {
    entries.withLock { $0 }.compactMap { $0.listener?.name }
  }

  /// Tells an event to every listener, on the calling thread.
  @discardableResult
  public func tell(_ event: LifecycleEvent) -> LifecycleReport {
    let snapshot = entries.withLock { $0 }
    var report = LifecycleReport(event: event)
    var hasGone = false
    for entry in snapshot where entry.isOn {
      guard let listener = entry.listener else {
        hasGone = true
        continue
      }
      report.listeners += 1
      do {
        try listener.hear(event)
      } catch {
        report.failures.append(
          ListenerFailure(listener: listener.name, event: event.name, failure: Failure(describing: error)))
      }
    }
    if hasGone { remove(snapshot.filter { $0.listener == nil }) }
    return report
  }

  /// Takes entries out of the list.
  ///
  /// What is taken out is kept by the caller until after the lock: a listener's end is user code.
  func remove(_ removed: [ListenerEntry]) {
    guard !removed.isEmpty else { return }
    let identities = Set(removed.map(ObjectIdentifier.init))
    for entry in removed { entry.turnOff() }
    entries.withLock { $0.removeAll { identities.contains(ObjectIdentifier($0)) } }
  }
}
