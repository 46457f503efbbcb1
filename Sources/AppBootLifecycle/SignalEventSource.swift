import AppBootSystem
import Synchronization

/// POSIX signals as events: what a process without an app delegate hears of its life.
///
/// - `TERM`: `willTerminate`.
/// - `TSTP`: `willResignActive` and `didEnterBackground`; then the process stops, as Control-Z wants it.
/// - `CONT`: `willEnterForeground` and `didBecomeActive`, after `TSTP` alone: whoever continues a process that was not
///   in the background, or that was told to end, changes nothing.
/// - `HUP`: `didReceiveReload`; where the terminal that the process was started in has gone, `willTerminate`. A
///   hang-up that is ignored stays so, as `nohup` wants it.
///
/// Events are passed on by a thread of the source's own. There is one per process: it takes over these
/// signals, and gives them back when it stops.
public final class SignalEventSource: LifecycleEventSource {
  private let suspends: Bool
  private let handlers: [Int32: @Sendable () -> Void]
  private let passed: @Sendable (Int32) -> Void
  private let suspend: @Sendable () -> Void
  private let state = Lock<Running?>(nil)
  private let hasTerminal = Terminal.isControlling
  /// What was taken before the source starts.
  private let earlier = Lock<[Int32]>([])

  private struct Running {
    let poller: Poller
    let isStopped: StopFlag
  }

  /// Creates a source, which goes by whether there is a controlling terminal now.
  ///
  /// - Parameters:
  ///   - suspends: Whether `TSTP` also stops the process, once its events were passed on; a receiver that handles
  ///     them later, on another thread, stops the process itself.
  ///   - handlers: What is done for a signal, by its number, before its events are passed on; for signals that mean
  ///     no event as well. `TERM` is that of a terminal that has gone, too.
  public convenience init(suspends: Bool = true, handlers: [Int32: @Sendable () -> Void] = [:]) {
    self.init(suspends: suspends, handlers: handlers, passed: { _ in })
  }

  /// - Parameters:
  ///   - passed: Called with a signal after its events were passed on.
  ///   - suspend: Stops the process.
  package init(
    suspends: Bool, handlers: [Int32: @Sendable () -> Void] = [:],
    passed: @escaping @Sendable (Int32) -> Void,
    suspend: @escaping @Sendable () -> Void = SignalEventSource.suspend
  ) {
    self.suspends = suspends
    self.handlers = handlers
    self.passed = passed
    self.suspend = suspend
  }

  deinit { stop() }

  /// Takes over the signals, and passes on their events.
  ///
  /// - Throws: Where the system refuses a pipe, a thread or a signal; its words say which, and the signals do what
  ///   they do by default.
  public func start(_ receive: @escaping @Sendable (LifecycleEvent) -> Void) throws {
    do {
      try listen(receive)
    } catch {
      giveBack()
      throw error
    }
  }

  private func listen(_ receive: @escaping @Sendable (LifecycleEvent) -> Void) throws {
    let pipe = try SignalPipe.install(taken)
    let poller = try Poller()
    try poller.add(pipe.readDescriptor, token: 0)
    let isStopped = StopFlag()
    var meanings = SignalActions(hasTerminal: hasTerminal)
    let first = earlier.withLock { earlier in
      defer { earlier = [] }
      return earlier
    }
    for signal in first where Self.pass(signal, &meanings, handlers, to: receive) { passed(signal) }
    let (suspends, handlers, begun) = (suspends, handlers, meanings)
    let (passed, suspend) = (passed, suspend)
    try Thread.start(name: "signals") {
      var meanings = begun
      var waiting: [Int32] = []
      while !isStopped.isSet, (try? poller.wait()) != nil {
        waiting += pipe.drain()
        while !isStopped.isSet, !waiting.isEmpty {
          let signal = waiting.removeFirst()
          guard Self.pass(signal, &meanings, handlers, to: receive) else { continue }
          passed(signal)
          guard suspends, signal == Signals.terminalStop else { continue }
          waiting += pipe.drain()
          // Whoever has continued the process meanwhile, or wants it to end, would wait for somebody else to continue it.
          let goesOn = waiting.contains { [Signals.resume, Signals.terminate, Signals.hangup].contains($0) }
          if !goesOn { suspend() }
        }
      }
    }
    state.withLock { $0 = Running(poller: poller, isStopped: isStopped) }
  }

  /// Lets the next start begin with a signal that somebody else has taken, before those that come after it.
  package func begin(with signal: Int32) { earlier.withLock { $0.append(signal) } }

  /// Whether the signal meant anything.
  private static func pass(
    _ signal: Int32, _ meanings: inout SignalActions, _ handlers: [Int32: @Sendable () -> Void],
    to receive: (LifecycleEvent) -> Void
  ) -> Bool {
    guard let meaning = meanings.meaning(of: signal) else { return false }
    handlers[meaning.signal]?()
    meaning.events.forEach(receive)
    return true
  }

  /// Passes on nothing more, and gives the signals back.
  public func stop() {
    let running = state.withLock { running in
      defer { running = nil }
      return running
    }
    guard let running else { return }
    running.isStopped.set()
    running.poller.wake()
    giveBack()
  }

  private func giveBack() {
    for signal in taken where !Signals.isIgnored(signal) { Signals.restoreDefault(signal) }
  }

  private var taken: [Int32] { Self.signals + handlers.keys.filter { !Self.signals.contains($0) } }

  /// The signals that are taken over in any case.
  static let signals: [Int32] = [
    Signals.terminate, Signals.resume, Signals.hangup, Signals.terminalStop,
  ]

  /// Stops the process until it is continued.
  ///
  /// `STOP`, since `TSTP` does nothing in a process group that no shell looks after (POSIX, 2.4.3).
  package static func suspend() {
    Signals.send(Signals.stop, to: Host.processIdentifier)
  }
}

/// A flag that one thread sets and another one looks at.
final class StopFlag: Sendable {
  private let flag = Atomic<Bool>(false)

  var isSet: Bool { flag.load(ordering: .acquiring) }
  func set() { flag.store(true, ordering: .releasing) }
}
