import AppBootLibC
import AppBootSystem
import AppBootTestSupport
import Testing

@testable import AppBoot
@testable import AppBootLifecycle

/// A listener in a separate process, so that a test can wait for the events of signals.
private final class SignalListener: LifecycleListener {
  private let received = Condition<[String]>([])

  func receive(_ event: LifecycleEvent) {
    received.withLock { $0.append(event.name) }
    received.broadcast()
  }

  func hasHeard(_ names: [String]) -> Bool {
    received.wait(until: Patience.end) { $0 == names ? true : nil } ?? false
  }
}

/// The signals that a source has forwarded.
///
/// A test waits for a signal before it sends the next one: the system may deliver two pending signals in any order.
private final class ForwardedSignals: Sendable {
  private let signals = Condition<[Int32]>([])

  func add(_ signal: Int32) {
    signals.withLock { $0.append(signal) }
    signals.broadcast()
  }

  func wait(for signal: Int32) {
    _ = signals.wait(until: Patience.end) { $0.contains(signal) ? true : nil }
  }
}

/// Sends a signal to the calling thread. The signal has been caught when this returns.
private func take(_ signal: Int32) {
  var set = sigset_t()
  sigemptyset(&set)
  sigaddset(&set, signal)
  pthread_sigmask(SIG_UNBLOCK, &set, nil)
  raise(signal)
}

@Suite("A signal event source", .ownProcess)
struct SignalEventSourceTests {
  @Test("A source forwards the events of signals in order")
  func signals() async {
    await #expect(processExitsWith: .exitCode(42)) {
      let listener = SignalListener()
      let mediator = try LifecycleMediator(source: SignalEventSource(suspends: false))
      mediator.subscribe(listener, holding: .strong)
      let process = Host.processIdentifier
      Signals.send(Signals.terminalStop, to: process)
      guard listener.hasHeard(["willResignActive", "didEnterBackground"]) else { return }
      Signals.send(Signals.resume, to: process)
      let before = ["willResignActive", "didEnterBackground", "willEnterForeground", "didBecomeActive"]
      guard listener.hasHeard(before) else { return }
      Signals.send(Signals.terminate, to: process)
      guard listener.hasHeard(before + ["willTerminate"]) else { return }
      exit(42)
    }
  }

  @Test("Two sources each forward 100 reloads")
  func twoSources() async {
    await #expect(processExitsWith: .exitCode(42)) {
      let counts = [Condition(0), Condition(0)]
      let sources = counts.map { _ in SignalEventSource() }
      for (source, count) in zip(sources, counts) {
        try source.start { event in
          guard event == .didReceiveReload else { return }
          count.withLock { $0 += 1 }
          count.broadcast()
        }
      }
      for sent in 1...100 {
        Signals.send(Signals.hangup, to: Host.processIdentifier)
        for count in counts {
          let hasReceived = count.wait(until: Patience.end) {
            $0 == sent ? true : nil
          }
          guard hasReceived == true else { exit(1) }
        }
      }
      exit(42)
    }
  }

  @Test("A source that stops leaves the signals of another source handled")
  func otherSource() async {
    await #expect(processExitsWith: .exitCode(42)) {
      let (source, other) = (SignalEventSource(), SignalEventSource())
      try source.start { event in if event == .willTerminate { exit(42) } }
      try other.start { _ in }
      other.stop()
      Signals.send(Signals.terminate, to: Host.processIdentifier)
      Gate().wait()
    }
  }

  @Test("Only one of two sources stops the process")
  func oneStop() async {
    await #expect(processExitsWith: .exitCode(42)) {
      let (stops, hasForwarded) = (Lock(0), (0..<2).map { _ in ForwardedSignals() })
      let sources = hasForwarded.map { forwarded in
        SignalEventSource(
          suspends: true, handlers: [Signals.user1: {}], didForward: forwarded.add,
          suspend: { stops.withLock { $0 += 1 } })
      }
      for source in sources { try source.start { _ in } }
      Signals.send(Signals.terminalStop, to: Host.processIdentifier)
      for forwarded in hasForwarded { forwarded.wait(for: Signals.terminalStop) }
      // A source handles this signal when it has handled the one before it.
      Signals.send(Signals.user1, to: Host.processIdentifier)
      for forwarded in hasForwarded { forwarded.wait(for: Signals.user1) }
      exit(stops.withLock(\.self) == 1 ? 42 : 1)
    }
  }

  @Test("A source does not stop the process if another one stops it later")
  func laterStop() async {
    await #expect(processExitsWith: .exitCode(42)) {
      let forwarded = ForwardedSignals()
      let other = SignalEventSource(suspends: false)
      let source = SignalEventSource(
        suspends: true, handlers: [Signals.user1: {}], didForward: forwarded.add, suspend: { exit(1) })
      try other.start { _ in }
      try source.start { _ in }
      Signals.send(Signals.terminalStop, to: Host.processIdentifier)
      forwarded.wait(for: Signals.terminalStop)
      Signals.send(Signals.user1, to: Host.processIdentifier)
      forwarded.wait(for: Signals.user1)
      exit(42)
    }
  }

  @Test(
    "A source that is started again begins in the foreground")
  func again() async {
    await #expect(processExitsWith: .exitCode(42)) {
      let (source, received) = (SignalEventSource(suspends: false), Condition<[LifecycleEvent]>([]))
      let receive: @Sendable (LifecycleEvent) -> Void = { event in
        received.withLock { $0.append(event) }
        received.broadcast()
      }
      source.begin(with: Signals.terminate)
      try source.start(receive)
      source.stop()
      source.begin(with: Signals.terminalStop)
      try source.start(receive)
      if received.withLock({ $0 }) == [.willTerminate, .willResignActive, .didEnterBackground] { exit(42) }
    }
  }

  @Test(
    "A process that is continued during its events is not stopped")
  func continuedMeanwhile() async {
    await #expect(processExitsWith: .exitCode(42)) {
      let process = Host.processIdentifier
      let received = Condition<[LifecycleEvent]>([])
      let source = SignalEventSource(suspends: true, didForward: { _ in }, suspend: { exit(1) })
      try source.start { event in
        if event == .didEnterBackground { take(Signals.resume) }
        received.withLock { $0.append(event) }
        received.broadcast()
      }
      Signals.send(Signals.terminalStop, to: process)
      let isBack = received.wait(until: Patience.end) { $0.last == .didBecomeActive ? true : nil }
      if isBack == true { exit(42) }
    }
  }

  @Test("The process stops after its events are forwarded")
  func stops() async {
    await #expect(processExitsWith: .exitCode(42)) {
      let received = Lock<[LifecycleEvent]>([])
      let source = SignalEventSource(
        suspends: true, didForward: { _ in },
        suspend: { exit(received.withLock { $0 } == [.willResignActive, .didEnterBackground] ? 42 : 1) })
      try source.start { event in received.withLock { $0.append(event) } }
      Signals.send(Signals.terminalStop, to: Host.processIdentifier)
      Condition(()).wait(until: Patience.end) { _ in nil as Void? }
    }
  }

  @Test("A source restores the default actions when it stops")
  func givingBack() async {
    await #expect(processExitsWith: .signal(Signals.terminate)) {
      let source = SignalEventSource()
      try source.start { _ in }
      source.stop()
      Signals.send(Signals.terminate, to: Host.processIdentifier)
      Gate().wait()
    }
  }
}
