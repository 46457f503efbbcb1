/// An event of a launch, with its time.
///
/// Events refer to a step by its index in the plan. The engine emits them in order, one at a time. A
/// ``StartupRecord`` is the fold of a launch's events.
public struct StartupEvent: Sendable, Hashable {
  /// Nanoseconds since the launch began, on the monotonic clock.
  public let time: Int64
  /// The kind of event, with its data.
  public let kind: Kind

  /// Creates an event.
  public init(_ kind: Kind, at time: Int64) {
    self.time = time
    self.kind = kind
  }

  /// A stream that a step prints on.
  public enum OutputStream: String, Sendable, Hashable, CaseIterable {
    /// Standard output.
    case stdout
    /// Standard error.
    case stderr
  }

  /// The kinds of events of a launch.
  public enum Kind: Sendable, Hashable {
    /// The launch began.
    case launchStarted
    /// Every step that the step comes after has ended.
    case ready(step: Int)
    /// An attempt began; the first is 1.
    case started(step: Int, attempt: Int)
    /// An attempt failed; the next one follows after the delay in nanoseconds.
    case retrying(step: Int, attempt: Int, failure: Failure, delay: Int64)
    /// A main-lane step exceeded its timeout; it cannot be interrupted.
    case overran(step: Int)
    /// The step's command set its one-line result.
    case noted(step: Int, text: String)
    /// The step's command set the text that is shown at the end of the launch.
    case announced(step: Int, text: String)
    /// The attempt started a process.
    case processStarted(step: Int, attempt: Int, pid: Int32)
    /// The step's process did not stop, and SIGKILL ended it this many nanoseconds after it was asked to.
    case killed(step: Int, after: Int64)
    /// The attempt printed a line; a line over 16 KiB comes in pieces.
    case output(step: Int, attempt: Int, stream: OutputStream, line: String)
    /// A span began inside the step; `parent` is the span around it.
    case spanStarted(step: Int, span: Int, parent: Int?, name: String)
    /// A span ended; has the error's text if its body threw.
    case spanEnded(step: Int, span: Int, error: String?)
    /// The step read a context value; `found` is false if no step had provided it.
    case valueRead(step: Int, name: String, found: Bool)
    /// The step provided a context value.
    case valueProvided(step: Int, name: String)
    /// The step emitted a lifecycle event.
    case emitted(step: Int, event: String, payload: String?)
    /// The step declined the event that it was run for.
    case declined(step: Int)
    /// The step's latest attempt used this much CPU time, in nanoseconds; emitted only if CPU time is measured.
    case usedCPU(step: Int, time: Int64)
    /// The step ended or was skipped.
    case ended(step: Int, state: StepState)
    /// The step's undo began, because the launch rolls back.
    case undoStarted(step: Int)
    /// The step's undo ended; has a failure if it threw or timed out.
    case undoEnded(step: Int, failure: Failure?)
    /// The app reported that it is up: a later crash does not count against the launch.
    case markedHealthy
    /// The launch was cancelled.
    case cancelled(reason: CancelReason)
    /// The launch ended.
    case launchEnded(LaunchOutcome)
  }
}
