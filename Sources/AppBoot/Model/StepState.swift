/// The state of a step in a launch.
///
///     waiting → ready → running → succeeded | failed | timedOut | cancelled
///     running → skipped, if the step's `unless` holds
///     waiting → skipped | cancelled
///
/// A step waits for the steps that it comes after, is ready once they have ended, and runs when its lane is
/// free. It stays `running` between two attempts.
public enum StepState: Sendable, Hashable {
  /// A step that it comes after has not ended.
  case waiting
  /// It can run, but its lane is busy.
  case ready
  /// It runs, or waits for its next attempt.
  case running
  /// It ended without an error.
  case succeeded
  /// Its last attempt threw.
  indirect case failed(Failure)
  /// Its last attempt timed out.
  indirect case timedOut(Failure)
  /// It was cancelled, or never started because the launch was cancelled.
  indirect case cancelled(CancelReason)
  /// It was not run.
  indirect case skipped(SkipReason)

  /// True if the state is final.
  public var hasEnded: Bool {
    switch self {
    case .waiting, .ready, .running: false
    case .succeeded, .failed, .timedOut, .cancelled, .skipped: true
    }
  }

  /// True if the step failed or timed out.
  public var isFailure: Bool {
    switch self {
    case .failed, .timedOut: true
    case .waiting, .ready, .running, .succeeded, .cancelled, .skipped: false
    }
  }

  /// The state's name in records: `"succeeded"`, `"timedOut"`, ….
  public var name: String {
    switch self {
    case .waiting: "waiting"
    case .ready: "ready"
    case .running: "running"
    case .succeeded: "succeeded"
    case .failed: "failed"
    case .timedOut: "timedOut"
    case .cancelled: "cancelled"
    case .skipped: "skipped"
    }
  }

  /// The failure of a step that failed or timed out.
  public var failure: Failure? {
    switch self {
    case .failed(let failure), .timedOut(let failure): failure
    case .waiting, .ready, .running, .succeeded, .cancelled, .skipped: nil
    }
  }
}
