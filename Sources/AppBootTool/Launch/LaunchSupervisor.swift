import AppBoot
import AppBootCommands
import AppBootRecords
import AppBootReports
import AppBootSystem

/// A supervisor of a running launch. It handles signals, and redraws the live line.
///
/// - The first INT, TERM or HUP cancels the launch, and names the steps that are slow to stop. A second one ends the
///   process at once.
/// - QUIT ends the process at once.
/// - USR1 prints the running and waiting steps on standard error.
///
/// Without a live line it reports the progress to the service manager, or names the steps that run for long.
final class LaunchSupervisor: LaunchWatcher {
  private struct State {
    var runner: LaunchRunner?
    /// The reason to cancel the launch that is about to run; `nil` for none.
    var cancellation: String?
    /// A function that returns the recorded durations of the steps.
    var readTimes: @Sendable () -> RemainingTime = { RemainingTime(medians: [:]) }
    var termination = TerminationPolicy()
    /// The nanoseconds since the start of the launch after which the running steps are named.
    var noteTime = LaunchSupervisor.firstNote
    var isKilled = false
  }

  private let tool: ToolContext
  private let style: TextStyle
  private let live: LiveText?
  /// True if the steps that run for long are named: a log has no live line.
  private let namesLongSteps: Bool
  private let services: ServiceSupervisor?
  /// The pipe of the handled signals. A ``SignalEventSource`` takes it over when the app stays.
  let pipe: SignalPipe
  private let state = Lock(State())
  /// True after ``finish()``. Its lock is held while signals are read from the pipe.
  private let isOver = Lock(false)

  init(
    _ tool: ToolContext, live: LiveText?, isText: Bool, services: ServiceSupervisor? = nil
  ) throws(SystemError) {
    (self.tool, self.services) = (tool, services)
    style = tool.errorStyle
    self.live = live
    namesLongSteps = isText && live == nil
    pipe = try SignalPipe.install(Self.handled)
  }

  private static var handled: [Int32] { Signals.terminating + Signals.explaining }

  /// The number of the signal that cancelled the launch; `nil` if none did.
  var signal: Int32? { termination.signal }
  var termination: TerminationPolicy { state.withLock(\.termination) }
  /// True if a signal ends this process at once.
  var isKilled: Bool { state.withLock(\.isKilled) }

  /// Cancels the running launch, or the one that is about to run.
  func cancel(_ reason: String) {
    let runner = state.withLock { state in
      if state.runner == nil { state.cancellation = reason }
      return state.runner
    }
    runner?.cancel(reason)
  }

  /// Returns whether a step of the running launch, besides the one with an id, has not ended.
  func hasUnfinishedSteps(besides id: String) -> Bool {
    runner?.snapshot().record.contains { $0.id != id && !$0.state.hasEnded } ?? false
  }

  /// Calls a function with the runner of the launch. No launch begins or ends meanwhile.
  func withRunner(_ body: (LaunchRunner?) -> Void) { state.withLock { body($0.runner) } }

  /// Makes the handled signals act on the launch of this runner, and shows its progress.
  func watch(
    _ runner: LaunchRunner,
    readTimes: @escaping @Sendable () -> RemainingTime = { RemainingTime(medians: [:]) }
  ) {
    let cancellation = state.withLock { state in
      (state.runner, state.readTimes) = (runner, readTimes)
      return state.cancellation
    }
    if let cancellation { runner.cancel(cancellation) }
  }

  /// Handles the signals received so far, stops reading signals, and erases the live line.
  ///
  /// Signals that arrive later stay in ``pipe`` for its next reader.
  func finish() {
    state.withLock { $0.runner = nil }
    attend()
    isOver.withLock { $0 = true }
    live?.finish()
  }

  /// Restores the default actions of the terminating signals. A signal then ends the process even while it writes its
  /// report.
  ///
  /// The signal that cancelled the launch stays handled, because timeout(1) sends it twice: to a process and to its
  /// group.
  func restoreSignals() {
    // Also if an app's own source of events handles them: the tool decides when they end the process.
    for signal in Signals.terminating where signal != self.signal && !Signals.isIgnored(signal) {
      Signals.restoreDefault(signal)
    }
  }

  /// Restores the default actions of signals until ``resume()``. Code outside of the engine runs meanwhile.
  func pause() {
    attend()
    restoreSignals()
  }

  /// Handles signals again. It is called before the handlers of an event run.
  func resume() {
    // It fails only for invalid signal numbers (sigaction, POSIX).
    try? pipe.report(Self.handled)
  }

  var descriptor: Int32 { pipe.readDescriptor }
  var interval: Int64? {
    if live != nil { return LiveText.interval }
    return ServiceManager.isPresent || namesLongSteps ? Self.reportInterval : nil
  }

  /// The nanoseconds of a launch until the running steps are named. Each further time takes twice as long.
  private static let firstNote: Int64 = 10_000_000_000
  /// The nanoseconds between two reports to the service manager.
  private static let reportInterval: Int64 = 1_000_000_000
  /// The nanoseconds that the manager waits beyond the timeout of the launch, for the steps to stop.
  private static let endTime: Int64 = 10_000_000_000

  func attend() {
    isOver.withLock { isOver in
      if !isOver { pipe.drain().forEach(answer) }
    }
  }

  func tick() {
    guard !isOver.withLock({ $0 }), !isKilled, let runner else { return }
    let (record, time) = runner.snapshot()
    let processes = RunningProcesses(delays: runner.delays)
    if let live {
      // They are read for the first line, because most launches end before it, and without the lock.
      let times = state.withLock(\.readTimes)()
      state.withLock { $0.readTimes = { times } }
      let left = times.estimate(record, at: time.nanoseconds)
      let explanation = LiveExplanation(style: style)
      return live.draw(line: explanation.line(of: record, at: time.nanoseconds, left: left, processes))
    }
    let limit = record.outline.timeoutTime.map { $0.addingClamped(Self.endTime) - time.nanoseconds }
    let progress = LiveExplanation(style: TextStyle()).line(of: record, at: time.nanoseconds, processes)
    if ServiceManager.isPresent { return ServiceManager.report(.launching(progress: progress, limit: limit)) }
    let isDue = state.withLock { state in
      guard time.nanoseconds >= state.noteTime else { return false }
      state.noteTime *= 2
      return true
    }
    if isDue, record.contains(where: { $0.state == .running }) { tool.inform("still running: \(progress)") }
  }

  private func answer(_ signal: Int32) {
    guard !Signals.explaining.contains(signal) else { return explain() }
    let now = MonotonicClock.now()
    let (effect, runner) = state.withLock { ($0.termination.receive(signal, at: now), $0.runner) }
    switch effect {
    case .end:
      tool.hurry()
      // An app that stays handles a HUP as an event if its launch still succeeds.
      if signal != Signals.hangup { services?.expectEnds() }
      runner?.cancel(Signals.name(signal))
      ThreadTimer.shared.schedule(after: Self.patience) { [weak self] in self?.explainStop(by: signal) }
    case .nothing: break
    case .endAtOnce:
      // The journal records that a user stopped the launch: it does not count as a crash.
      runner?.cancel(Signals.name(signal))
      endAtOnce(signal)
    }
  }

  /// The nanoseconds from a signal until the steps that still run are named.
  private static let patience: Int64 = 300_000_000

  /// Names the steps that have not stopped since a signal.
  private func explainStop(by signal: Int32) {
    guard !isKilled, let runner else { return }
    let outline = runner.snapshot().record.outline
    let ids = runner.stoppingSteps.map { outline[$0].id }
    guard !ids.isEmpty else { return }
    let again = signal == Signals.interrupt ? "press Control-C" : "send \(Signals.name(signal))"
    let message = "still stopping \(ids.listed(atMost: 3)); \(again) again to end the launch at once"
    live.interrupting { tool.inform(message) }
  }

  /// Kills the running processes, and ends this process by the signal. For QUIT the system may write a core dump.
  private func endAtOnce(_ signal: Int32) {
    let first = state.withLock { state in
      state.isKilled = true
      return state.termination.signal
    }
    let isSecond = first == signal && signal != Signals.quit
    let cause = (isSecond ? "a second " : "") + Signals.name(signal)
    runner?.endProcesses(cause)
    live?.finish()
    tool.endErrors(with: "\(tool.name): ended at once by \(cause)")
    Subreaper.endDescendants()
    Signals.raiseDefault(signal)
  }

  private var runner: LaunchRunner? { state.withLock { $0.runner } }

  private func explain() {
    guard let runner else { return }
    let (record, time) = runner.snapshot()
    let processes = RunningProcesses(
      stopping: runner.stoppingSteps, unfinishedLines: runner.unfinishedLines, delays: runner.delays)
    let text = LiveExplanation(style: style).text(of: record, at: time.nanoseconds, processes)
    live.interrupting { tool.errors.offer(text) }
  }
}

/// The end of a launch: after its main lane has returned, or while it hangs.
struct LaunchEnding: Sendable {
  let tool: ToolContext
  let supervisor: LaunchSupervisor
  let logs: OutputLogs?
  /// True if a command follows a launch that succeeded: a signal that came at the launch's end concerns the command.
  let isReplaced: Bool
  let present: @Sendable (LaunchRecord) -> ToolExit

  /// Shows the record, and returns the tool's exit.
  ///
  /// If a signal stopped the launch, the exit is that signal, even if the launch failed and was not cancelled. The
  /// signal also interrupts the processes that a command waits for, and so can make the command fail.
  ///
  /// - Parameter isHanging: True if the wait for a slow disk is short although no signal came.
  func exit(of record: LaunchRecord, isHanging: Bool = false) -> ToolExit {
    supervisor.restoreSignals()
    // A reader that stalls must not make a launch longer than its own limit.
    if record.outcome == .timedOut { tool.hurry() }
    // Later the same signal again is another one: it ends a process that waits for its reader.
    if let signal = supervisor.signal {
      ThreadTimer.shared.schedule(after: TerminationPolicy.repetition) { Signals.restoreDefault(signal) }
    }
    logs?.settle(within: supervisor.signal == nil && !isHanging ? nil : StandardOutput.patience)
    let exit = present(record)
    guard isReplaced || !record.succeededWithEvents, let signal = supervisor.signal else { return exit }
    return .signalled(signal)
  }

  /// Shows the record, and ends this process. It is for a launch whose main lane does not return.
  func endProcess(of record: LaunchRecord) -> Never {
    supervisor.finish()
    let exit = exit(of: record, isHanging: true)
    tool.warnOfDroppedOutput()
    tool.settle()
    Subreaper.endDescendants()
    if case .signalled(let signal) = exit { Signals.raiseDefault(signal) }
    // A hanging step timed out, or the launch did.
    CurrentProcess.exitAtOnce(ToolExit.deadlinePassed.code)
  }
}
