public import AppBoot
import Synchronization

/// A listener's subscription to a mediator.
public final class LifecycleSubscription: Sendable {
  private weak let entry: ListenerEntry?
  private weak let mediator: LifecycleMediator?

  init(_ entry: ListenerEntry, in mediator: LifecycleMediator) {
    self.entry = entry
    self.mediator = mediator
  }

  /// Cancels the subscription and releases the listener. A second call does nothing.
  public func cancel() {
    if let entry { mediator?.remove([entry]) }
  }
}

/// An entry for a listener in a mediator, with a strong or a weak reference.
final class ListenerEntry: Sendable {
  private let retained: (any LifecycleListener)?
  private weak let unretained: (any LifecycleListener)?
  private let flag = Atomic<Bool>(true)

  init(_ listener: any LifecycleListener, holding: LifecycleMediator.Holding) {
    switch holding {
    case .strong:
      retained = listener
      unretained = nil
    case .weak:
      retained = nil
      unretained = listener
    }
  }

  /// The listener; `nil` if it was referenced weakly and has been deallocated.
  @inline(__always)
  var listener: (any LifecycleListener)? { retained ?? unretained }

  /// True until the subscription is cancelled.
  @inline(__always)
  var isOn: Bool { flag.load(ordering: .acquiring) }

  func turnOff() { flag.store(false, ordering: .releasing) }
}

/// The result of sending an event to the listeners.
public struct LifecycleReport: Sendable, Hashable {
  /// The event.
  public let event: LifecycleEvent
  /// The number of listeners that received the event, including those that threw.
  public internal(set) var listenerCount = 0
  /// The errors that listeners threw, in order.
  public internal(set) var failures: [ListenerFailure] = []

  init(event: LifecycleEvent) { self.event = event }
}

/// An error that a listener threw.
public struct ListenerFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The name of the listener.
  public let listener: String
  /// The name of the event.
  public let event: String
  /// The error.
  public let failure: Failure

  /// A sentence that names the listener, the event and the error.
  public var description: String { "\(listener) failed at \(event): \(failure)" }
}
