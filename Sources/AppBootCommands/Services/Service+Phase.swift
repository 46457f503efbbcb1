import AppBoot

extension Service {
  /// A phase in the life of a service.
  enum Phase: Sendable, Equatable {
    /// The work runs but is not ready yet. It must be ready at the time `due`, if it has a limit.
    case starting(due: Int64?)
    /// The work is ready since this time.
    case ready(since: Int64)
    /// The work ended at the time `since`. It starts again at the time `until`.
    case waiting(since: Int64, until: Int64, wasKilled: Bool)
    /// The work was asked to stop, and has not ended.
    case stopping(Stop)
    /// The work was ended by force, but ignores that and still runs. Only a task can do this.
    case abandoned(Stop)
    /// No work runs, and the service starts again only on request.
    case down(Rest, wasKilled: Bool)
  }

  /// The stop of a service's work.
  struct Stop: Sendable, Equatable {
    /// The time at which the work was asked to stop.
    var since: Int64
    /// The time at which the work is ended by force.
    var deadline: Int64
    /// The reason for which the supervisor stops the work; `nil` on request.
    var reason: StopReason?
    /// The time at which the work became ready; `nil` if it was not.
    var readySince: Int64?
    /// The time at which the event ``ServiceEvent/delayed(id:killIn:signal:)`` is due; `nil` after it.
    var delayDue: Int64?
    /// True if the work was ended by force.
    var wasKilled = false
    /// True if the service is stopped on request. It then stays down.
    var isRequested: Bool { reason == nil }
  }

  /// The reason for which no work runs.
  enum Rest: Sendable, Equatable {
    /// The service was asked to stop, even if no work was running then, or the app ends.
    case stopped
    /// The work ended, or has not been started. The policy is `nil` if `onExit` does not apply. `exhaustion`
    /// describes the restarts in a row once no more are allowed.
    case ended(ServiceExitPolicy?, exhaustion: String?)
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
    /// A start on request failed. The text says why. Neither `restart` nor `onExit` applies.
    case startFailed(String)

    /// The words that replace the words for the end of the work; `nil` to keep them.
    var words: String? {
      switch self {
      case .left: nil
      case .notReady(let text), .startFailed(let text): text
      case .notLive(let text): "was stopped: \(text)"
      case .restarted(let id): "was stopped, because \(id) was restarted"
      }
    }

    var isFailure: Bool {
      switch self {
      case .notReady, .notLive: true
      case .left, .restarted, .startFailed: false
      }
    }
  }
}

extension Service.Phase {
  /// The stop of the work, until it has ended; `nil` if it was not asked to stop.
  var stop: Service.Stop? {
    get {
      switch self {
      case .stopping(let stop), .abandoned(let stop): stop
      case .starting, .ready, .waiting, .down: nil
      }
    }
    set {
      guard let newValue else { return }
      switch self {
      case .stopping: self = .stopping(newValue)
      case .abandoned: self = .abandoned(newValue)
      case .starting, .ready, .waiting, .down: break
      }
    }
  }

  /// True if no work runs, and the service starts again only on request.
  var isDown: Bool { if case .down = self { true } else { false } }

  /// True if the end of the app does not wait for the service.
  var isOver: Bool { if case .abandoned = self { true } else { isDown } }

  /// The time at which the work that runs became ready; `nil` if it did not.
  var readySince: Int64? { if case .ready(let since) = self { since } else { stop?.readySince } }

  /// True if the last work was ended by force because it did not stop within its grace period.
  var wasKilled: Bool {
    switch self {
    case .waiting(_, _, let wasKilled), .down(_, let wasKilled): wasKilled
    case .starting, .ready, .stopping, .abandoned: stop?.wasKilled ?? false
    }
  }

  /// The effect of the end without a restart; `nil` if the work did not end, or `onExit` does not apply.
  var exitPolicy: ServiceExitPolicy? {
    if case .down(.ended(let policy, _), _) = self { policy } else { nil }
  }
}
