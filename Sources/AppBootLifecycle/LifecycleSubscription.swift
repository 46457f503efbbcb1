public import AppBoot
import Synchronization

/// A listener's place in a mediator's list.
public final class LifecycleSubscription: Sendable {
  private weak let entry: ListenerEntry?
  private weak let mediator: LifecycleMediator?

  init(_ entry: ListenerEntry, in mediator: LifecycleMediator) {
    self.entry = entry
    self.mediator = mediator
  }

  /// Ends the subscription: the listener hears nothing more, and is held no more. A second call does nothing.
  public func cancel() {
    if let entry { mediator?.remove([entry]) }
  }
}

/// A listener and how it is held; the list of a mediator keeps it alive.
final class ListenerEntry: Sendable {
  private let kept: (any LifecycleListener)?
  private weak let seen: (any LifecycleListener)?
  private let flag = Atomic<Bool>(true)

  init(_ listener: any LifecycleListener, holding: LifecycleMediator.Holding) {
    switch holding {
    case .strong:
      kept = listener
      seen = nil
    case .weak:
      kept = nil
      seen = listener
    }
  }

  /// The listener; `nil` once one that is held weakly has gone.
  @inline(__always)
  var listener: (any LifecycleListener)? { kept ?? seen }

  /// Whether the subscription has not ended.
  @inline(__always)
  var isOn: Bool { flag.load(ordering: .acquiring) }

  func turnOff() { flag.store(false, ordering: .releasing) }
}

/// How an event was taken by the listeners.
public struct LifecycleReport: Sendable, Hashable {
  /// The event.
  public let event: LifecycleEvent
  /// How many listeners were told, those that threw among them.
  public internal(set) var listeners = 0
  /// What was thrown, in the order in which it was.
  public internal(set) var failures: [ListenerFailure] = []

  init(event: LifecycleEvent) { self.event = event }
}

/// A listener threw.
public struct ListenerFailure: Error, Sendable, Hashable, CustomStringConvertible {
  /// The listener's name.
  public let listener: String
  /// The event's name.
  public let event: String
  /// What it threw.
  public let failure: Failure

  /// Who failed at what, and why.
  public var description: String { "\(listener) failed at \(event): \(failure)" }
}
