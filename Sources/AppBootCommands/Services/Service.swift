import AppBoot
import AppBootLifecycle
import AppBootSystem

/// A service: its work, which is a process or a task, and its rules for restart and stop.
///
/// Its phases are `starting → ready → (waiting → starting → ready)* → stopping → down`. Before a restart, it is also
/// `stopping` while the processes that it left end, or if it was not ready in time. A task that ignores its
/// cancellation is `abandoned` after `stopping`, until it ends. The supervisor drives it from its first start on. A
/// ``ServiceStart`` has the result of the start for its step.
package final class Service: Sendable {
  /// The result of a call of ``Service/advance()``.
  enum Progress: Sendable, Equatable {
    case nothing
    /// The service is not ready. The text is the last answer of its probe, which has changed.
    case waiting(String)
    /// The service became ready. The text is a sentence for the step's note; empty for none.
    case ready(String)
    /// The process ended, and left processes that must be asked to end too.
    case left
    /// The work ended.
    case ended(ServiceEnd)
    /// The work did not end in time after it was ended by force.
    case abandoned
    /// The service became healthy or unhealthy after it was ready.
    case health(ServiceHealth)
    /// The service became unhealthy because its live probe failed too often.
    case notLive(ServiceHealth)
    /// The service can never become ready or continue to run. The text is the reason.
    case impossible(String)
  }

  /// The cause of a start that a service's own rules do not decide.
  enum NextStart: Sendable {
    /// The next attempt of its step.
    case attempt
    /// A request to restart it.
    case request
  }

  fileprivate struct State: Sendable {
    var phase = Phase.down(.ended(nil, exhaustion: nil), wasKilled: false)
    var work: (any ServiceWork)?
    var startedAt: Int64 = 0
    var restartsInRow = 0
    var restarts = 0
    /// The time at which the work ended first in the current row of restarts.
    var rowStart: Int64 = 0
    /// Words for the last end of the work; `nil` before.
    var endWords: String?
    /// The exit code of the last end; `nil` without one.
    var exitCode: Int32?
    /// True if the last end of the work, which nothing requested, was a failure.
    var endIsFailure = true
    /// The step that waits for the service, until the engine has taken the result of the wait.
    var step: ServiceStart?
    /// True if the service was ready at least once.
    var hasBeenReady = false
    /// True if the service starts again after a change of its files.
    var isWatched = false
    /// The cause of the next start of a service that is down; `nil` if only its own rules start it.
    var nextStart: NextStart?
    /// The reason for a restart as soon as the service is ready; `nil` for none.
    var restartWhenReady: StopReason?
  }

  let id: String
  let restart: RestartPolicy
  /// The time from the request to stop until the work is ended by force.
  let grace: Duration
  /// The number of the signal that asks the process to stop; `nil` if the work is a task.
  let stopSignal: Int32?
  private let expect: [UInt8]
  private let exitRule: ServiceExitRule
  /// The nanoseconds within which the service must be ready after a start; `nil` for no limit.
  ///
  /// The first start has the timeout of its step, which the engine enforces.
  let startLimit: Int64?
  /// The words after those for an end with code 0 of a service that must not end; empty for none.
  let adviceAfterSuccess: String
  let context: LaunchContext
  /// The ports that are reserved for the service.
  let ports: PortNumbers
  /// The number of the next start, for ``makeWork``.
  private let attempts: Lock<Int>
  private let makeWork: @Sendable () throws -> any ServiceWork
  private let state = Lock(State())

  /// Creates a service that has not started.
  ///
  /// - Parameters:
  ///   - attempts: The number of the next start, which `makeWork` counts. A service that replaces another continues it.
  ///   - makeWork: A function that starts the work.
  init(
    id: String, restart: RestartPolicy, grace: Duration, stopSignal: Int32?, expect: [UInt8] = [0],
    onExit: ServiceExitRule, startLimit: Int64? = nil, adviceAfterSuccess: String = "",
    context: LaunchContext, attempts: Lock<Int> = Lock(1),
    ports: PortNumbers = PortNumbers(), makeWork: @escaping @Sendable () throws -> any ServiceWork
  ) {
    (self.id, self.restart, self.grace, self.stopSignal) = (id, restart, grace, stopSignal)
    (self.expect, exitRule, self.startLimit) = (expect, onExit, startLimit)
    (self.context, self.attempts, self.makeWork) = (context, attempts, makeWork)
    (self.adviceAfterSuccess, self.ports) = (adviceAfterSuccess, ports)
  }

  var phase: Phase { state.withLock(\.phase) }
  var work: (any ServiceWork)? { state.withLock(\.work) }
  var pid: Int32? { state.withLock { $0.work?.pid } }
  var obstacle: String? { state.withLock { $0.work?.obstacle } }
  var linesBeforeReady: Int? { state.withLock { $0.work?.linesBeforeReady } }
  /// True if the process has ended, and the processes that it left have not.
  var hasLeft: Bool { phase.stop?.reason == .left }
  /// True if the service was ready at least once.
  var hasBeenReady: Bool { state.withLock(\.hasBeenReady) }
  var doubt: AnswerDoubt? { state.withLock { $0.work?.doubt } }
  /// The step that waits for the service, until the engine has taken the result of the wait.
  var step: ServiceStart? {
    get { state.withLock(\.step) }
    set { state.withLock { $0.step = newValue } }
  }

  /// True if the service starts again after a change of its files.
  var isWatched: Bool {
    get { state.withLock(\.isWatched) }
    set { state.withLock { $0.isWatched = newValue } }
  }

  /// The cause of the next start of a service that is down; `nil` if only its own rules start it.
  var nextStart: NextStart? {
    get {
      let next = state.withLock(\.nextStart)
      return next == .attempt && !context.isTriedAgain ? nil : next
    }
    set { state.withLock { $0.nextStart = newValue } }
  }

  /// A consistent snapshot of the service's status.
  var status: ServiceStatus {
    // Before the lock, because it reads the record.
    let startsAgain = nextStart != nil
    return state.withLock { state in
      var status = ServiceStatus(
        id: id, state: state.name(startsAgain), onExit: state.phase.exitPolicy ?? onExit(state).failure)
      status.appliedExit = state.phase.exitPolicy
      status.pid = state.work?.pid
      if state.work != nil {
        let now = MonotonicClock.now()
        status.uptime = now - state.startedAt
        status.stateTime = now - (state.phase.stop?.since ?? state.phase.readySince ?? state.startedAt)
      }
      status.restarts = state.restarts
      status.end = state.endWords
      if case .waiting(let start, let end, _) = state.phase { status.pause = end - start }
      status.wasKilled = state.phase.wasKilled
      if case .abandoned = state.phase { status.isAbandoned = true }
      status.isTask = stopSignal == nil
      status.health = state.work?.health
      status.ports = ports
      status.isWatched = state.isWatched
      if state.phase.readySince != nil { status.doubt = state.work?.doubt }
      return status
    }
  }

  /// The facts for an event of the service.
  var change: ServiceChange {
    let (words, code, restarts) = state.withLock { ($0.endWords, $0.exitCode, $0.restarts) }
    let reason = words.map {
      context.secrets.masking([$0, exhaustion].compactMap(\.self).joined(separator: "; "))
    }
    return ServiceChange(id: id, reason: reason, exitCode: code.map { Int($0) }, restarts: restarts)
  }

  /// True if the service is down because of a failure, and not because of a request or its success.
  var hasFailed: Bool {
    state.withLock { state in
      switch state.phase {
      case .down(.ended(nil, _), _): true
      case .down(.ended(let policy?, let exhaustion), _):
        policy == .fail || exhaustion != nil || state.endIsFailure
      case .down(.stopped, _), .starting, .ready, .waiting, .stopping, .abandoned: false
      }
    }
  }

  /// The descriptors to watch for reading. They stay open until the work is released.
  var descriptors: [Int32] { state.withLock { $0.work?.descriptors ?? [] } }

  /// The time of the monotonic clock at which the service needs a call, even if no descriptor is readable; `nil` for
  /// none.
  var nextDeadline: Int64? {
    state.withLock { state in
      switch state.phase {
      case .starting(let due):
        [due, state.work?.nextDeadline(isReady: false, isStopping: false)].compactMap(\.self).min()
      case .waiting(_, let until, _): until
      case .stopping(let stop):
        [
          stop.wasKilled ? nil : stop.deadline, stop.delayDue,
          state.work?.nextDeadline(isReady: stop.readySince != nil, isStopping: true),
        ].compactMap(\.self).min()
      case .ready: state.work?.nextDeadline(isReady: true, isStopping: false)
      case .abandoned, .down: nil
      }
    }
  }

  /// Sets the phase to starting, before the work starts.
  func beginStart() { state.withLock { $0.phase = .starting(due: nil) } }

  /// Starts the work.
  ///
  /// - Parameter isFirst: True for the start by the step. Later starts have the limit ``startLimit``.
  /// - Throws: An error of the start, which is then the service's last end.
  func start(isFirst: Bool = false, at now: Int64 = MonotonicClock.now()) throws {
    let work: any ServiceWork
    do {
      work = try makeWork()
    } catch {
      state.withLock { state in
        state.endWords = "could not be started again: \(context.secrets.masking("\(error)"))"
        state.exitCode = nil
      }
      throw error
    }
    state.withLock { state in
      let limit = isFirst ? nil : startLimit
      state.phase = .starting(due: limit.map { MonotonicClock.deadline(after: $0, from: now) })
      (state.work, state.startedAt, state.restartWhenReady) = (work, now, nil)
      if !isFirst { state.restarts += 1 }
    }
  }

  /// Reads the available output, and checks the work, without blocking. Also returns the new lines.
  func advance(at now: Int64 = MonotonicClock.now()) -> (progress: Progress, lines: [OutputLine]) {
    state.withLock { state in
      let isStarting = if case .starting = state.phase { true } else { false }
      guard let (progress, lines) = state.work?.advance(isStarting: isStarting) else { return (.nothing, []) }
      switch progress {
      case .ready:
        state.hasBeenReady = true
        state.phase = .ready(since: now)
      case .left: state.beginToStop(for: .left, at: now, until: killTime(from: now))
      case .ended(let end):
        state.endWords = state.words(for: end)
        state.exitCode = if case .process(.exited(let code)) = end, code >= 0 { code } else { nil }
      case .abandoned:
        // Its task can be cancelled without a request to stop, at the end of the app.
        let stop = Stop(since: now, deadline: now, readySince: state.phase.readySince, wasKilled: true)
        state.phase = .abandoned(state.phase.stop ?? stop)
      case .nothing, .waiting, .health, .notLive, .impossible: break
      }
      return (progress, lines)
    }
  }

  /// Returns words for the end of the work, for example "exited with code 1". Call it before ``release()``.
  func words(for end: ServiceEnd) -> String { state.withLock { $0.words(for: end) } }

  /// Returns the error of a service whose work ended. Call it before ``release()``.
  func error(ending end: ServiceEnd) -> any Error {
    state.withLock { state in
      state.work?.error(
        ending: end, stoppedFor: state.phase.stop?.reason?.words, wasReady: state.phase.readySince != nil)
    } ?? ServiceError.neverReady(end.words)
  }

  /// Releases the ended work. Before the call, remove the descriptors from pollers.
  func release() {
    // Without the lock, because it searches for the processes of the service.
    let work = state.withLock { state in
      defer { state.work = nil }
      return state.work
    }
    work?.release()
  }

  // MARK: - Decisions

  /// The effect of the end of a service's work.
  enum Effect {
    /// The service starts again at the time in ``phase``.
    case restart
    /// The service is down because it was asked to stop, because its start on request failed, or because the app ends.
    case stop
    /// The service is down, and its `onExit` applies.
    case end
  }

  /// Decides whether the service is restarted after its work ended, and sets ``phase``.
  ///
  /// - Parameter isEnding: True if the app ends. Then the end of the service counts as a stop.
  func decide(after end: ServiceEnd, at now: Int64, isEnding: Bool = false) -> Effect {
    state.withLock { state in
      let (stop, wasKilled) = (state.phase.stop, state.phase.wasKilled)
      // A service that stops is no longer ready.
      let readyUntil = stop?.since ?? now
      if let since = state.phase.readySince, readyUntil - since >= restart.resetAfter.nanoseconds {
        state.restartsInRow = 0
      }
      if isEnding || stop?.isRequested == true {
        state.phase = .down(.stopped, wasKilled: wasKilled)
        return .stop
      }
      if case .startFailed = stop?.reason {
        state.phase = .down(.ended(nil, exhaustion: nil), wasKilled: wasKilled)
        return .stop
      }
      if case .restarted = stop?.reason {
        state.phase = .waiting(since: now, until: now, wasKilled: wasKilled)
        return .restart
      }
      let isFailure = end.isFailure(expecting: expect) || stop?.reason?.isFailure == true
      state.endIsFailure = isFailure
      let wants =
        switch restart.condition {
        case .never: false
        case .always: true
        case .onFailure: isFailure
        }
      if state.restartsInRow == 0 { state.rowStart = now }
      guard wants, state.restartsInRow < restart.attempts else {
        let rule = onExit(state)
        let policy = isFailure ? rule.failure : rule.success ?? rule.failure
        let exhaustion = restart.exhaustion(of: state.restartsInRow, in: now - state.rowStart)
        state.phase = .down(.ended(policy, exhaustion: wants ? exhaustion : nil), wasKilled: wasKilled)
        return .end
      }
      let doubled = restart.backoff.nanoseconds.multipliedReportingOverflow(
        by: Int64(1) << min(40, state.restartsInRow))
      let pause = min(doubled.overflow ? .max : doubled.partialValue, restart.maxBackoff.nanoseconds)
      state.restartsInRow += 1
      let until = MonotonicClock.deadline(after: pause, from: now)
      state.phase = .waiting(since: now, until: until, wasKilled: wasKilled)
      return .restart
    }
  }

  /// Words for the restarts in a row once none is left; `nil` before.
  var exhaustion: String? { if case .down(.ended(_, let words), _) = phase { words } else { nil } }

  /// The effect of the end without a restart.
  var exitPolicy: ServiceExitPolicy { state.withLock { $0.phase.exitPolicy ?? onExit($0).failure } }

  private func onExit(_ state: State) -> ServiceExitRule {
    state.isWatched ? exitRule.whileWatched : exitRule
  }

  /// Asks the work to stop, or cancels a pending restart. A task that is not ready has nothing to shut down, and is
  /// cancelled.
  ///
  /// Returns true if the call made the service go down at once, because it was waiting for a restart.
  @discardableResult
  func beginToStop(at now: Int64) -> Bool {
    let (isDown, cancel) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
      switch state.phase {
      case .down: return (false, nil)
      case .stopping, .abandoned:
        // It then stays down, whatever it was stopped for before.
        state.phase.stop?.reason = nil
        return (false, nil)
      case .waiting(_, _, let wasKilled):
        state.phase = .down(.stopped, wasKilled: wasKilled)
        return (true, nil)
      case .starting where stopSignal == nil && state.work?.obstacle != nil:
        state.beginToStop(at: now, until: killTime(from: now))
        return (false, state.kill())
      case .starting, .ready:
        state.beginToStop(at: now, until: killTime(from: now))
        return (false, nil)
      }
    }
    cancel?()
    return isDown
  }

  /// Returns the time at which work that is asked to stop now is ended by force.
  private func killTime(from now: Int64) -> Int64 {
    MonotonicClock.deadline(after: grace.nanoseconds, from: now)
  }

  /// Asks a restarted service to stop if it was not ready in time. Returns the reason; `nil` if it has time.
  ///
  /// ``decide(after:at:isEnding:)`` then decides on the next restart.
  func stopIfOverdue(at now: Int64) -> String? {
    state.withLock { state in
      guard case .starting(let due?) = state.phase, now >= due else { return nil }
      let obstacle = state.work?.obstacle.map { ": \($0)" } ?? ""
      let reason = context.secrets.masking(
        "was not ready within \(DurationText.exact(.nanoseconds(startLimit ?? 0)))\(obstacle)")
      state.beginToStop(for: .notReady(reason), at: now, until: killTime(from: now))
      return reason
    }
  }

  /// Asks the work of a start on request to stop, because the start failed.
  func failStart(_ reason: String, at now: Int64) {
    state.withLock { state in
      if state.phase.stop == nil { state.beginToStop(at: now, until: killTime(from: now)) }
      state.phase.stop?.reason = .startFailed(context.secrets.masking(reason))
    }
  }

  /// Asks the work of a service that is ready to stop, so that ``decide(after:at:isEnding:)`` decides on its restart.
  ///
  /// Returns false if the service is not ready, or if its rules do not restart it. A service that starts is restarted
  /// when it is ready, because of another one.
  @discardableResult
  func beginToStop(for reason: StopReason, at now: Int64) -> Bool {
    state.withLock { state in
      if case .starting = state.phase, case .restarted = reason { state.restartWhenReady = reason }
      guard case .ready = state.phase, !reason.isFailure || restart.condition != .never else { return false }
      state.beginToStop(for: reason, at: now, until: killTime(from: now))
      return true
    }
  }

  /// Asks a service to stop that another one restarts as soon as it is ready. Returns false if none does.
  func beginDelayedRestart(at now: Int64) -> Bool {
    guard let reason = state.withLock(\.restartWhenReady) else { return false }
    return beginToStop(for: reason, at: now)
  }

  /// The nanoseconds after the request to stop at which a service that still runs is reported.
  fileprivate static let delay: Int64 = 1_000_000_000

  /// Returns the nanoseconds until the work is ended by force, once, if it has been stopping for a second.
  ///
  /// Returns `nil` at other times.
  func takeDelay(at now: Int64) -> Int64? {
    state.withLock { state in
      guard case .stopping(let stop) = state.phase, let due = stop.delayDue, now >= due else { return nil }
      state.phase.stop?.delayDue = nil
      return stop.wasKilled || now >= stop.deadline ? nil : stop.deadline - now
    }
  }

  /// Ends the work by force if its grace period is over. Returns the nanoseconds since it was asked to stop.
  ///
  /// Returns `nil` if the call did not end the work by force.
  ///
  /// - Parameter isForced: True for work that was asked to stop even before its grace period is over.
  func killIfDue(at now: Int64, isForced: Bool = false) -> Int64? {
    let killed = state.withLock { state -> (time: Int64, cancel: (@Sendable () -> Void)?)? in
      guard case .stopping(let stop) = state.phase, !stop.wasKilled, isForced || now >= stop.deadline else {
        return nil
      }
      if !isForced, state.work?.endStopProgram() == true {
        state.phase.stop?.deadline = killTime(from: now)
        return nil
      }
      return (now - stop.since, state.kill())
    }
    killed?.cancel?()
    return killed?.time
  }

  /// Starts a service whose phase was set by ``beginStart()``. The count of restarts in a row begins again at 0.
  ///
  /// - Throws: An error of the start. The service is then down, as one that ended and was not stopped on request.
  func startAfresh(at now: Int64) throws {
    state.withLock { $0.restartsInRow = 0 }
    do {
      try start(at: now)
    } catch {
      stayDown()
      throw error
    }
  }

  /// Continues the counts of a service that is down, whose entry in the manifest has changed.
  func replace(_ old: Service) {
    let attempt = old.attempts.withLock(\.self)
    attempts.withLock { $0 = attempt }
    let last = old.state.withLock(\.self)
    state.withLock { state in
      (state.restarts, state.hasBeenReady) = (last.restarts, last.hasBeenReady)
      (state.endWords, state.exitCode, state.isWatched) = (last.endWords, last.exitCode, last.isWatched)
    }
  }

  /// Sets the phase to down. Call it only if the work has ended.
  ///
  /// - Parameter hasFailed: True if the start has failed, even if the work was asked to stop because of that.
  func stayDown(hasFailed: Bool = false) {
    state.withLock { state in
      if hasFailed { state.nextStart = .attempt }
      let isStopped = state.phase.stop?.isRequested == true && !hasFailed
      state.phase = .down(
        isStopped ? .stopped : .ended(nil, exhaustion: nil), wasKilled: state.phase.wasKilled)
    }
  }

  /// Notes that a service that is down stays down, because a request stopped it.
  func stayDownOnRequest() {
    state.withLock { state in
      if case .down(_, let wasKilled) = state.phase { state.phase = .down(.stopped, wasKilled: wasKilled) }
    }
  }

  /// Ends the work by force at once.
  func kill() {
    let cancel = state.withLock { $0.work?.kill() }
    cancel?()
  }
}

extension Service.State {
  fileprivate func words(for end: ServiceEnd) -> String {
    phase.stop?.reason?.words ?? work?.words(for: end) ?? end.words
  }

  fileprivate mutating func beginToStop(
    for reason: Service.StopReason? = nil, at now: Int64, until deadline: Int64
  ) {
    phase = .stopping(
      Service.Stop(
        since: now, deadline: deadline, reason: reason, readySince: phase.readySince,
        delayDue: now + Service.delay))
    work?.askToStop()
  }

  /// Ends work that was asked to stop by force.
  fileprivate mutating func kill() -> (@Sendable () -> Void)? {
    phase.stop?.wasKilled = true
    return work?.kill()
  }

  fileprivate func name(_ startsAgain: Bool) -> ServiceState {
    switch phase {
    case .starting: .starting
    case .ready: .ready
    case .waiting: .restarting
    case .stopping, .abandoned: .stopping
    case .down where startsAgain: .restarting
    case .down(.stopped, _): .stopped
    case .down(.ended, _): hasBeenReady ? .ended : .failed
    }
  }
}
