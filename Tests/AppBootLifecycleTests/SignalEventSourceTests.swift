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

/// Hears of signals in a process of its own, and lets a test wait for what it heard.
private final class SignalListener: LifecycleListener {
  private let heard = Condition<[String]>([])

  func hear(_ event: LifecycleEvent) {
    heard.withLock { $0.append(event.name) }
    heard.broadcast()
  }

  func hasHeard(_ names: [String]) -> Bool {
    heard.wait(until: MonotonicClock.now() + 20_000_000_000) { $0 == names ? true : nil } ?? false
  }
}

/// Sends the calling thread a signal, which has been taken when this returns.
private func take(_ signal: Int32) {
  var set = sigset_t()
  sigemptyset(&set)
  sigaddset(&set, signal)
  pthread_sigmask(SIG_UNBLOCK, &set, nil)
  raise(signal)
}

/// The tests that start a process of their own for each case run in an invocation of their own
/// (`APPBOOT_EXIT_TESTS=1 swift test --filter SignalEventSourceTests`): beside hundreds of other tests, the
/// test runner was seen not to end.
///
/// What fits that: on Linux, Swift Testing waits for exit tests by `waitid(P_ALL, …, WEXITED | WNOWAIT)`. A child of
/// another test that has ended and is not reaped yet is reported again and again, and hides the exit test's own.
private enum OwnProcess {
  static let isWanted = ProcessEnvironment.value(of: "APPBOOT_EXIT_TESTS") != nil
}

@Suite("A source of signals")
struct SignalEventSourceTests {
  @Test("passes on the events of the process's signals, in order", .enabled(if: OwnProcess.isWanted))
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
    "begins in the foreground again when it is started again after the end",
    .enabled(if: OwnProcess.isWanted))
  func again() async {
    await #expect(processExitsWith: .exitCode(42)) {
      let (source, heard) = (SignalEventSource(suspends: false), Condition<[LifecycleEvent]>([]))
      let hear: @Sendable (LifecycleEvent) -> Void = { event in
        heard.withLock { $0.append(event) }
        heard.broadcast()
      }
      source.begin(with: Signals.terminate)
      try source.start(hear)
      source.stop()
      source.begin(with: Signals.terminalStop)
      try source.start(hear)
      if heard.withLock({ $0 }) == [.willTerminate, .willResignActive, .didEnterBackground] { exit(42) }
    }
  }

  @Test(
    "does not stop a process that was continued while its events were handled",
    .enabled(if: OwnProcess.isWanted))
  func continuedMeanwhile() async {
    await #expect(processExitsWith: .exitCode(42)) {
      let process = Host.processIdentifier
      let heard = Condition<[LifecycleEvent]>([])
      let source = SignalEventSource(suspends: true, passed: { _ in }, suspend: { exit(1) })
      try source.start { event in
        if event == .didEnterBackground { take(Signals.resume) }
        heard.withLock { $0.append(event) }
        heard.broadcast()
      }
      Signals.send(Signals.terminalStop, to: process)
      let isBack = heard.wait(until: MonotonicClock.now() + 20_000_000_000) {
        $0.last == .didBecomeActive ? true : nil
      }
      if isBack == true { exit(42) }
    }
  }

  @Test("stops the process after its events were passed on", .enabled(if: OwnProcess.isWanted))
  func stops() async {
    await #expect(processExitsWith: .exitCode(42)) {
      let heard = Lock<[LifecycleEvent]>([])
      let source = SignalEventSource(
        suspends: true, passed: { _ in },
        suspend: { exit(heard.withLock { $0 } == [.willResignActive, .didEnterBackground] ? 42 : 1) })
      try source.start { event in heard.withLock { $0.append(event) } }
      Signals.send(Signals.terminalStop, to: Host.processIdentifier)
      Condition(()).wait(until: MonotonicClock.now() + 20_000_000_000) { _ in nil as Void? }
    }
  }

  @Test("gives the signals back when it stops", .enabled(if: OwnProcess.isWanted))
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
