/// The effect of a failed step on the other steps.
public enum FailurePolicy: String, Sendable, Hashable, CaseIterable {
  /// No other step starts, and the launch fails.
  case stop
  /// The other steps run as if the failed step had succeeded.
  case `continue`
  /// The other steps run as if the failed step had succeeded, but the launch fails. It is the default of the handlers
  /// of `willTerminate`, so that one failed stop does not prevent the others.
  case keepGoing
  /// The steps that must come after the failed step, directly or indirectly, are skipped. The other steps run.
  case skipDependents
  /// No other step starts. The steps that succeeded and can be undone are undone, the last one first.
  case rollback

  /// True if the steps after a failed step run.
  package var releasesSuccessors: Bool { self == .continue || self == .keepGoing }
}
