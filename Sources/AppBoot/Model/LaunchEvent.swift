/// An event of a launch, with its time.
///
/// An event contains the index of its step in the plan. The engine emits events in order, one at a time. A
/// ``LaunchRecord`` is the fold of a launch's events.
public struct LaunchEvent: Sendable, Hashable {
  /// The time since the launch began, measured with the monotonic clock.
  public var time: Duration { .nanoseconds(moment) }
  /// The nanoseconds of ``time``.
  package let moment: Int64
  /// The kind of event, with its data.
  public let kind: Kind

  /// Creates an event.
  public init(_ kind: Kind, at time: Duration) { self.init(kind, at: time.nanoseconds) }

  /// Creates an event of a time in nanoseconds.
  package init(_ kind: Kind, at moment: Int64) {
    self.moment = moment
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
  #if hasAttribute(nonexhaustive)
  @nonexhaustive
  #endif
  public enum Kind: Sendable, Hashable {
    /// The launch began.
    case launchStarted
    /// The step can start: all steps that must come before it have ended.
    case ready(step: Int)
    /// An attempt of the step began. The first attempt is 1.
    case started(step: Int, attempt: Int)
    /// An attempt of the step failed. The next one follows after the delay.
    indirect case retrying(step: Int, attempt: Int, failure: Failure, delay: Duration)
    /// A main-lane step exceeded its timeout. It continues to run, because it cannot be interrupted.
    case overran(step: Int)
    /// The step's command set its one-line result.
    case noted(step: Int, text: String)
    /// The step's command set the text that is shown at the end of the launch.
    case announced(step: Int, text: String)
    /// The attempt started a process. `commandLine` is its program and arguments as a shell reads them; `nil` if it is
    /// unknown.
    indirect case processStarted(step: Int, attempt: Int, pid: Int32, commandLine: String?)
    /// The step's process did not stop, and was killed with SIGKILL. `after` is the time since it was asked to
    /// stop.
    case killed(step: Int, after: Duration)
    /// The attempt printed a line. A line of more than 16 KiB is split into several events.
    indirect case output(step: Int, attempt: Int, stream: OutputStream, line: String)
    /// A span began inside the step. `parent` is the index of the span around it; `nil` if there is none.
    indirect case spanStarted(step: Int, span: Int, parent: Int?, name: String)
    /// A span ended. `error` is the error that its body threw; `nil` if it threw none.
    indirect case spanEnded(step: Int, span: Int, error: String?)
    /// The step read a context value. `found` is false if no step had provided the value.
    indirect case valueRead(step: Int, name: String, found: Bool)
    /// The step provided a context value.
    case valueProvided(step: Int, name: String)
    /// The step emitted a lifecycle event.
    indirect case emitted(step: Int, event: String, payload: String?)
    /// The step declined the event whose handler it is.
    case declined(step: Int)
    /// An attempt or the undo of the step used CPU time. The event is emitted only if CPU time is measured.
    case usedCPU(step: Int, time: Duration)
    /// The step ended or was skipped.
    case ended(step: Int, state: StepState)
    /// The step's undo began, because the launch rolls back.
    case undoStarted(step: Int)
    /// The step's undo ended. `failure` is the error if the undo threw or timed out; otherwise `nil`.
    indirect case undoEnded(step: Int, failure: Failure?)
    /// The app reported that it is healthy. A crash after this event does not count as a crash of the launch.
    case markedHealthy
    /// The launch was cancelled.
    indirect case cancelled(reason: CancelReason)
    /// The launch ended.
    indirect case launchEnded(LaunchOutcome)
  }
}

extension LaunchEvent.Kind {
  /// The name of the kind in the event stream.
  public var name: String {
    switch self {
    case .launchStarted: "launchStarted"
    case .ready: "ready"
    case .started: "started"
    case .retrying: "retrying"
    case .overran: "overran"
    case .noted: "noted"
    case .announced: "announced"
    case .processStarted: "processStarted"
    case .killed: "killed"
    case .output: "output"
    case .spanStarted: "spanStarted"
    case .spanEnded: "spanEnded"
    case .valueRead: "valueRead"
    case .valueProvided: "valueProvided"
    case .emitted: "emitted"
    case .declined: "declined"
    case .usedCPU: "usedCPU"
    case .ended: "ended"
    case .undoStarted: "undoStarted"
    case .undoEnded: "undoEnded"
    case .markedHealthy: "markedHealthy"
    case .cancelled: "cancelled"
    case .launchEnded: "launchEnded"
    }
  }

  /// The index of the event's step; `nil` for an event of the launch.
  public var step: Int? {
    switch self {
    case .launchStarted, .markedHealthy, .cancelled, .launchEnded: nil
    case .ready(let step), .started(let step, _), .retrying(let step, _, _, _), .overran(let step),
      .noted(let step, _), .announced(let step, _), .processStarted(let step, _, _, _), .killed(let step, _),
      .output(let step, _, _, _),
      .spanStarted(let step, _, _, _),
      .spanEnded(let step, _, _),
      .valueRead(let step, _, _), .valueProvided(let step, _), .emitted(let step, _, _),
      .declined(let step), .usedCPU(let step, _),
      .ended(let step, _), .undoStarted(let step), .undoEnded(let step, _):
      step
    }
  }
}
