/// The result of a launch.
public enum LaunchOutcome: Sendable, Hashable {
  /// The launch has not ended.
  case running
  /// Every step succeeded, was skipped for a recorded reason, or failed with the policy `continue`.
  case succeeded
  /// A step failed whose policy is not `continue`. The value is the step's index in the plan.
  case failed(step: Int)
  /// The launch timed out.
  case timedOut
  /// The launch was cancelled. The text is the cause.
  case cancelled(String)

  /// The outcomes without their data. The raw values are the names in records.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case running, succeeded, failed, timedOut, cancelled
  }

  /// The outcome without its data.
  package var kind: Kind {
    switch self {
    case .running: .running
    case .succeeded: .succeeded
    case .failed: .failed
    case .timedOut: .timedOut
    case .cancelled: .cancelled
    }
  }

  /// The outcome's name in records.
  public var name: String { kind.rawValue }
}
