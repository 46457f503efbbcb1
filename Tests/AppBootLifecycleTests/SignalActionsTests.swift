import AppBootSystem
import Testing

@testable import AppBoot
@testable import AppBootLifecycle

@Suite("What signals mean")
struct SignalMeaningsTests {
  private let stop = Signals.terminalStop
  private let resume = Signals.resume

  /// The events of each signal, one after the other; `nil` where one means nothing.
  private func events(
    of signals: Int32..., hasTerminal: Bool = false, exists: @escaping @Sendable () -> Bool = { true }
  ) -> [[LifecycleEvent]?] {
    var meanings = SignalActions(hasTerminal: hasTerminal, isTerminalThere: exists)
    return signals.map { meanings.meaning(of: $0)?.events }
  }

  @Test("TERM is the end, HUP a reload, and others are for those who handle them")
  func plain() {
    let all = events(of: Signals.hangup, Signals.user1, Signals.terminate)
    #expect(all == [[.didReceiveReload], [], [.willTerminate]])
  }

  @Test("CONT is the foreground after TSTP alone, and once")
  func foreground() {
    let front: [LifecycleEvent] = [.willEnterForeground, .didBecomeActive]
    let back: [LifecycleEvent] = [.willResignActive, .didEnterBackground]
    #expect(events(of: resume, stop, stop, resume, resume) == [nil, back, nil, front, nil])
  }

  @Test("TSTP and CONT are nothing after TERM, and TERM counts each time")
  func ending() {
    let all = events(of: stop, Signals.terminate, resume, stop, Signals.terminate)
    #expect(all == [[.willResignActive, .didEnterBackground], [.willTerminate], nil, nil, [.willTerminate]])
  }

  @Test("HUP is the end where the terminal has gone, however often it comes")
  func hangUp() {
    let (reload, end): ([LifecycleEvent], [LifecycleEvent]) = ([.didReceiveReload], [.willTerminate])
    let hup = Signals.hangup
    #expect(events(of: hup, hup, hasTerminal: true, exists: { false }) == [end, nil])
    #expect(events(of: Signals.terminate, hup, hasTerminal: true, exists: { false }) == [end, nil])
    #expect(events(of: hup, hup, hasTerminal: true) == [reload, reload])
    #expect(events(of: hup, exists: { false }) == [reload])
  }

  @Test("a terminal that has gone counts as TERM for those who handle that")
  func signal() {
    var meanings = SignalActions(hasTerminal: true) { false }
    #expect(meanings.meaning(of: Signals.hangup)?.signal == Signals.terminate)
  }
}
