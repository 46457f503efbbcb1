import AppBoot
import AppBootBase
import AppBootRecords
import AppBootSystem

/// An operation that runs a process until it ends.
///
/// The operation of a process that succeeds ends when the process exits, even if a child still has an output pipe open.
/// At that moment it reads only the output that is in the pipes. The children continue to run, and the launch's drain
/// reads their output.
///
/// If the process was stopped or failed, everything that it has started is asked to end too, and is killed after the
/// grace period. The operation ends when all have ended.
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
    var ending: ProcessEnding
    /// The time at which the operation asked the process to stop; `nil` if it did not.
    var stoppedAt: Int64?
    /// The time at which the processes that an ended process has left are killed; `nil` before they are asked to end.
    var killDue: Int64?
    /// The result of the process, which has ended; `nil` before.
    var result: Result<Void, any Error>?

    var hasSucceeded: Bool { if case .success = result { true } else { false } }

  }

  private let process: Subprocess
  private let exitDescriptor: Int32
  private let state: Lock<State>
  private let context: LaunchContext?
  private let program: String
  /// The loan of the terminal to an interactive process; `nil` for other processes.
  private let terminal: TerminalLoan?
  private let most: Int
  private let stop: (signal: Int32, grace: Int64)
  private let verdict: Verdict
  private let reason: String?

  /// Starts the process.
  ///
  /// - Parameters:
  ///   - limit: The number of last output bytes that `verdict` receives.
  ///   - most: The maximum number of output bytes. A process that prints more is killed.
  ///   - terminal: The terminal, which the process gets until it ends; `nil` to run without the terminal.
  ///   - stop: The signal that asks the process to stop, and the nanoseconds after which it is killed.
  ///   - obstacle: The reason why the process has not ended, for a step that times out; `nil` if it is unknown.
  ///   - context: The context of the step. It receives the process identifier and the output with secrets
  ///     masked. If it is `nil`, only `verdict` receives the output, unmasked.
  init(
    _ request: ProcessRequest, keeping limit: Int = 1 << 16, atMost most: Int = .max,
    terminal: TerminalLoan? = nil,
    stop: (signal: Int32, grace: Int64) = (Signals.terminate, LaunchRunner.Configuration.defaultGrace),
    obstacle: String? = nil, context: LaunchContext? = nil, verdict: @escaping Verdict
  ) throws(SpawnError) {
    (process, exitDescriptor) = try request.startWatched()
    terminal?.lend(to: process)
    let output = ProcessOutput(
      of: process, keeping: limit, hiding: context?.secrets ?? Secrets(),
      step: context.map { StepOutput(of: $0) },
      isInserted: context?.isOutputInserted ?? false)
    state = Lock(
      State(
        output: output, terminalCheck: TerminalCheck(isInteractive: terminal != nil),
        ending: ProcessEnding(of: process, marks: LaunchContext.marks(in: request))))
    self.context = context
    self.stop = stop
    program = request.arguments.first ?? ""
    self.terminal = terminal
    self.most = most
    reason = obstacle
    self.verdict = verdict
    context?.processStarted(process.processIdentifier, arguments: request.arguments)
  }

  var descriptors: [Int32] {
    state.withLock { state in
      (state.result == nil ? [exitDescriptor] : []) + state.output.descriptors(of: process)
    }
  }

  var nextDeadline: Int64? {
    state.withLock { state in
      let isOver = state.result != nil
      return [
        isOver ? nil : state.terminalCheck.due, state.output.resumesAt,
        isOver ? state.ending.nextLook : nil, isOver ? state.killDue : nil,
      ].compactMap(\.self).min()
    }
  }

  func advance() -> Result<Void, any Error>? {
    // The order matters: at the process's end all of its output is in the pipe.
    let end = process.end()
    readOutput()
    guard let end else {
      checkTerminal()
      return nil
    }
    switch conclude(end) {
    case .success: return .success(())
    case .failure(let error): return endRest() ? .failure(error) : nil
    }
  }

  /// Ends the processes that a process left when it failed or was stopped. Returns whether none runs any more.
  private func endRest() -> Bool {
    let now = MonotonicClock.now()
    let (isOver, killedAfter) = state.withLock { state -> (Bool, Int64?) in
      var killedAfter: Int64?
      if let due = state.killDue, now >= due {
        state.killDue = nil
        if !state.ending.isKilled { killedAfter = stop.grace }
        state.ending.kill()
      }
      if state.ending.isOver(at: now) { return (true, killedAfter) }
      if state.ending.mustAsk {
        state.ending.ask(stop.signal)
        state.killDue = MonotonicClock.deadline(after: stop.grace)
      }
      return (false, killedAfter)
    }
    if let killedAfter { context?.processKilled(after: killedAfter) }
    if isOver { finishOutput() }
    return isOver
  }

  /// Reads the last output of the processes that have ended.
  private func finishOutput() {
    let lines = state.withLock { state in
      let lines = state.output.finish(process)
      // Nothing is read after a failure, so no stream continues a secret.
      return lines + (state.output.flush() ?? [])
    }
    context?.output(lines)
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
    if let unfinished, let context, let drain = context.session.environment.host.drain {
      let output = LeftOutput(
        descriptors: process.takeOutput(), unfinished: unfinished, launch: context.launchID)
      drain(output, context.stepID)
    }
    process.finish()
  }

  var cpuTime: Int64? { process.cpuTime }

  var isConcluded: Bool { state.withLock { $0.result != nil && $0.stoppedAt == nil } }

  /// The line that the process printed last, if it has no end: the step may wait for an answer to it.
  var obstacle: String? { reason ?? unfinishedLine.map { "it waits after printing \"\($0.excerpt)\"" } }

  var unfinishedLine: String? {
    guard context != nil else { return nil }
    let tail = state.withLock(\.output.tail)
    let line = tail.endsInsideLine ? tail.lastLine : nil
    return line.map { VisibleText.lastDrawn($0) }
  }

  func stop(isForced: Bool) {
    // The end of a process that was not asked to stop counts, even if it was not read yet.
    guard process.end() == nil || state.withLock({ $0.result != nil || $0.stoppedAt != nil }) else { return }
    let now = MonotonicClock.now()
    let killedAfter = state.withLock { state -> Int64? in
      state.output.endPauses()
      let isFirst = !state.ending.isKilled
      if isForced {
        state.ending.kill()
      } else if state.result == nil {
        state.ending.ask(stop.signal)
      }
      let stoppedAt = state.stoppedAt
      if state.result == nil { state.stoppedAt = stoppedAt ?? now }
      return isForced && isFirst ? stoppedAt.map { now - $0 } : nil
    }
    guard isForced else { return }
    if let killedAfter { context?.processKilled(after: killedAfter) }
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

  /// Returns the result of the process, which has ended.
  private func conclude(_ end: ProcessEnd) -> Result<Void, any Error> {
    if let result = state.withLock(\.result) { return result }
    let lines = state.withLock { $0.output.finish(process) }
    context?.output(lines)
    let result = judge(end)
    state.withLock { $0.result = result }
    if case .success = result, let context, let inserted = state.withLock(\.output.insertedText) {
      context.provideOutput(inserted)
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

/// The schedule of the checks whether a process was stopped because it asked for the terminal.
///
/// The system stops a process outside of the terminal's foreground group that reads from the terminal (`SIGTTIN`) or
/// changes its settings (`SIGTTOU`). No descriptor reports that. Without a terminal there are no checks, because the
/// program cannot ask for one.
struct TerminalCheck: Sendable {
  /// The nanoseconds between two checks. All processes are checked at the same times, so one wake-up serves all of
  /// them.
  private let interval: Int64
  /// The time of the next check; `nil` if there are no checks.
  private(set) var due: Int64?

  /// Creates the schedule for a process.
  ///
  /// - Parameter isInteractive: True for a process that has the terminal. It is checked more often.
  init(
    isInteractive: Bool = false, hasTerminal: Bool = Terminal.wasControlling,
    at now: Int64 = MonotonicClock.now()
  ) {
    interval = isInteractive ? TerminalLoan.interval : 250_000_000
    if isInteractive || hasTerminal { due = next(after: now) }
  }

  /// Returns true if a check is due, and sets the time of the next check.
  mutating func isDue(at now: Int64 = MonotonicClock.now()) -> Bool {
    guard let due, now >= due else { return false }
    self.due = next(after: now)
    return true
  }

  private func next(after time: Int64) -> Int64 { (time / interval + 1) * interval }
}

/// A loop that runs the operation of a polled command whose `execute(in:)` is called directly, not by the engine.
///
/// It occupies one thread while the operation runs. If the caller's task is cancelled, the loop asks the operation to
/// stop. After the grace period it stops the operation by force.
final class OperationLoop: Sendable {
  private static let work = EngineWork(step: 0, attempt: 1, kind: .polled)

  private let operations: PolledOperations
  private let grace: Int64
  /// The time at which the operation is stopped by force; `nil` before the task is cancelled, and after that stop.
  private let forceDue = Lock<Int64?>(nil)

  /// Runs the operation to its end.
  ///
  /// - Parameter grace: The nanoseconds from a cancellation until the operation is stopped by force; `nil` for the
  ///   default grace period of a launch.
  /// - Throws: The operation's error; `CancellationError` if the task was cancelled.
  static func run(_ operation: any PolledOperation, grace: Int64? = nil) async throws {
    let result: Result<Void, any Error>
    do {
      let loop = try OperationLoop(operation, grace ?? LaunchRunner.Configuration.defaultGrace)
      result = await withTaskCancellationHandler {
        await loop.runOnThread()
      } onCancel: {
        loop.cancel()
      }
    } catch {
      operation.stop(isForced: true)
      throw error
    }
    try result.get()
  }

  private init(_ operation: any PolledOperation, _ grace: Int64) throws {
    self.grace = grace
    operations = try PolledOperations(watch: nil)
    operations.add(operation, for: Self.work)
  }

  private func cancel() {
    forceDue.withLock { $0 = MonotonicClock.deadline(after: grace) }
    operations.stop(Self.work, isForced: false)
    operations.wake()
  }

  private func runOnThread() async -> Result<Void, any Error> {
    await withCheckedContinuation { continuation in
      do {
        try Thread.start(name: "appboot-process") { [self] in continuation.resume(returning: watch()) }
      } catch {
        operations.stopAll()
        continuation.resume(returning: .failure(error))
      }
    }
  }

  private func watch() -> Result<Void, any Error> {
    while true {
      if let end = operations.advance(Self.work) { return end.result }
      let forceDue = forceDue.withLock(\.self)
      _ = operations.wait(until: forceDue)
      if let forceDue, MonotonicClock.now() >= forceDue {
        self.forceDue.withLock { $0 = nil }
        operations.stop(Self.work, isForced: true)
      }
    }
  }
}
