import AppBoot
import AppBootRecords
import AppBootSystem

/// An operation that runs a process until it ends.
///
/// The operation ends when the process exits, even if a child of the process still has an output pipe open. At that
/// moment it reads only the output that is in the pipes. If the process was stopped or failed, the operation kills the
/// rest of its process group. Otherwise the children continue to run, and the launch's drain reads their output.
///
/// The system stops a process in the background that asks for the terminal. The operation kills the process, and fails.
final class ProcessOperation: PolledOperation {
  /// A function that returns the operation's result.
  ///
  /// Its arguments are the process's exit code or signal, and the last bytes of the process's output.
  typealias Verdict = @Sendable (ProcessEnd, OutputTail) -> Result<Void, any Error>

  private struct State: Sendable {
    var output: ProcessOutput
    var terminalCheck: TerminalCheck
    /// The signal with which the system stopped the process because it asked for the terminal; `nil` if it did not ask.
    var terminalRequest: Int32?
    /// The time at which the operation asked the process to stop; `nil` if it did not.
    var stoppedAt: Int64?
    var hasSucceeded = false
  }

  private let process: Subprocess
  private let exitDescriptor: Int32
  private let state: Lock<State>
  private let context: LaunchContext?
  private let program: String
  /// The loan of the terminal to an interactive process; `nil` for other processes.
  private let terminal: TerminalLoan?
  private let most: Int
  private let verdict: Verdict
  let obstacle: String?

  /// Starts the process.
  ///
  /// - Parameters:
  ///   - limit: The number of last output bytes that `verdict` receives.
  ///   - most: The maximum number of output bytes. A process that prints more is killed.
  ///   - terminal: The terminal, which the process gets until it ends; `nil` to run without the terminal.
  ///   - obstacle: The reason why the process has not ended, for a step that times out; `nil` if it is unknown.
  ///   - context: The context of the step. It receives the process identifier and the output with secrets
  ///     masked. If it is `nil`, only `verdict` receives the output, unmasked.
  init(
    _ request: ProcessRequest, keeping limit: Int = 1 << 16, atMost most: Int = .max,
    terminal: TerminalLoan? = nil, obstacle: String? = nil, context: LaunchContext? = nil,
    verdict: @escaping Verdict
  ) throws(SpawnError) {
    (process, exitDescriptor) = try request.startWatched()
    terminal?.lend(to: process)
    let output = ProcessOutput(
      of: process, keeping: limit, hiding: context?.secrets ?? Secrets(),
      step: context.map { StepOutput(of: $0) },
      isInserted: context?.isOutputInserted ?? false)
    state = Lock(
      State(output: output, terminalCheck: TerminalCheck(isInteractive: terminal != nil)))
    self.context = context
    program = request.arguments.first ?? ""
    self.terminal = terminal
    self.most = most
    self.obstacle = obstacle
    self.verdict = verdict
    context?.processStarted(process.processIdentifier, arguments: request.arguments)
  }

  var descriptors: [Int32] { [exitDescriptor] + state.withLock { $0.output.descriptors(of: process) } }

  var nextDeadline: Int64? {
    state.withLock { [$0.terminalCheck.due, $0.output.resumesAt].compactMap(\.self).min() }
  }

  func advance() -> Result<Void, any Error>? {
    // The order matters: at the process's end all of its output is in the pipe.
    let end = process.end()
    readOutput()
    if let end { return conclude(end) }
    checkTerminal()
    return nil
  }

  /// Kills a process that the system stopped because it asked for the terminal; it would stay stopped forever.
  ///
  /// For an interactive process, checks the loan of the terminal instead.
  private func checkTerminal() {
    let isDue = state.withLock { $0.terminalCheck.isDue() }
    guard isDue else { return }
    if let terminal { return terminal.attend() }
    guard let signal = process.terminalRequest else { return }
    state.withLock { $0.terminalRequest = signal }
    process.killGroup(Signals.kill)
  }

  func release() {
    terminal?.end()
    let unfinished = state.withLock { state in
      state.hasSucceeded && state.output.isOpen ? state.output.unfinishedSecrets : nil
    }
    if let unfinished, let context, let drain = context.host.environment.drain {
      let output = LeftOutput(
        descriptors: process.takeOutput(), unfinished: unfinished, launch: context.launchID)
      drain(output, context.stepID)
    }
    process.finish()
  }

  var cpuTime: Int64? { process.cpuTime }

  var unfinishedLine: String? {
    guard context != nil else { return nil }
    let tail = state.withLock(\.output.tail)
    let line = tail.endsInsideLine ? tail.lastLine : nil
    // What draws its progress begins the same line again.
    return line?.split(separator: "\r").last.map(String.init)
  }

  func stop(isForced: Bool) {
    guard process.end() == nil else { return }
    let now = MonotonicClock.now()
    let stoppedAt = state.withLock { state -> Int64? in
      state.output.endPauses()
      defer { state.stoppedAt = state.stoppedAt ?? now }
      return state.stoppedAt
    }
    guard isForced else { return process.askToStop(Signals.terminate) }
    process.killGroup(Signals.kill)
    if let stoppedAt { context?.processKilled(after: now - stoppedAt) }
    // The caller may be about to exit.
    terminal?.end()
  }

  private func readOutput() {
    let (lines, isTooMuch) = state.withLock { state in
      (state.output.read(from: process), state.output.tail.totalCount > most)
    }
    context?.output(lines)
    if isTooMuch, process.end() == nil { process.killGroup(Signals.kill) }
  }

  private func conclude(_ end: ProcessEnd) -> Result<Void, any Error> {
    let lines = state.withLock { $0.output.finish(process) }
    context?.output(lines)
    let result = judge(end)
    switch result {
    case .success:
      let inserted = state.withLock { state in
        state.hasSucceeded = true
        return state.output.insertedText
      }
      if let inserted, let context {
        context.provideOutput(inserted)
      }
    case .failure:
      // Nothing is read after a failure, so no stream continues a secret.
      if let rest = state.withLock({ $0.output.flush() }) { context?.output(rest) }
      process.killGroup(Signals.kill)
    }
    return result
  }

  /// Returns the operation's result. Calls `verdict` at most once, because `verdict` may emit an event.
  private func judge(_ end: ProcessEnd) -> Result<Void, any Error> {
    let (tail, stoppedAt, request) = state.withLock {
      ($0.output.completeTail, $0.stoppedAt, $0.terminalRequest)
    }
    if stoppedAt != nil { return .failure(CancellationError()) }
    guard let request else { return verdict(end, tail) }
    return .failure(
      RunProcessError.askedForTerminal(program: program, signal: Signals.name(request), output: tail.text))
  }
}
