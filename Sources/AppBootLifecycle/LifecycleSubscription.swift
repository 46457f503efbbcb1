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
  private weak let unretained: (any LifecycleListener)?
  private let flag = Lock(true)
  /// The mailbox of a listener of the main actor; `nil` for other listeners.
  let mailbox: MainActorMailbox<(entry: ListenerEntry, event: LifecycleEvent)>?

  init(_ listener: any LifecycleListener, holding: LifecycleMediator.Holding) {
    switch holding {
    case .strong:
      retained = listener
      unretained = nil
    case .weak:
      retained = nil
      unretained = listener
    }
    mailbox =
      listener is any MainActorListener
      ? MainActorMailbox { entry, event in
        if entry.isOn { (entry.listener as? any MainActorListener)?.handle(event) }
      } : nil
  }

  /// The listener; `nil` if the reference is weak and the listener has been deallocated.
  @inline(__always)
  var listener: (any LifecycleListener)? { retained ?? unretained }

  /// True until the subscription is cancelled.
  @inline(__always)
  var isOn: Bool { flag.withLock(\.self) }

  func turnOff() { flag.withLock { $0 = false } }
}

/// A report on one event that a mediator sent to its listeners.
public struct LifecycleReport: Sendable, Hashable {
  /// The event that was sent.
  public let event: LifecycleEvent
  /// The number of listeners that received the event, including those that threw.
  public internal(set) var listenerCount = 0
  /// The errors that listeners threw, in order. The source of a failure is the listener's name.
  public internal(set) var failures: [LaunchFailure] = []

  init(event: LifecycleEvent) { self.event = event }

  /// The failures as lines of text, each with the listener and the event.
  var failureText: String {
    failures.map { "AppBoot: \($0.source) failed at \(event.name): \($0.message)\n" }.joined()
  }

  /// Writes the failures to standard error.
  func logFailures() {
    if !failures.isEmpty { StandardOutput(descriptor: 2, limit: 0).write(failureText) }
  }
}
