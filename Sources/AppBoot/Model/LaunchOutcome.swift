/// How a launch ended.
public enum LaunchOutcome: Sendable, Hashable {
  /// It has not ended.
  case running
  /// Every step succeeded, was skipped for a stated reason, or failed where the manifest allows it.
  case succeeded
  /// A step failed whose policy is not `continue`; its index in the plan.
  case failed(step: Int)
  /// The launch reached its own time limit.
  case timedOut
  /// Somebody cancelled it; the text says who or what.
  case cancelled(String)

  /// The outcome's name in records.
  public var name: String {
    switch self {
    case .running: "running"
    case .succeeded: "succeeded"
    case .failed: "failed"
    case .timedOut: "timedOut"
    case .cancelled: "cancelled"
    }
  }
}
