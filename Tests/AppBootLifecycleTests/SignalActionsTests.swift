import AppBootSystem
import Testing

@testable import AppBoot
@testable import AppBootLifecycle

@Suite("Signal actions")
struct SignalActionsTests {
  private let stop = Signals.terminalStop
  private let resume = Signals.resume

  /// Returns the events of each signal in turn; `nil` for an ignored signal.
  private func events(
    of signals: Int32..., hasTerminal: Bool = false, exists: @escaping @Sendable () -> Bool = { true }
  ) -> [[LifecycleEvent]?] {
    var actions = SignalActions(hasTerminal: hasTerminal, isTerminalThere: exists)
    return signals.map { actions.action(for: $0)?.events }
  }

  @Test("TERM terminates, HUP reloads, and other signals have no events")
  func plain() {
    let all = events(of: Signals.hangup, Signals.user1, Signals.terminate)
    #expect(all == [[.didReceiveReload], [], [.willTerminate]])
  }

  @Test("CONT returns to the foreground only after TSTP, and only once")
  func foreground() {
    let front: [LifecycleEvent] = [.willEnterForeground, .didBecomeActive]
    let back: [LifecycleEvent] = [.willResignActive, .didEnterBackground]
    #expect(events(of: resume, stop, stop, resume, resume) == [nil, back, nil, front, nil])
  }

  @Test("TSTP and CONT are ignored after TERM, and every TERM counts")
  func ending() {
    let all = events(of: stop, Signals.terminate, resume, stop, Signals.terminate)
    #expect(all == [[.willResignActive, .didEnterBackground], [.willTerminate], nil, nil, [.willTerminate]])
  }

  @Test("HUP terminates once if the terminal has closed")
  func hangUp() {
    let (reload, end): ([LifecycleEvent], [LifecycleEvent]) = ([.didReceiveReload], [.willTerminate])
    let hup = Signals.hangup
    #expect(events(of: hup, hup, hasTerminal: true, exists: { false }) == [end, nil])
    #expect(events(of: Signals.terminate, hup, hasTerminal: true, exists: { false }) == [end, nil])
    #expect(events(of: hup, hup, hasTerminal: true) == [reload, reload])
    #expect(events(of: hup, exists: { false }) == [reload])
  }

  @Test("A closed terminal counts as TERM for signal handlers")
  func signal() {
    var actions = SignalActions(hasTerminal: true) { false }
    #expect(actions.action(for: Signals.hangup)?.signal == Signals.terminate)
  }
}
