/// The reason for which a step was cancelled.
public enum CancelReason: Sendable, Hashable {
  /// The launch was cancelled by `cancel(_:)` or a signal; the text names the cause.
  case requested(String)
  /// The launch timed out.
  case deadline
  /// The command cancelled itself by throwing `CancellationError`.
  case selfCancelled
}
