import AppBoot
import AppBootSystem

/// A service: its process, its readiness probe, and its rules for restart and stop.
///
/// Its phases are `starting → ready → (waiting → starting → ready)* → stopping → down`. Only one thread at a time
/// drives it: the engine until it is ready, then the supervisor. The supervisor may also start a service that is down.
final class Service: Sendable {
  /// A phase in the life of a service.
  enum Phase: Sendable, Equatable {
    /// The process runs but is not ready yet.
    case starting
    /// The process is ready since this time.
    case ready(since: Int64)
    /// The process ended at the time `since`. The next process starts at the time `until`.
    case waiting(since: Int64, until: Int64)
    /// The process was asked to stop at the time `since`. It is killed at the deadline.
    case stopping(since: Int64, deadline: Int64)
    /// No process runs, and the service starts again only on request.
    case down
  }

  /// The result of a call of ``Service/advance()``.
  enum Progress: Sendable, Equatable {
    case nothing
    /// The service became ready. The text is the probe's sentence.
    case ready(String)
    /// The process ended.
    case ended(ProcessEnd)
    /// The service can never become ready or continue to run. The text is the reason.
    case impossible(String)
  }

  fileprivate struct State: Sendable {
    var phase = Phase.starting
    var process: Subprocess?
    var probe: Probe?
    var output: ProcessOutput?
    var isReady = false
    /// The probe's address if something accepted connections there before the start; otherwise `nil`.
    var served: String?
    /// The time from which the probe's answer counts; `nil` before the probe has answered.
    var answerDue: Int64?
    var startedAt: Int64 = 0
    var restartsInRow = 0
    var restarts = 0
    /// The time at which the process ended first in the current row of restarts.
    var rowStart: Int64 = 0
    /// Words for the restarts in a row once none is left; `nil` before.
    var exhaustion: String?
    /// True if the service was asked to stop, even if no process was running then.
    var wasStopped = false
    /// True if the last process was killed with SIGKILL because it did not stop within its grace period.
    var wasKilled = false
    /// The time at which the event ``ServiceEvent/delayed(id:killIn:)`` is due; `nil` if it is not.
    var delayDue: Int64?
    var terminal = TerminalCheck()
    /// The reason why the service kills its process; `nil` if it does not.
    var obstruction: String?
    var end: ProcessEnd?
  }

  let id: String
  let restart: RestartPolicy
  let stop: StopPolicy
  let onExit: ServiceExitPolicy
  let context: LaunchContext
  private let request: ProcessRequest
  private let makeProbe: @Sendable () throws -> Probe?
  private let servedAddress: @Sendable () throws -> String?
  /// The nanoseconds for which the process must still run after the probe's answer if another process may have
  /// answered it.
  private let settlingTime: Int64
  private let state: Lock<State>

  init(
    id: String, request: ProcessRequest, probe: @escaping @Sendable () throws -> Probe?,
    served: @escaping @Sendable () throws -> String? = { nil }, settlingTime: Int64 = 1_000_000_000,
    restart: RestartPolicy, stop: StopPolicy, onExit: ServiceExitPolicy, context: LaunchContext
  ) {
    (servedAddress, self.settlingTime) = (served, settlingTime)
    (self.id, self.request, makeProbe, self.restart, self.stop) = (id, request, probe, restart, stop)
    (self.onExit, self.context) = (onExit, context)
    state = Lock(State())
  }

  var phase: Phase { state.withLock(\.phase) }
  var program: String { request.arguments.first ?? "" }
  var pid: Int32? { state.withLock { $0.process?.processIdentifier } }
  var obstacle: String? { state.withLock { $0.probe?.obstacle } }
  var served: String? { state.withLock(\.served) }
  var outputText: String { state.withLock { $0.output?.tail.text ?? "" } }

  /// A consistent snapshot of the service's status.
  var status: ServiceStatus {
    state.withLock { state in
      var status = ServiceStatus(id: id, state: state.name, onExit: onExit)
      status.pid = state.process?.processIdentifier
      status.uptime = state.process.map { _ in MonotonicClock.now() - state.startedAt }
      status.restarts = state.restarts
      status.end = state.end?.words
      if case .waiting(let start, let end) = state.phase { status.pause = end - start }
      status.wasKilled = state.wasKilled
      if state.isReady, status.pid != nil { status.served = state.served }
      return status
    }
  }

  /// The descriptors to watch for reading. They stay open until the process is released.
  var descriptors: [Int32] {
    state.withLock { state in
      guard let process = state.process else { return [] }
      let exit = (try? process.exitDescriptor()).map { [$0] } ?? []
      let streams = state.output?.descriptors(of: process) ?? []
      return exit + streams + (state.isReady ? [] : state.probe?.descriptors ?? [])
    }
  }

  /// The time of the monotonic clock at which the service needs a call, even if no descriptor is readable; `nil` for
  /// none.
  var nextDeadline: Int64? {
    state.withLock { state in
      switch state.phase {
      case .starting:
        [state.probeDue, state.terminalDue, state.resumesAt].compactMap(\.self).min()
      case .waiting(_, let until): until
      case .stopping(_, let deadline):
        [state.wasKilled ? nil : deadline, state.delayDue, state.resumesAt].compactMap(\.self).min()
      case .ready: [state.terminalDue, state.resumesAt].compactMap(\.self).min()
      case .down: nil
      }
    }
  }

  /// Starts the process and its readiness probe.
  ///
  /// - Throws: An error of the process's start or of the probe.
  func start() throws {
    let probe = try makeProbe()
    let served = try servedAddress()
    var request = request
    if let variables = probe?.environment, !variables.isEmpty {
      request.environment = (request.environment ?? [:]).merging(variables) { $1 }
    }
    let process = try request.startWatched().process
    state.withLock { state in
      state.process = process
      state.probe = probe
      (state.served, state.answerDue) = (served, nil)
      state.phase = .starting
      state.isReady = false
      state.wasStopped = false
      state.wasKilled = false
      state.startedAt = MonotonicClock.now()
      (state.terminal, state.obstruction) = (TerminalCheck(), nil)
      // Every line is collected, because an app that stays shows its services' output.
      state.output = ProcessOutput(
        of: process, hiding: context.secrets, step: StepOutput(of: context, isFollowed: true),
        isProbed: probe?.readsOutput ?? false)
    }
    // The first look, so that a timeout can say what was missing.
    _ = probe?.advance()
    context.processStarted(process.processIdentifier, arguments: request.arguments)
  }

  /// Reads the available output, and checks the process and its probe, without blocking. Also returns the new lines.
  func advance() -> (progress: Progress, lines: [OutputLine]) {
    state.withLock { state in
      guard let process = state.process else { return (.nothing, []) }
      // The order matters: at the process's end all of its output is in the pipes.
      let end = process.end()
      var lines = state.output?.read(from: process) ?? []
      if let end { return (ended(end, process, &state, &lines), lines) }
      for line in state.output?.takeProbedLines() ?? [] { state.probe?.feed(line) }
      if let reason = terminalRequest(of: process, &state) { return (.impossible(reason), lines) }
      guard case .starting = state.phase, !state.isReady else { return (.nothing, lines) }
      switch state.probe?.advance() ?? .ready("started") {
      case .waiting: return (.nothing, lines)
      case .failed(let reason):
        state.obstruction = reason
        return (.impossible(reason), lines)
      case .ready(let text):
        if waits(&state) { return (.nothing, lines) }
        // Another process may have answered for one that has ended meanwhile.
        if let end = process.end() { return (ended(end, process, &state, &lines), lines) }
        state.isReady = true
        state.output?.endProbe()
        state.phase = .ready(since: MonotonicClock.now())
        return (.ready(text), lines)
      }
    }
  }

  /// Notes the end of the process, and reads the rest of its output.
  private func ended(
    _ end: ProcessEnd, _ process: Subprocess, _ state: inout State, _ lines: inout [OutputLine]
  ) -> Progress {
    lines += state.output?.finish(process) ?? []
    state.end = end
    return .ended(end)
  }

  /// Returns true if the probe's answer does not count yet.
  ///
  /// If the address accepted connections before the start, another process may have answered. A service that cannot
  /// use the address usually ends soon, so its process must run a while longer.
  private func waits(_ state: inout State) -> Bool {
    guard state.served != nil else { return false }
    let now = MonotonicClock.now()
    let due = state.answerDue ?? MonotonicClock.deadline(after: settlingTime)
    state.answerDue = due
    return now < due
  }

  /// Returns an error message if the process asked for the terminal, which a service never has; otherwise `nil`.
  private func terminalRequest(of process: Subprocess, _ state: inout State) -> String? {
    guard state.terminalDue != nil, state.terminal.isDue(), let signal = process.terminalRequest else {
      return nil
    }
    let reason =
      "\"\(program)\" asked for the terminal (\(Signals.name(signal))), and a service has none: "
      + "let it ask for nothing, for example with an option such as --batch"
    state.obstruction = reason
    return reason
  }

  /// Returns words for the end of the process, for example "exited with code 1". If AppBoot killed it, for example
  /// because it asked for the terminal, the words give that reason.
  func words(for end: ProcessEnd) -> String {
    state.withLock(\.obstruction).map { "was killed: \(context.secrets.masking($0))" } ?? end.words
  }

  /// Closes the probe's descriptors. Before the call, remove them from every poller.
  func closeProbe() { state.withLock { $0.probe?.close() } }

  /// Reaps the ended process, and kills the rest of its process group. Before the call, remove the descriptors from
  /// pollers.
  func release() {
    state.withLock { state in
      state.probe?.close()
      state.process?.killGroup(Signals.kill)
      state.process?.finish()
      state.process = nil
    }
  }

  /// Kills the process, waits for its end and releases it. The service is then down.
  func abandon() {
    let process = state.withLock(\.process)
    process?.killGroup(Signals.kill)
    if let end = process?.wait() { state.withLock { $0.end = end } }
    release()
    stayDown()
  }

  // MARK: - Decisions

  /// Decides whether the service is restarted after its process ended, and sets ``phase``.
  ///
  /// Returns true if it is restarted. ``phase`` then has the time of the restart.
  ///
  /// - Parameter isEnding: True if the app ends. Then the service is not restarted.
  func decide(after end: ProcessEnd, at now: Int64, isEnding: Bool = false) -> Bool {
    state.withLock { state in
      if case .stopping = state.phase {
        state.phase = .down
        return false
      }
      if case .ready(let since) = state.phase, now - since >= restart.resetAfter.nanoseconds {
        state.restartsInRow = 0
      }
      let wants =
        switch restart.when {
        case .never: false
        case .always: true
        case .onFailure: end != .exited(0)
        }
      if state.restartsInRow == 0 { state.rowStart = now }
      guard !isEnding, wants, state.restartsInRow < restart.attempts else {
        if wants, !isEnding { state.exhaustion = restart.exhaustion(after: now - state.rowStart) }
        state.phase = .down
        return false
      }
      let doubled = restart.backoff.nanoseconds.multipliedReportingOverflow(
        by: Int64(1) << min(40, state.restartsInRow))
      let pause = min(doubled.overflow ? .max : doubled.partialValue, restart.maxBackoff.nanoseconds)
      state.restartsInRow += 1
      state.restarts += 1
      let until = now.addingReportingOverflow(pause)
      state.phase = .waiting(since: now, until: until.overflow ? .max : until.partialValue)
      return true
    }
  }

  /// Words for the restarts in a row once none is left; `nil` before.
  var exhaustion: String? { state.withLock(\.exhaustion) }

  /// Sends the stop signal to the process, or cancels a pending restart.
  ///
  /// Returns true if the call made the service go down at once, because it was waiting for a restart.
  @discardableResult
  func beginToStop(at now: Int64) -> Bool {
    state.withLock { state in
      switch state.phase {
      case .stopping, .down: return false
      case .waiting:
        state.phase = .down
        state.wasStopped = true
        return true
      case .starting, .ready:
        let deadline = now.addingReportingOverflow(stop.grace.nanoseconds)
        state.phase = .stopping(since: now, deadline: deadline.overflow ? .max : deadline.partialValue)
        state.delayDue = now + Self.delay
        state.wasStopped = true
        state.output?.endPauses()
        state.process?.askToStop(stop.number)
        return false
      }
    }
  }

  /// The nanoseconds after the stop signal at which a service that still runs is reported.
  private static let delay: Int64 = 1_000_000_000

  /// Returns the nanoseconds until the process is killed, once, if it has been stopping for a second.
  ///
  /// Returns `nil` at other times.
  func takeDelay(at now: Int64) -> Int64? {
    state.withLock { state in
      guard case .stopping(_, let deadline) = state.phase, let due = state.delayDue, now >= due else {
        return nil
      }
      state.delayDue = nil
      return state.wasKilled || now >= deadline ? nil : deadline - now
    }
  }

  /// Kills the process if its grace period is over. Returns the nanoseconds since it was asked to stop.
  ///
  /// Returns `nil` if the process was not killed by this call.
  ///
  /// - Parameter isForced: True to kill a process that was asked to stop even before its grace period is over.
  func killIfDue(at now: Int64, isForced: Bool = false) -> Int64? {
    state.withLock { state in
      guard case .stopping(let start, let deadline) = state.phase, !state.wasKilled,
        isForced || now >= deadline
      else { return nil }
      state.wasKilled = true
      state.process?.killGroup(Signals.kill)
      return now - start
    }
  }

  /// Starts the process of a service that is down. The count of restarts in a row begins again at 0.
  ///
  /// - Throws: An error of the process's start or of the probe. The service then stays down.
  func startAfresh() throws {
    state.withLock { ($0.restartsInRow, $0.exhaustion) = (0, nil) }
    do {
      try start()
    } catch {
      stayDown()
      throw error
    }
    state.withLock { $0.restarts += 1 }
  }

  /// Sets the phase to down. Call it only if the process has ended.
  func stayDown() { state.withLock { $0.phase = .down } }

  /// Kills the process group at once.
  func kill() { state.withLock { _ = $0.process?.killGroup(Signals.kill) } }
}

extension Service.State {
  /// The time at which reading the process's output continues; `nil` if reading is not paused.
  fileprivate var resumesAt: Int64? { process == nil ? nil : output?.resumesAt }

  fileprivate var name: ServiceState {
    switch phase {
    case .starting: .starting
    case .ready: .ready
    case .waiting: .restarting
    case .stopping: .stopping
    case .down: wasStopped ? .stopped : .ended
    }
  }

  /// The time of the probe's next check; `nil` if only a descriptor or output can decide.
  ///
  /// If the probe has already decided, or if there is no probe, it is the start time: the check is due at once.
  fileprivate var probeDue: Int64? {
    guard !isReady else { return nil }
    guard let probe, !probe.isDecided else { return answerDue ?? startedAt }
    return probe.nextDeadline
  }

  /// The time of the next check whether the process asked for the terminal; `nil` once the process is being killed.
  fileprivate var terminalDue: Int64? { obstruction == nil ? terminal.due : nil }
}
