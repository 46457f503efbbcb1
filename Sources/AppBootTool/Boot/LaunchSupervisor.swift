import AppBoot
import AppBootReports
import AppBootSystem

/// Watches over a running launch: answers signals, and redraws the live line.
///
/// The first INT, TERM or HUP tells the launch to stop, a second one ends the process at once, and so does QUIT; USR1
/// explains on standard error what is going on.
final class LaunchSupervisor: LaunchWatcher {
  private struct State {
    var runner: StartupRunner?
    var ending = TerminationSignal()
  }

  private let tool: ToolContext
  private let style: TextStyle
  private let live: LiveLine?
  private let pipe: SignalPipe
  private let state = Lock(State())
  /// Whether the watch is over; held while signals are taken from the pipe.
  private let isOver = Lock(false)

  init(_ tool: ToolContext, style: TextStyle, live: LiveLine?) throws(SystemError) {
    self.tool = tool
    self.style = style
    self.live = live
    pipe = try SignalPipe.install(Self.taken)
  }

  private static let ending = [Signals.interrupt, Signals.terminate, Signals.hangup, Signals.quit]
  private static var taken: [Int32] { ending + Signals.explaining }

  /// The signal that told the launch to stop.
  var signal: Int32? { state.withLock { $0.ending.signal } }

  /// Watches over a launch: it is the one that a signal tells to stop.
  func watch(_ runner: StartupRunner) {
    state.withLock { $0.runner = runner }
  }

  /// Ends the watch; the line is gone when this returns, and a signal that came at the last moment is known.
  ///
  /// From then on signals are left in the pipe, for whoever takes them over: the launch's last thread may still be
  /// looking.
  func finish() {
    state.withLock { $0.runner = nil }
    attend()
    isOver.withLock { $0 = true }
    live?.finish()
  }

  /// Lets signals end the process from now on, where nothing is left to be ended in order: nobody may read its report.
  ///
  /// The one that told the launch to stop stays taken: timeout(1) sends it to a process and to its group.
  func giveBack() {
    for signal in Self.ending where signal != self.signal && !Signals.isIgnored(signal) {
      Signals.restoreDefault(signal)
    }
  }

  /// Lets signals end the process until ``resume()``, where what runs is none of the engine's; one that has come is
  /// known.
  func pause() {
    attend()
    giveBack()
  }

  /// Takes the signals again, for the next list.
  func resume() {
    // Refused for numbers that are no signals alone (sigaction, POSIX).
    _ = try? SignalPipe.install(Self.taken)
  }

  var descriptor: Int32 { pipe.readDescriptor }
  var interval: Int64? { live.map { _ in LiveLine.interval } }

  func attend() {
    isOver.withLock { isOver in
      if !isOver { pipe.drain().forEach(answer) }
    }
  }

  func tick() {
    guard let live, !isOver.withLock({ $0 }), let (record, time) = runner?.snapshot() else { return }
    live.draw(record, at: time)
  }

  private func answer(_ signal: Int32) {
    guard !Signals.explaining.contains(signal) else { return explain() }
    if signal == Signals.quit {
      let runner = state.withLock { state in
        _ = state.ending.turn(of: signal, at: MonotonicClock.now())
        return state.runner
      }
      // The journal has it that the launch was told to stop: its end is no death.
      runner?.cancel(Signals.name(signal))
      return endAtOnce(signal)
    }
    let now = MonotonicClock.now()
    let (turn, runner) = state.withLock { ($0.ending.turn(of: signal, at: now), $0.runner) }
    switch turn {
    case .first: runner?.cancel(Signals.name(signal))
    case .repeated: break
    case .another: endAtOnce(signal)
    }
  }

  /// Ends what runs, and the process by the signal itself: that of QUIT leaves a core, where the system keeps those.
  private func endAtOnce(_ signal: Int32) {
    runner?.endProcesses()
    live?.finish()
    Signals.raiseDefault(signal)
  }

  private var runner: StartupRunner? { state.withLock { $0.runner } }

  private func explain() {
    guard let runner else { return }
    let (record, time) = runner.snapshot()
    let text = LiveExplanation(style: style).text(of: record, at: time, runner.processes)
    if let live { live.interrupting { tool.errors.write(text) } } else { tool.errors.write(text) }
  }
}
