/// The state of a step in a launch.
///
///     waiting → ready → running → succeeded | failed | timedOut | cancelled
///     running → skipped, if the step's `unless` holds
///     waiting → skipped | cancelled
///
/// A step waits for the steps that must come before it. When these have ended it is ready, and it runs when its lane is
/// free. It stays `running` between two attempts.
public enum StepState: Sendable, Hashable {
  /// A step that must come before this step has not ended.
  case waiting
  /// The step can run, but its lane is busy.
  case ready
  /// The step runs, or waits for its next attempt.
  case running
  /// The step ended without an error.
  case succeeded
  /// The last attempt of the step threw an error.
  indirect case failed(Failure)
  /// The last attempt of the step timed out.
  indirect case timedOut(Failure)
  /// The step was cancelled, or it never started because the launch was cancelled.
  indirect case cancelled(CancelReason)
  /// The step was not run.
  indirect case skipped(SkipReason)

  /// True if the state is final.
  public var hasEnded: Bool {
    switch self {
    case .waiting, .ready, .running: false
    case .succeeded, .failed, .timedOut, .cancelled, .skipped: true
    }
  }

  /// True if the step failed or timed out.
  public var isFailure: Bool { kind.isFailure }

  /// The states without their data. The raw values are the names in records.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case waiting, ready, running, succeeded, failed, timedOut, cancelled, skipped

    /// True if the step failed or timed out.
    package var isFailure: Bool { self == .failed || self == .timedOut }
  }

  /// The state without its data.
  package var kind: Kind {
    switch self {
    case .waiting: .waiting
    case .ready: .ready
    case .running: .running
    case .succeeded: .succeeded
    case .failed: .failed
    case .timedOut: .timedOut
    case .cancelled: .cancelled
    case .skipped: .skipped
    }
  }

  /// The state's name in records, for example `"succeeded"` or `"timedOut"`.
  public var name: String { kind.rawValue }

  /// The failure of a step that failed or timed out; `nil` for other states.
  public var failure: Failure? {
    switch self {
    case .failed(let failure), .timedOut(let failure): failure
    case .waiting, .ready, .running, .succeeded, .cancelled, .skipped: nil
    }
  }
}
