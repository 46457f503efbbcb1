import AppBoot
package import AppBootBase
package import AppBootSystem

/// A source that translates POSIX signals into lifecycle events, for a process without an app delegate.
///
/// - `TERM`: `willTerminate`.
/// - `TSTP`: `willResignActive` and `didEnterBackground`. Then the process stops, as Control-Z requires.
/// - `CONT`: `willEnterForeground` and `didBecomeActive`, but only after `TSTP` and not after `TERM`.
/// - `HUP`: `didReceiveReload`; `willTerminate` if the terminal of the process has closed. If `HUP` is ignored, as with
///   `nohup`, it stays ignored.
///
/// The source forwards events on its own thread. It handles these signals while it runs. When the last source of a
/// process stops, the signals get their default actions again.
///
/// Several sources of a process each receive each signal. The last one that has forwarded a `TSTP` stops the process.
public final class SignalEventSource: LifecycleEventSource {
  private let suspends: Bool
  private let handlers: [Int32: @Sendable () -> Void]
  private let didForward: @Sendable (Int32) -> Void
  private let suspend: @Sendable () -> Void
  private let state = Lock<Running?>(nil)
  private let hasTerminal = Terminal.isControlling
  /// The signals that the process received before the source starts.
  private let earlier = Lock<[Int32]>([])

  /// The pipe that another reader of the signals hands over; `nil` if the source creates its own.
  private let inherited = Lock<SignalPipe?>(nil)

  private struct Running {
    let pipe: SignalPipe
    let poller: Poller
    let isStopped: StopFlag
  }

  /// Creates a source. It checks immediately whether the process has a controlling terminal.
  ///
  /// - Parameters:
  ///   - suspends: True if `TSTP` also stops the process after its events. A receiver that handles events later, on
  ///     another thread, passes `false` and stops the process itself.
  ///   - handlers: Functions by signal number. A function is called before the events of its signal. Signals without
  ///     events can have functions too. The function of `TERM` is also called if the terminal closes.
  public convenience init(suspends: Bool = true, handlers: [Int32: @Sendable () -> Void] = [:]) {
    self.init(suspends: suspends, handlers: handlers, didForward: { _ in })
  }

  /// Creates a source with functions that replace or follow its default actions.
  ///
  /// - Parameters:
  ///   - suspends: True if `TSTP` also stops the process after its events.
  ///   - handlers: Functions by signal number. A function is called before the events of its signal.
  ///   - didForward: A function that is called with a signal after its events.
  ///   - suspend: A function that stops the process after the events of `TSTP`.
  package init(
    suspends: Bool, handlers: [Int32: @Sendable () -> Void] = [:],
    didForward: @escaping @Sendable (Int32) -> Void,
    suspend: @escaping @Sendable () -> Void = SignalEventSource.suspend
  ) {
    self.suspends = suspends
    self.handlers = handlers
    self.didForward = didForward
    self.suspend = suspend
  }

  deinit { stop() }

  /// Starts to handle the signals and to forward their events.
  ///
  /// - Throws: ``SystemCallFailed`` if a pipe, a thread or a signal handler cannot be created. The signals then keep
  ///   their default actions.
  public func start(
    _ receive: @escaping @Sendable (LifecycleEvent) -> Void
  ) throws(SystemCallFailed) {
    do throws(SystemError) { try begin(receive) } catch { throw SystemCallFailed(error) }
  }

  private func begin(_ receive: @escaping @Sendable (LifecycleEvent) -> Void) throws(SystemError) {
    let pipe = if let given = inherited.withLock(\.self) { given } else { try SignalPipe.install([]) }
    do throws(SystemError) {
      try pipe.report(handled)
      try read(pipe, receive)
      inherited.withLock { $0 = nil }
    } catch {
      pipe.stopReporting(handled)
      Self.suspension.withLock { $0.remove(ObjectIdentifier(self)) }
      throw error
    }
  }

  private func read(
    _ pipe: SignalPipe, _ receive: @escaping @Sendable (LifecycleEvent) -> Void
  ) throws(SystemError) {
    let poller = try Poller()
    try poller.add(pipe.readDescriptor, token: 0)
    let isStopped = StopFlag()
    var actions = SignalActions(hasTerminal: hasTerminal)
    let first = earlier.withLock(\.self)
    earlier.withLock { $0 = [] }
    for signal in first where Self.forward(signal, &actions, handlers, to: receive) {
      didForward(signal)
    }
    let (handlers, initial) = (handlers, actions)
    let (didForward, suspend, identity) = (didForward, suspend, ObjectIdentifier(self))
    Self.suspension.withLock { $0.add(identity, suspends: suspends) }
    try Thread.start(name: "appboot-signals") {
      var actions = initial
      var waiting: [Int32] = []
      while !isStopped.isSet, (try? poller.wait()) != nil {
        waiting += pipe.drain()
        while !isStopped.isSet, !waiting.isEmpty {
          let signal = waiting.removeFirst()
          guard Self.forward(signal, &actions, handlers, to: receive) else { continue }
          didForward(signal)
          guard signal == Signals.terminalStop, Self.suspension.withLock({ $0.isLast(identity) }) else {
            continue
          }
          waiting += pipe.drain()
          // After one of these signals no further CONT may come, so the process must not stop.
          let continues = waiting.contains {
            [Signals.resume, Signals.terminate, Signals.hangup].contains($0)
          }
          if !continues { suspend() }
        }
      }
    }
    state.withLock { $0 = Running(pipe: pipe, poller: poller, isStopped: isStopped) }
  }

  /// Hands the signals of another reader over to this source. Call it before the start.
  ///
  /// - Parameters:
  ///   - signal: A signal that the other reader has read, and that the source handles first; `nil` for none.
  ///   - pipe: The pipe of the other reader; `nil` for a pipe of the source's own. No signal in it is lost.
  package func begin(with signal: Int32?, from pipe: SignalPipe? = nil) {
    if let signal { earlier.withLock { $0.append(signal) } }
    inherited.withLock { $0 = pipe }
  }

  private static let suspension = Lock(Suspension())

  /// Calls the signal's handler and forwards its events. Returns `false` if the signal is ignored.
  private static func forward(
    _ signal: Int32, _ actions: inout SignalActions, _ handlers: [Int32: @Sendable () -> Void],
    to receive: (LifecycleEvent) -> Void
  ) -> Bool {
    guard let action = actions.action(for: signal) else { return false }
    handlers[action.signal]?()
    action.events.forEach(receive)
    return true
  }

  /// Stops forwarding. Signals that no other source handles get their default actions.
  public func stop() {
    let running = state.withLock { running in
      defer { running = nil }
      return running
    }
    guard let running else { return }
    running.isStopped.set()
    running.poller.wake()
    running.pipe.stopReporting(handled)
    Self.suspension.withLock { $0.remove(ObjectIdentifier(self)) }
  }

  private var handled: [Int32] { Self.signals + handlers.keys.filter { !Self.signals.contains($0) } }

  /// The numbers of the signals that have events. Every source handles them.
  static let signals: [Int32] = [
    Signals.terminate, Signals.resume, Signals.hangup, Signals.terminalStop,
  ]

  /// Stops the process until it receives `CONT`.
  ///
  /// It sends `STOP`, because `TSTP` has no effect in an orphaned process group (POSIX, 2.4.3).
  package static func suspend() {
    Signals.send(Signals.stop, to: Host.processIdentifier)
  }
}

/// The sources that run, and those that have not forwarded the last `TSTP` yet.
private struct Suspension {
  /// The value is true for a source that leaves the stop to AppBoot.
  private var sources: [ObjectIdentifier: Bool] = [:]
  private var waiting: Set<ObjectIdentifier> = []

  mutating func add(_ source: ObjectIdentifier, suspends: Bool) { sources[source] = suspends }

  mutating func remove(_ source: ObjectIdentifier) {
    sources[source] = nil
    waiting.remove(source)
  }

  /// Returns whether a source that has forwarded a `TSTP` has to stop the process: the others have forwarded it before,
  /// and none of them stops the process itself.
  mutating func isLast(_ source: ObjectIdentifier) -> Bool {
    if waiting.isEmpty { waiting = Set(sources.keys) }
    waiting.remove(source)
    return waiting.isEmpty && sources[source] != nil && sources.values.allSatisfy(\.self)
  }
}

/// A state machine that translates signals into events.
///
///     foreground ⇄ background (TSTP, CONT)       any → ending (TERM, or HUP if the terminal has closed)
struct SignalActions: Sendable {
  private enum Stage {
    case foreground, background, ending
  }

  /// The action for a signal: the events to send, and the number of the signal whose handler is called.
  ///
  /// If the terminal has closed, `HUP` is treated as `TERM`.
  struct Action: Equatable {
    let signal: Int32
    var events: [LifecycleEvent] = []
  }

  private let hasTerminal: Bool
  private let isTerminalThere: @Sendable () -> Bool
  private var stage = Stage.foreground

  /// Creates the state machine in the foreground.
  ///
  /// - Parameters:
  ///   - hasTerminal: True if the process was started in a terminal. Each `HUP` then checks if the terminal has closed.
  ///   - isTerminalThere: A function that returns whether the terminal is still open.
  init(
    hasTerminal: Bool, isTerminalThere: @escaping @Sendable () -> Bool = { !Terminal.hasGone }
  ) {
    self.hasTerminal = hasTerminal
    self.isTerminalThere = isTerminalThere
  }

  /// Returns the action for the next signal; `nil` to ignore the signal.
  ///
  /// Every `TERM` has an action, so that the second one can end the process. If the terminal closes, the system and the
  /// shell may both send `HUP`. The second one is ignored.
  mutating func action(for signal: Int32) -> Action? {
    switch (signal, stage) {
    case (Signals.terminate, _): return end()
    case (Signals.hangup, _) where hasTerminal && !isTerminalThere(): return stage == .ending ? nil : end()
    case (Signals.hangup, _): return Action(signal: signal, events: [.didReceiveReload])
    case (Signals.terminalStop, .foreground):
      stage = .background
      return Action(signal: signal, events: [.willResignActive, .didEnterBackground])
    case (Signals.resume, .background):
      stage = .foreground
      return Action(signal: signal, events: [.willEnterForeground, .didBecomeActive])
    case (Signals.terminalStop, _), (Signals.resume, _): return nil
    default: return Action(signal: signal)
    }
  }

  private mutating func end() -> Action {
    stage = .ending
    return Action(signal: Signals.terminate, events: [.willTerminate])
  }
}

/// An error of the system, for example because the process has no descriptor or thread left.
public struct SystemCallFailed: Error, Sendable, Hashable, CustomStringConvertible {
  /// The error message, for example `cannot create a pipe: too many open files`.
  public let message: String
  /// The number of the error (`errno`), for example `EMFILE`.
  public let code: Int32

  /// Creates the error, for a test of the code that catches it.
  public init(message: String, code: Int32) { (self.message, self.code) = (message, code) }

  package init(_ error: SystemError) { self.init(message: error.description, code: error.code) }

  /// True if the process has as many descriptors or threads as the system allows.
  package var isShortage: Bool { SystemError(call: message, code: code).isShortage }

  /// The error message.
  public var description: String { message }
}
