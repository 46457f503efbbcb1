import AppBoot
import AppBootSystem

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
