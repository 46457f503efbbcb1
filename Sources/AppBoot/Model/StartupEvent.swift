/// Something that happened during a launch, at a time in nanoseconds since the launch began.
///
/// Steps are named by their index in the plan. The engine emits events in order, one at a time; a
/// ``StartupRecord`` is their fold.
public struct StartupEvent: Sendable, Hashable {
  /// Nanoseconds since the launch began, on the monotonic clock.
  public let time: Int64
  /// What happened.
  public let kind: Kind

  /// Creates an event.
  public init(_ kind: Kind, at time: Int64) {
    self.time = time
    self.kind = kind
  }

  /// What can happen during a launch.
  public enum Kind: Sendable, Hashable {
    /// The launch began.
    case launchStarted
    /// What the step waited for has ended.
    case ready(step: Int)
    /// An attempt began; the first is 1.
    case started(step: Int, attempt: Int)
    /// An attempt failed, and another one follows after the delay in nanoseconds.
    case retrying(step: Int, attempt: Int, failure: Failure, delay: Int64)
    /// A main-lane step passed its limit and cannot be interrupted.
    case overran(step: Int)
    /// The step left a one-line result.
    case noted(step: Int, text: String)
    /// The step printed a line.
    case said(step: Int, line: String)
    /// A span began inside the step; `parent` is the span around it.
    case spanStarted(step: Int, span: Int, parent: Int?, name: String)
    /// A span ended; with an error's text where its body threw.
    case spanEnded(step: Int, span: Int, error: String?)
    /// The step read a context value; `found` is false where nobody had provided it.
    case valueRead(step: Int, name: String, found: Bool)
    /// The step provided a context value.
    case valueProvided(step: Int, name: String)
    /// The step emitted a lifecycle event.
    case emitted(step: Int, event: String, payload: String?)
    /// What the step was run for is none of its business.
    case declined(step: Int)
    /// The step's latest attempt used processor time, in nanoseconds; only where it is measured.
    case usedCPU(step: Int, time: Int64)
    /// The step ended, or was skipped.
    case ended(step: Int, state: StepState)
    /// The launch rolls back, and the step's undo began.
    case undoStarted(step: Int)
    /// The step's undo ended; with a failure where it threw or passed its limit.
    case undoEnded(step: Int, failure: Failure?)
    /// The app says that it is up: what happens from now on does not count against the launch.
    case markedHealthy
    /// The launch was told to stop.
    case cancelled(reason: CancelReason)
    /// The launch ended.
    case launchEnded(LaunchOutcome)
  }
}
