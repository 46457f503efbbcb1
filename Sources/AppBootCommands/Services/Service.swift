import AppBoot
import AppBootSystem

/// A service: its work, which is a process or a task, and its rules for restart and stop.
///
/// Its phases are `starting → ready → (waiting → starting → ready)* → stopping → down`. Before a restart, it is also
/// `stopping` while the processes that it left end, or if it was not ready in time. A task that ignores its
/// cancellation is `abandoned` after `stopping`, until it ends. The supervisor drives it from its first start on. A
/// ``ServiceStart`` has the result of the start for its step.
package final class Service: Sendable {
  /// A phase in the life of a service.
  enum Phase: Sendable, Equatable {
    /// The work runs but is not ready yet.
    case starting
    /// The work is ready since this time.
    case ready(since: Int64)
    /// The work ended at the time `since`. It starts again at the time `until`.
    case waiting(since: Int64, until: Int64)
    /// The work was asked to stop at the time `since`. It is ended by force at the deadline.
    case stopping(since: Int64, deadline: Int64)
    /// The work was ended by force, but ignores that and still runs. Only a task can do this.
    case abandoned
    /// No work runs, and the service starts again only on request.
    case down
  }

  /// A reason for which the supervisor stops the work of a service without a request.
  enum StopReason: Sendable, Equatable {
    /// The process ended, and left processes that must end too. The stop does not count.
    case left
    /// The restarted service was not ready in time. The text says so. The stop counts as a failure.
    case notReady(String)
    /// The live probe failed. The text is the health. The stop counts as a failure.
    case notLive(String)
    /// The service with this id was restarted. The work starts again at once, and the stop does not count.
    case restarted(String)

    /// The words that replace the words for the end of the work; `nil` to keep them.
    var words: String? {
      switch self {
      case .left: nil
      case .notReady(let text): text
      case .notLive(let text): "was stopped: \(text)"
      case .restarted(let id): "was stopped, because \(id) was restarted"
      }
    }

    var isFailure: Bool {
      switch self {
      case .notReady, .notLive: true
      case .left, .restarted: false
      }
    }
  }

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

  fileprivate struct State: Sendable {
    var phase = Phase.starting
    var work: (any ServiceWork)?
    var startedAt: Int64 = 0
    var restartsInRow = 0
    var restarts = 0
    /// The time at which the work ended first in the current row of restarts.
    var rowStart: Int64 = 0
    /// Words for the restarts in a row once none is left; `nil` before.
    var exhaustion: String?
    /// True if the service was asked to stop, even if no work was running then.
    var wasStopped = false
    /// The reason for which the supervisor stops the work; `nil` if the work ends without it or on request.
    var stopReason: StopReason?
    /// The time at which the work became ready; `nil` before.
    var readySince: Int64?
    var isReady: Bool { readySince != nil }
    /// True if the last work was ended by force because it did not stop within its grace period.
    var wasKilled = false
    /// The time until which a restarted service must be ready; `nil` if it has no limit, or if it is ready.
    var startDue: Int64?
    /// The time at which the event ``ServiceEvent/delayed(id:killIn:signal:)`` is due; `nil` if it is not.
    var delayDue: Int64?
    /// Words for the last end of the work; `nil` before.
    var endWords: String?
    /// The step that waits for the service, until the engine has taken the result of the wait.
    var step: ServiceStart?
    /// The effect of the end without a restart; `nil` before.
    var exitPolicy: ServiceExitPolicy?
    /// True if the service was ready at least once.
    var hasBeenReady = false
  }

  let id: String
  let restart: RestartPolicy
  /// The time from the request to stop until the work is ended by force.
  let grace: Duration
  /// The number of the signal that asks the process to stop; `nil` if the work is a task.
  let stopSignal: Int32?
  private let expect: [UInt8]
  private let onExit: ServiceExitRule
  /// The nanoseconds within which the service must be ready after a start; `nil` for no limit.
  ///
  /// The first start has the timeout of its step, which the engine enforces.
  let startLimit: Int64?
  /// The words after those for an end with code 0 of a service that must not end; empty for none.
  let adviceAfterSuccess: String
  let context: LaunchContext
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
    makeWork: @escaping @Sendable () throws -> any ServiceWork
  ) {
    (self.id, self.restart, self.grace, self.stopSignal) = (id, restart, grace, stopSignal)
    (self.expect, self.onExit, self.startLimit) = (expect, onExit, startLimit)
    (self.context, self.attempts, self.makeWork) = (context, attempts, makeWork)
    self.adviceAfterSuccess = adviceAfterSuccess
  }

  var phase: Phase { state.withLock(\.phase) }
  var work: (any ServiceWork)? { state.withLock(\.work) }
  var pid: Int32? { state.withLock { $0.work?.pid } }
  var obstacle: String? { state.withLock { $0.work?.obstacle } }
  var linesBeforeReady: Int? { state.withLock { $0.work?.linesBeforeReady } }
  /// True if the process has ended, and the processes that it left have not.
  var hasLeft: Bool { state.withLock { $0.stopReason == .left } }
  /// True if the service was ready at least once.
  var hasBeenReady: Bool { state.withLock(\.hasBeenReady) }
  var doubt: AnswerDoubt? { state.withLock { $0.work?.doubt } }
  /// The step that waits for the service, until the engine has taken the result of the wait.
  var step: ServiceStart? {
    get { state.withLock(\.step) }
    set { state.withLock { $0.step = newValue } }
  }

  /// A consistent snapshot of the service's status.
  var status: ServiceStatus {
    state.withLock { state in
      var status = ServiceStatus(id: id, state: state.name, onExit: state.exitPolicy ?? onExit.failure)
      status.pid = state.work?.pid
      status.uptime = state.work.map { _ in MonotonicClock.now() - state.startedAt }
      status.restarts = state.restarts
      status.end = state.endWords
      if case .waiting(let start, let end) = state.phase { status.pause = end - start }
      status.wasKilled = state.wasKilled
      (status.isTask, status.isAbandoned) = (stopSignal == nil, state.phase == .abandoned)
      status.health = state.work?.health
      if state.isReady { status.doubt = state.work?.doubt }
      return status
    }
  }

  /// The descriptors to watch for reading. They stay open until the work is released.
  var descriptors: [Int32] { state.withLock { $0.work?.descriptors ?? [] } }

  /// The time of the monotonic clock at which the service needs a call, even if no descriptor is readable; `nil` for
  /// none.
  var nextDeadline: Int64? {
    state.withLock { state in
      switch state.phase {
      case .starting:
        [state.startDue, state.work?.nextDeadline(isReady: state.isReady, isStopping: false)]
          .compactMap(\.self).min()
      case .waiting(_, let until): until
      case .stopping(_, let deadline):
        [
          state.wasKilled ? nil : deadline, state.delayDue,
          state.work?.nextDeadline(isReady: state.isReady, isStopping: true),
        ].compactMap(\.self).min()
      case .ready: state.work?.nextDeadline(isReady: true, isStopping: false)
      case .abandoned, .down: nil
      }
    }
  }

  /// Sets the phase to starting. The caller then starts the work.
  func beginStart() { state.withLock { $0.phase = .starting } }

  /// Starts the work.
  ///
  /// - Parameter isFirst: True for the start by the step. Later starts have the limit ``startLimit``.
  /// - Throws: An error of the start, which is then the service's last end.
  func start(isFirst: Bool = false, at now: Int64 = MonotonicClock.now()) throws {
    let work: any ServiceWork
    do {
      work = try makeWork()
    } catch {
      state.withLock { $0.endWords = "could not be started again: \(context.secrets.masking("\(error)"))" }
      throw error
    }
    state.withLock { state in
      state.startDue = isFirst ? nil : startLimit.map { MonotonicClock.deadline(after: $0, from: now) }
      state.work = work
      state.phase = .starting
      state.readySince = nil
      state.wasStopped = false
      state.stopReason = nil
      (state.wasKilled, state.exitPolicy) = (false, nil)
      state.startedAt = now
    }
  }

  /// Reads the available output, and checks the work, without blocking. Also returns the new lines.
  func advance(at now: Int64 = MonotonicClock.now()) -> (progress: Progress, lines: [OutputLine]) {
    state.withLock { state in
      let isStarting = state.phase == .starting && !state.isReady
      guard let (progress, lines) = state.work?.advance(isStarting: isStarting) else { return (.nothing, []) }
      switch progress {
      case .ready:
        (state.readySince, state.startDue, state.hasBeenReady) = (now, nil, true)
        state.phase = .ready(since: now)
      case .left:
        state.stopReason = .left
        state.beginToStop(at: now, grace: grace)
      case .ended(let end): state.endWords = state.words(for: end)
      case .abandoned: state.phase = .abandoned
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
      state.work?.error(ending: end, stoppedFor: state.stopReason?.words, wasReady: state.isReady)
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
    /// The service is down because it was asked to stop, or because the app ends.
    case stop
    /// The service is down, and its `onExit` applies.
    case end
  }

  /// Decides whether the service is restarted after its work ended, and sets ``phase``.
  ///
  /// - Parameter isEnding: True if the app ends. Then the end of the service counts as a stop.
  func decide(after end: ServiceEnd, at now: Int64, isEnding: Bool = false) -> Effect {
    state.withLock { state in
      // A service that stops is no longer ready.
      let readyUntil = if case .stopping(let start, _) = state.phase { start } else { now }
      if let since = state.readySince, readyUntil - since >= restart.resetAfter.nanoseconds {
        state.restartsInRow = 0
      }
      // The next start may fail, and then it was never ready.
      defer { (state.stopReason, state.readySince) = (nil, nil) }
      if isEnding { state.wasStopped = true }
      if isEnding || (state.phase.isStopping && state.stopReason == nil) {
        state.phase = .down
        return .stop
      }
      if case .restarted = state.stopReason {
        state.restarts += 1
        state.phase = .waiting(since: now, until: now)
        return .restart
      }
      let isFailure = end.isFailure(expecting: expect) || state.stopReason?.isFailure == true
      let wants =
        switch restart.condition {
        case .never: false
        case .always: true
        case .onFailure: isFailure
        }
      if state.restartsInRow == 0 { state.rowStart = now }
      guard wants, state.restartsInRow < restart.attempts else {
        if wants { state.exhaustion = restart.exhaustion(of: state.restartsInRow, in: now - state.rowStart) }
        state.exitPolicy = isFailure ? onExit.failure : onExit.success ?? onExit.failure
        state.phase = .down
        return .end
      }
      let doubled = restart.backoff.nanoseconds.multipliedReportingOverflow(
        by: Int64(1) << min(40, state.restartsInRow))
      let pause = min(doubled.overflow ? .max : doubled.partialValue, restart.maxBackoff.nanoseconds)
      state.restartsInRow += 1
      state.restarts += 1
      state.phase = .waiting(since: now, until: MonotonicClock.deadline(after: pause, from: now))
      return .restart
    }
  }

  /// Words for the restarts in a row once none is left; `nil` before.
  var exhaustion: String? { state.withLock(\.exhaustion) }

  /// The effect of the end without a restart.
  var exitPolicy: ServiceExitPolicy { state.withLock(\.exitPolicy) ?? onExit.failure }

  /// Asks the work to stop, or cancels a pending restart. A task that is not ready has nothing to shut down, and is
  /// cancelled.
  ///
  /// Returns true if the call made the service go down at once, because it was waiting for a restart.
  @discardableResult
  func beginToStop(at now: Int64) -> Bool {
    let (isDown, cancel) = state.withLock { state -> (Bool, (@Sendable () -> Void)?) in
      if state.phase != .down { state.wasStopped = true }
      switch state.phase {
      case .down: return (false, nil)
      case .stopping, .abandoned:
        // It then stays down, whatever it was stopped for before.
        state.stopReason = nil
        return (false, nil)
      case .waiting:
        // It does not take place.
        state.restarts -= 1
        state.phase = .down
        return (true, nil)
      case .starting where stopSignal == nil && state.work?.obstacle != nil:
        state.beginToStop(at: now, grace: grace)
        state.wasKilled = true
        return (false, state.work?.kill())
      case .starting, .ready:
        state.beginToStop(at: now, grace: grace)
        return (false, nil)
      }
    }
    cancel?()
    return isDown
  }

  /// Asks a restarted service to stop if it was not ready in time. Returns the reason; `nil` if it has time.
  ///
  /// ``decide(after:at:isEnding:)`` then decides on the next restart.
  func stopIfOverdue(at now: Int64) -> String? {
    state.withLock { state in
      guard state.phase == .starting, let due = state.startDue, now >= due else { return nil }
      state.startDue = nil
      let obstacle = state.work?.obstacle.map { ": \($0)" } ?? ""
      let reason = "was not ready within \(DurationText.exact(.nanoseconds(startLimit ?? 0)))\(obstacle)"
      state.stopReason = .notReady(reason)
      state.beginToStop(at: now, grace: grace)
      return reason
    }
  }

  /// Asks the work of a service that is ready to stop, so that ``decide(after:at:isEnding:)`` decides on its restart.
  ///
  /// Returns false if the service is not ready, or if its rules do not restart it.
  @discardableResult
  func beginToStop(for reason: StopReason, at now: Int64) -> Bool {
    state.withLock { state in
      guard case .ready = state.phase, !reason.isFailure || restart.condition != .never else { return false }
      state.stopReason = reason
      state.beginToStop(at: now, grace: grace)
      return true
    }
  }

  /// The nanoseconds after the request to stop at which a service that still runs is reported.
  fileprivate static let delay: Int64 = 1_000_000_000

  /// Returns the nanoseconds until the work is ended by force, once, if it has been stopping for a second.
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

  /// Ends the work by force if its grace period is over. Returns the nanoseconds since it was asked to stop.
  ///
  /// Returns `nil` if the call did not end the work by force.
  ///
  /// - Parameter isForced: True for work that was asked to stop even before its grace period is over.
  func killIfDue(at now: Int64, isForced: Bool = false) -> Int64? {
    let killed = state.withLock { state -> (time: Int64, cancel: (@Sendable () -> Void)?)? in
      guard case .stopping(let start, let deadline) = state.phase, !state.wasKilled,
        isForced || now >= deadline
      else { return nil }
      if !isForced, state.work?.endStopProgram() == true {
        state.phase = .stopping(since: start, at: now, grace: grace)
        return nil
      }
      state.wasKilled = true
      return (now - start, state.work?.kill())
    }
    killed?.cancel?()
    return killed?.time
  }

  /// Starts a service that is down. The count of restarts in a row begins again at 0.
  ///
  /// - Throws: An error of the start. The service then stays down.
  func startAfresh(at now: Int64) throws {
    state.withLock { ($0.restartsInRow, $0.exhaustion) = (0, nil) }
    do {
      try start(at: now)
    } catch {
      stayDown()
      throw error
    }
    state.withLock { $0.restarts += 1 }
  }

  /// Continues the counts of a service that is down, whose entry in the manifest has changed.
  func replace(_ old: Service) {
    let attempt = old.attempts.withLock(\.self)
    attempts.withLock { $0 = attempt }
    let (restarts, hasBeenReady) = old.state.withLock { ($0.restarts, $0.hasBeenReady) }
    state.withLock { ($0.restarts, $0.hasBeenReady) = (restarts, hasBeenReady) }
  }

  /// Sets the phase to down. Call it only if the work has ended.
  func stayDown() { state.withLock { $0.phase = .down } }

  /// Ends the work by force at once.
  func kill() {
    let cancel = state.withLock { $0.work?.kill() }
    cancel?()
  }
}

extension Service.Phase {
  fileprivate static func stopping(since start: Int64, at now: Int64, grace: Duration) -> Self {
    .stopping(since: start, deadline: MonotonicClock.deadline(after: grace.nanoseconds, from: now))
  }

  /// True if the work was asked to stop and has not ended.
  var isStopping: Bool {
    switch self {
    case .stopping, .abandoned: true
    case .starting, .ready, .waiting, .down: false
    }
  }

  /// True if the end of the app does not wait for the service.
  var isOver: Bool { self == .down || self == .abandoned }
}

extension Service.State {
  fileprivate func words(for end: ServiceEnd) -> String {
    stopReason?.words ?? work?.words(for: end) ?? end.words
  }

  fileprivate mutating func beginToStop(at now: Int64, grace: Duration) {
    phase = .stopping(since: now, at: now, grace: grace)
    delayDue = now + Service.delay
    work?.askToStop()
  }

  fileprivate var name: ServiceState {
    switch phase {
    case .starting: .starting
    case .ready: .ready
    case .waiting: .restarting
    case .stopping, .abandoned: .stopping
    case .down: wasStopped ? .stopped : hasBeenReady ? .ended : .failed
    }
  }
}
