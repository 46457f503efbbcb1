/// Where a step of a launch stands.
///
///     waiting → ready → running → succeeded | failed | timedOut | cancelled
///     waiting → skipped | cancelled
///
/// A step waits for what stands before it, is ready once that has ended, and runs when its lane is
/// free. Between two attempts it runs on: a retry is one running step with several attempts.
public enum StepState: Sendable, Hashable {
  /// What it waits for has not ended.
  case waiting
  /// It could run, and its lane is taken.
  case ready
  /// It runs, or waits for its next attempt.
  case running
  /// It ended without an error.
  case succeeded
  /// Its last attempt threw.
  indirect case failed(Failure)
  /// Its last attempt took longer than its limit.
  indirect case timedOut(Failure)
  /// It was told to stop, or never started because the launch was.
  indirect case cancelled(CancelReason)
  /// It was left out.
  indirect case skipped(SkipReason)

  /// Whether nothing can change the state any more.
  public var hasEnded: Bool {
    switch self {
    case .waiting, .ready, .running: false
    case .succeeded, .failed, .timedOut, .cancelled, .skipped: true
    }
  }

  /// Whether the step started and did not succeed.
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
