import AppBoot
import AppBootCommands
import AppBootLifecycle
import AppBootSystem

/// The end of a launch: after its main lane has returned, or while it hangs.
struct LaunchEnding: Sendable {
  let tool: ToolContext
  let supervisor: LaunchSupervisor
  let logs: OutputLogs?
  /// True if a command follows a launch that succeeded: a signal that came at the launch's end concerns the command.
  let isReplaced: Bool
  let present: @Sendable (StartupRecord) -> ToolExit

  /// Shows the record, and returns the tool's exit.
  ///
  /// If a signal stopped the launch, the exit is that signal, even if the launch failed and was not cancelled. The
  /// signal also interrupts the processes that a command waits for, and so can make the command fail.
  ///
  /// - Parameter isHanging: True if the wait for a slow disk is short although no signal came.
  func exit(of record: StartupRecord, isHanging: Bool = false) -> ToolExit {
    supervisor.restoreSignals()
    // A reader that stalls must not make a launch longer than its own limit.
    if record.outcome == .timedOut { tool.hurry() }
    // Later the same signal again is another one: it ends a process that waits for its reader.
    if let signal = supervisor.signal {
      ThreadTimer.shared.schedule(after: TerminationSignal.repetition) { Signals.restoreDefault(signal) }
    }
    logs?.settle(within: supervisor.signal == nil && !isHanging ? nil : StandardOutput.patience)
    let exit = present(record)
    guard isReplaced || !record.succeededWithEvents, let signal = supervisor.signal else { return exit }
    return .signalled(signal)
  }

  /// Shows the record, and ends this process. It is for a launch whose main lane does not return.
  func endProcess(of record: StartupRecord) -> Never {
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
