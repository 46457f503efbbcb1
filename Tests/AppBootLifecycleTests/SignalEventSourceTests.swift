#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif
import AppBootSystem
import AppBootTestKit
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
    received.wait(until: MonotonicClock.now() + 20_000_000_000) { $0 == names ? true : nil } ?? false
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

/// The switch for tests that start a process for each case: `APPBOOT_EXIT_TESTS=1`.
///
/// They need a separate invocation, `swift test --filter SignalEventSourceTests`. Together with hundreds of other
/// tests the runner sometimes hangs. The probable cause: on Linux, Swift Testing waits for exit tests with
/// `waitid(P_ALL, …, WEXITED | WNOWAIT)`. An unreaped child of another test is reported repeatedly and hides the
/// process of the exit test.
private enum ExitTests {
  static let isEnabled = ProcessEnvironment.value(of: "APPBOOT_EXIT_TESTS") != nil
}

@Suite("A signal event source")
struct SignalEventSourceTests {
  @Test("A source forwards the events of signals in order", .enabled(if: ExitTests.isEnabled))
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

  @Test(
    "A source that is started again begins in the foreground",
    .enabled(if: ExitTests.isEnabled))
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
    "A process that is continued during its events is not stopped",
    .enabled(if: ExitTests.isEnabled))
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
      let isBack = received.wait(until: MonotonicClock.now() + 20_000_000_000) {
        $0.last == .didBecomeActive ? true : nil
      }
      if isBack == true { exit(42) }
    }
  }

  @Test("The process stops after its events are forwarded", .enabled(if: ExitTests.isEnabled))
  func stops() async {
    await #expect(processExitsWith: .exitCode(42)) {
      let received = Lock<[LifecycleEvent]>([])
      let source = SignalEventSource(
        suspends: true, didForward: { _ in },
        suspend: { exit(received.withLock { $0 } == [.willResignActive, .didEnterBackground] ? 42 : 1) })
      try source.start { event in received.withLock { $0.append(event) } }
      Signals.send(Signals.terminalStop, to: Host.processIdentifier)
      Condition(()).wait(until: MonotonicClock.now() + 20_000_000_000) { _ in nil as Void? }
    }
  }

  @Test("A source restores the default actions when it stops", .enabled(if: ExitTests.isEnabled))
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
