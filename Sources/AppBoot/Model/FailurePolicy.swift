/// What a failed step means for the others.
public enum FailurePolicy: String, Sendable, Hashable, CaseIterable {
  /// Nothing new starts.
  case stop
  /// The others go on as if it had succeeded.
  case `continue`
  /// What comes after it is skipped, and what comes after that; the others go on.
  case skipDependents
  /// Nothing new starts, and what succeeded is undone, newest first.
  case rollback
}
