public import AppBoot
import AppBootSystem

/// A mediator that forwards a source's events to its listeners.
///
/// - Listeners receive events in the order of their subscriptions.
/// - If a listener throws, the others still receive the event. The ``Report`` of the event names the listener.
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

  private struct Contents: Sendable {
    var entries: [ListenerEntry] = []
    /// The event of the launch; `nil` before the launch.
    var launch: LifecycleEvent?
    /// The function of the host that uses the mediator; `nil` without a host.
    var hostReport: (@Sendable (Report) -> Void)?
  }

  private let contents = Lock(Contents())
  private let source: (any LifecycleEventSource)?
  private let report: (@Sendable (Report) -> Void)?

  /// Creates a mediator without a source; ``send(_:)`` provides its events.
  ///
  /// Failures of replayed launches also go to the state of the mediator's host. Without a report and a host, they go to
  /// standard error.
  ///
  /// - Parameter report: A function that receives the reports of replayed launches
  ///   (``subscribe(_:holding:replaysLaunch:)``).
  public init(report: (@Sendable (Report) -> Void)? = nil) {
    source = nil
    self.report = report
  }

  /// Creates a mediator that starts a source. The source is stopped when the mediator is deallocated.
  ///
  /// Listeners' failures also go to the state of the mediator's host. Without a report and a host, they go to standard
  /// error.
  ///
  /// - Parameter report: A function that is called after each event of the source and each replayed launch.
  /// - Throws: The error of the source's start.
  public init(
    source: any LifecycleEventSource, report: (@Sendable (Report) -> Void)? = nil
  ) throws {
    self.source = source
    self.report = report
    try source.start { [weak self] event in
      if let self { pass(send(event)) }
    }
  }

  deinit { source?.stop() }

  /// Subscribes a listener. It receives events from the next one on. A listener may subscribe more than once.
  ///
  /// The subscription lasts until it is cancelled, even if the result is discarded.
  ///
  /// - Parameter replaysLaunch: True to send `didFinishLaunching` to the listener now if it was sent before.
  @discardableResult
  public func subscribe(
    _ listener: any LifecycleListener, holding: Holding, replaysLaunch: Bool = false
  ) -> LifecycleSubscription {
    let entry = ListenerEntry(listener, holding: holding)
    let launch = contents.withLock { contents in
      contents.entries.append(entry)
      return contents.launch
    }
    if replaysLaunch, let launch { pass(send(launch, to: [entry])) }
    return LifecycleSubscription { [weak self, weak entry] in
      if let entry { self?.remove([entry]) }
    }
  }

  /// Cancels all subscriptions of a listener.
  public func unsubscribe(_ listener: any LifecycleListener) {
    remove(contents.withLock(\.entries).filter { $0.listener === listener })
  }

  /// The names of the subscribed listeners, in the order of their subscriptions.
  package var listenerNames: [String] {
    contents.withLock(\.entries).compactMap { $0.listener?.name }
  }

  /// Returns whether a listener may use an event: one for all events, or a closure for this one.
  func hasListener(for event: String) -> Bool {
    contents.withLock(\.entries).contains { entry in
      guard let listener = entry.listener else { return false }
      return (listener as? ClosureListener)?.names.contains(event) ?? true
    }
  }

  /// Sends an event to all listeners on the calling thread. Returns the number of listeners and their failures.
  @discardableResult
  public func send(_ event: LifecycleEvent) -> Report {
    let isLaunch = event.name == EventName.didFinishLaunching.name
    let snapshot = contents.withLock { contents in
      if isLaunch { contents.launch = event }
      return contents.entries
    }
    return send(event, to: snapshot)
  }

  private func send(_ event: LifecycleEvent, to snapshot: [ListenerEntry]) -> Report {
    var report = Report(event: event)
    var hasDeallocated = false
    for entry in snapshot where !entry.isCancelled.isSet {
      guard let listener = entry.listener else {
        hasDeallocated = true
        continue
      }
      report.listenerCount += 1
      if let mailbox = entry.mailbox {
        mailbox.send((entry, event))
        continue
      }
      do {
        try listener.receive(event)
      } catch {
        let message = Failure(describing: error).description
        report.failures.append(LaunchState.Failure(source: listener.name, message: message))
      }
    }
    if hasDeallocated { remove(snapshot.filter { $0.listener == nil }) }
    return report
  }

  /// Sets the function that receives the reports that no caller receives.
  func reportToHost(_ report: @escaping @Sendable (Report) -> Void) {
    contents.withLock { $0.hostReport = report }
  }

  /// Passes on a report that no caller receives.
  private func pass(_ delivered: Report) {
    let hostReport = contents.withLock { $0.hostReport }
    report?(delivered)
    hostReport?(delivered)
    if report == nil, hostReport == nil { delivered.logFailures() }
  }

  /// Removes entries of listeners. No further events are sent to these entries.
  ///
  /// The caller keeps the entries alive until the lock is released, because a listener's `deinit` is user code.
  func remove(_ removed: [ListenerEntry]) {
    for entry in removed { entry.isCancelled.set() }
    contents.withLock { $0.entries.removeAll(where: \.isCancelled.isSet) }
  }
}

extension LifecycleMediator {
  /// Creates a mediator that sends a source's events to listeners, which it retains.
  ///
  /// Later listeners subscribe to it. With `replaysLaunch: true` they also receive `didFinishLaunching`.
  ///
  /// - Parameters:
  ///   - source: The source; by default the signals of the process. On Apple's platforms use
  ///     `NotificationCenterEventSource`.
  ///   - report: A function that receives the report of each event. Failures also go to the state of the mediator's
  ///     host. Without a report and a host, they go to standard error.
  /// - Throws: The error of the source's start: ``SystemCallFailed`` for a `SignalEventSource`, if the process has no
  ///   descriptor or thread left. `NotificationCenterEventSource` throws no error.
  public static func makeDefaultMediator(
    source: any LifecycleEventSource = SignalEventSource(), listeners: [any LifecycleListener],
    report: (@Sendable (Report) -> Void)? = nil
  ) throws -> LifecycleMediator {
    let mediator = try LifecycleMediator(source: source, report: report)
    for listener in listeners { mediator.subscribe(listener, holding: .strong, replaysLaunch: true) }
    return mediator
  }
}

extension LifecycleMediator {
  /// A report on one event that a mediator sent to its listeners.
  public struct Report: Sendable, Hashable {
    /// The event that was sent.
    public let event: LifecycleEvent
    /// The number of listeners that received the event, including those that threw.
    public internal(set) var listenerCount = 0
    /// The errors that listeners threw, in order. The source of a failure is the listener's name.
    public internal(set) var failures: [LaunchState.Failure] = []

    /// Creates a report, for a test of the code that receives it.
    public init(event: LifecycleEvent, listenerCount: Int = 0, failures: [LaunchState.Failure] = []) {
      (self.event, self.listenerCount, self.failures) = (event, listenerCount, failures)
    }

    /// The failures as lines of text, each with the listener and the event.
    var failureText: String {
      failures.map { "AppBoot: \($0.source) failed at \(event.name): \($0.message)\n" }.joined()
    }

    /// Writes the failures to standard error.
    func logFailures() {
      if !failures.isEmpty { StandardOutput(descriptor: 2, limit: 0).write(failureText) }
    }
  }
}

extension LifecycleMediator {
  /// Calls a closure for each event with one of these names.
  ///
  /// ```swift
  /// mediator.on(.didBecomeActive) { _ in Icon.setBadge(0) }
  /// ```
  ///
  /// The closure is called on the thread that sends the event, until the subscription is cancelled. If it throws, the
  /// report names its line.
  ///
  /// - Parameter replaysLaunch: True to call the closure for `didFinishLaunching` now if that was sent before.
  @discardableResult
  public func on(
    _ event: EventName, _ others: EventName..., replaysLaunch: Bool = false,
    fileID: String = #fileID, line: Int = #line,
    perform action: @escaping @Sendable (LifecycleEvent) throws -> Void
  ) -> LifecycleSubscription {
    let listener = ClosureListener(name: "\(fileID):\(line)", events: [event] + others, action: action)
    return subscribe(listener, holding: .strong, replaysLaunch: replaysLaunch)
  }

  /// Calls a closure on the main actor for each event with one of these names.
  ///
  /// The closure receives the events in the mediator's order: at once if an event is sent on the main thread, and
  /// otherwise later.
  ///
  /// - Parameter replaysLaunch: True to call the closure for `didFinishLaunching` now if that was sent before.
  @discardableResult
  public func onMainActor(
    _ event: EventName, _ others: EventName..., replaysLaunch: Bool = false,
    fileID: String = #fileID, line: Int = #line,
    perform action: @escaping @MainActor @Sendable (LifecycleEvent) -> Void
  ) -> LifecycleSubscription {
    let flag = StopFlag()
    let mailbox = MainActorMailbox<LifecycleEvent> { if !flag.isSet { action($0) } }
    let listener = ClosureListener(name: "\(fileID):\(line)", events: [event] + others) { mailbox.send($0) }
    let subscription = subscribe(listener, holding: .strong, replaysLaunch: replaysLaunch)
    return LifecycleSubscription {
      flag.set()
      subscription.cancel()
    }
  }
}

/// A listener that calls a closure for some events.
private final class ClosureListener: LifecycleListener {
  let name: String
  let names: Set<String>
  private let action: @Sendable (LifecycleEvent) throws -> Void

  init(name: String, events: [EventName], action: @escaping @Sendable (LifecycleEvent) throws -> Void) {
    self.name = name
    names = Set(events.map(\.name))
    self.action = action
  }

  func receive(_ event: LifecycleEvent) throws {
    if names.contains(event.name) { try action(event) }
  }
}

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
  private weak let observed: (any LifecycleListener)?
  /// Set when the subscription is cancelled.
  let isCancelled = StopFlag()
  /// The mailbox of a listener of the main actor; `nil` for other listeners.
  let mailbox: MainActorMailbox<(entry: ListenerEntry, event: LifecycleEvent)>?

  init(_ listener: any LifecycleListener, holding: LifecycleMediator.Holding) {
    retained = holding == .strong ? listener : nil
    observed = holding == .weak ? listener : nil
    mailbox =
      listener is any MainActorListener
      ? MainActorMailbox { entry, event in
        if !entry.isCancelled.isSet { (entry.listener as? any MainActorListener)?.handle(event) }
      } : nil
  }

  /// The listener; `nil` if the reference is weak and the listener has been deallocated.
  var listener: (any LifecycleListener)? { retained ?? observed }
}

/// A source of lifecycle events: the platform, POSIX signals or a test.
public protocol LifecycleEventSource: AnyObject, Sendable {
  /// Starts to forward events to `receive`, until ``stop()``. It is called once.
  ///
  /// - Throws: An error if the source cannot be started.
  func start(_ receive: @escaping @Sendable (LifecycleEvent) -> Void) throws

  /// Stops forwarding. It is called once after ``start(_:)``, and does not wait for an event in progress.
  func stop()
}

/// A source whose events are sent by code: by a test, or by a bridge from a delegate.
public final class ManualEventSource: LifecycleEventSource {
  private let receiver = Lock<(@Sendable (LifecycleEvent) -> Void)?>(nil)

  /// Creates a source without a receiver.
  public init() {}

  /// True between ``start(_:)`` and ``stop()``.
  public var isStarted: Bool { receiver.withLock { $0 != nil } }

  /// Starts to forward events to `receive`.
  public func start(_ receive: @escaping @Sendable (LifecycleEvent) -> Void) {
    receiver.withLock { $0 = receive }
  }

  /// Stops forwarding.
  public func stop() { receiver.withLock { $0 = nil } }

  /// Forwards an event on the calling thread; drops it if the source has not been started.
  public func send(_ event: LifecycleEvent) {
    let receive = receiver.withLock { $0 }
    receive?(event)
  }
}

/// A part or a window that is not isolated to an actor.
///
/// The compiler's fix-it for a `@MainActor` type is an isolated conformance. The defaults of a `Sendable` protocol do
/// not satisfy it, so the compiler chooses those below, and prints their message.
public protocol NonisolatedPart {}

extension NonisolatedPart {
  /// Rejects a part whose conformance is isolated to the main actor, and names the protocol for it.
  @available(
    *, unavailable, message: "conform to MainActorListener or MainActorResponder, without @MainActor"
  )
  public var name: String { "" }

  /// Rejects a window whose conformance is isolated to the main actor, and names the protocol for it.
  @available(*, unavailable, message: "conform to MainActorWindow, without @MainActor")
  public func systemTheme() -> AppTheme? { nil }
}

/// The property that listeners and responders have in common, so that one class can be both.
public protocol LifecyclePart: Sendable, NonisolatedPart {
  /// The name of the part in reports; by default the name of its type.
  var name: String { get }
}

extension LifecyclePart {
  /// The name of the type.
  public var name: String { String(describing: Self.self) }
}

/// A listener that receives all lifecycle events.
///
/// ```swift
/// final class Sound: LifecycleListener {
///   func receive(_ event: LifecycleEvent) {
///     switch event {
///     case .didBecomeActive: resume()
///     case .didEnterBackground: pause()
///     default: break
///     }
///   }
/// }
/// ```
///
/// For one or two events a closure is shorter (``LifecycleMediator/on(_:_:replaysLaunch:fileID:line:perform:)``). A
/// listener of the main actor is a ``MainActorListener``. A class can also be a ``LifecycleResponder``
/// (``LifecycleHost/Configuration/add(_:)``).
public protocol LifecycleListener: AnyObject, LifecyclePart {
  /// Receives an event on the thread that sends it.
  ///
  /// - Throws: Any error. It is reported, and the other listeners still receive the event.
  func receive(_ event: LifecycleEvent) throws
}
