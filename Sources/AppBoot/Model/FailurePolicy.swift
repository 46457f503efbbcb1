/// The effect of a failed step on the other steps.
public enum FailurePolicy: String, Sendable, Hashable, CaseIterable {
  /// No other step starts, and the launch fails.
  case stop
  /// The other steps run as if it had succeeded.
  case `continue`
  /// The steps that come after it, directly or not, are skipped; the others run.
  case skipDependents
  /// No other step starts, and the steps that succeeded are undone, newest first.
  case rollback
}
