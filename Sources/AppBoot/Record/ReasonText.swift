// Every report, list, annotation and record takes the words of a reason from here.

extension SkipReason {
  /// Returns the reason in words, for example `"Database" did not succeed`.
  public func text(in outline: LaunchOutline) -> String {
    switch self {
    case .excluded(let text), .condition(let text), .unnecessary(let text), .safeMode(let text): text
    case .dependency(let step): "\"\(outline[step].id)\" did not succeed"
    case .stopped(by: let step): "the launch stopped when \"\(outline[step].id)\" failed"
    }
  }
}

extension CancelReason {
  /// The reason in words, for example `the launch timed out`.
  public var text: String {
    switch self {
    case .requested(let text): text
    case .deadline: "the launch timed out"
    case .selfCancelled: "the command cancelled itself"
    }
  }
}

extension StartupRecord {
  /// Returns the reason why a step was skipped or cancelled, in words; `nil` for any other state.
  public func reasonText(of step: Int) -> String? {
    switch executions[step].state {
    case .skipped(let reason): reason.text(in: outline)
    case .cancelled(let reason): reason.text
    case .waiting, .ready, .running, .succeeded, .failed, .timedOut: nil
    }
  }
}
