/// A reason why a step was cancelled.
public enum CancelReason: Sendable, Hashable {
  /// The launch was cancelled, for example by `cancel(_:)` or a signal. The text is the cause.
  case requested(String)
  /// The launch timed out.
  case deadline
  /// The command cancelled itself by throwing `CancellationError`.
  case selfCancelled
}

extension CancelReason {
  /// The name of the reason in records.
  public var name: String {
    switch self {
    case .requested: "requested"
    case .deadline: "deadline"
    case .selfCancelled: "selfCancelled"
    }
  }
}
