import AppBoot
import AppBootSystem

/// What signals mean, one after the other.
///
///     foreground ⇄ background (TSTP, CONT)       any → ending (TERM, the terminal has gone)
struct SignalActions: Sendable {
  private enum Stage {
    case foreground, background, ending
  }

  /// What a signal amounts to: the one that it counts as, and its events.
  struct Meaning: Equatable {
    let signal: Int32
    var events: [LifecycleEvent] = []
  }

  private let hasTerminal: Bool
  private let isTerminalThere: @Sendable () -> Bool
  private var stage = Stage.foreground

  /// Begins in the foreground.
  ///
  /// - Parameter hasTerminal: Whether the process was started in a terminal, whose end it then looks for.
  init(
    hasTerminal: Bool, isTerminalThere: @escaping @Sendable () -> Bool = { !Terminal.hasGone }
  ) {
    self.hasTerminal = hasTerminal
    self.isTerminalThere = isTerminalThere
  }

  /// What this signal means after those before it; `nil` for nothing at all.
  ///
  /// A `TERM` counts each time, for whoever ends the process at the second one. A terminal that goes may be told of
  /// twice, by the system and by the shell, and counts once.
  mutating func meaning(of signal: Int32) -> Meaning? {
    switch (signal, stage) {
    case (Signals.terminate, _): return end()
    case (Signals.hangup, _) where hasTerminal && !isTerminalThere(): return stage == .ending ? nil : end()
    case (Signals.hangup, _): return Meaning(signal: signal, events: [.didReceiveReload])
    case (Signals.terminalStop, .foreground):
      stage = .background
      return Meaning(signal: signal, events: [.willResignActive, .didEnterBackground])
    case (Signals.resume, .background):
      stage = .foreground
      return Meaning(signal: signal, events: [.willEnterForeground, .didBecomeActive])
    case (Signals.terminalStop, _), (Signals.resume, _): return nil
    default: return Meaning(signal: signal)
    }
  }

  private mutating func end() -> Meaning {
    stage = .ending
    return Meaning(signal: Signals.terminate, events: [.willTerminate])
  }
}
