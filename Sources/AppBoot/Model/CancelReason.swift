/// Why a step was told to stop, or never started.
public enum CancelReason: Sendable, Hashable {
  /// Somebody cancelled the launch; the text says who or what.
  case requested(String)
  /// The launch reached its own time limit.
  case deadline
  /// The command cancelled itself by throwing `CancellationError`.
  case selfCancelled
}
