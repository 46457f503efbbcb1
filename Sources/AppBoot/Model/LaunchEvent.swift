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
    indirect case retrying(Retry)
    /// A main-lane step exceeded its timeout. It continues to run, because it cannot be interrupted.
    case overran(step: Int)
    /// The step's command set its one-line result.
    case noted(step: Int, text: String)
    /// The step's command set the text that is shown at the end of the launch.
    case announced(step: Int, text: String)
    /// The attempt started a process.
    indirect case processStarted(ProcessStart)
    /// The step's process did not stop, and was killed with SIGKILL. `after` is the time since it was asked to
    /// stop.
    case killed(step: Int, after: Duration)
    /// The attempt printed a line. A line of more than 16 KiB is split into several events.
    indirect case output(Output)
    /// A span began inside the step.
    indirect case spanStarted(SpanStart)
    /// A span ended.
    indirect case spanEnded(SpanEnd)
    /// The step read a context value.
    indirect case valueRead(ValueRead)
    /// The step provided a context value.
    case valueProvided(step: Int, name: String)
    /// The step emitted a lifecycle event.
    indirect case emitted(Emission)
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

extension LaunchEvent {
  /// An attempt that failed, and that another one follows.
  public struct Retry: Sendable, Hashable {
    /// The index of the step.
    public var step: Int
    /// The number of the attempt. The first one is 1.
    public var attempt: Int
    /// The failure of the attempt.
    public var failure: Failure
    /// The time until the next attempt.
    public var delay: Duration

    /// Creates the data of an event.
    public init(step: Int, attempt: Int, failure: Failure, delay: Duration) {
      (self.step, self.attempt, self.failure, self.delay) = (step, attempt, failure, delay)
    }
  }

  /// A process that an attempt started.
  public struct ProcessStart: Sendable, Hashable {
    /// The index of the step.
    public var step: Int
    /// The number of the attempt. The first one is 1.
    public var attempt: Int
    /// The process identifier.
    public var pid: Int32
    /// The program and its arguments as a shell reads them; `nil` if they are unknown.
    public var commandLine: String?

    /// Creates the data of an event.
    public init(step: Int, attempt: Int, pid: Int32, commandLine: String?) {
      (self.step, self.attempt, self.pid, self.commandLine) = (step, attempt, pid, commandLine)
    }
  }

  /// A line that an attempt printed.
  public struct Output: Sendable, Hashable {
    /// The index of the step.
    public var step: Int
    /// The number of the attempt. The first one is 1.
    public var attempt: Int
    /// The stream of the line.
    public var stream: OutputStream
    /// The line without its line feed.
    public var line: String

    /// Creates the data of an event.
    public init(step: Int, attempt: Int, stream: OutputStream, line: String) {
      (self.step, self.attempt, self.stream, self.line) = (step, attempt, stream, line)
    }
  }

  /// A span that began inside a step.
  public struct SpanStart: Sendable, Hashable {
    /// The index of the step.
    public var step: Int
    /// The index of the span in its step.
    public var span: Int
    /// The index of the span around it; `nil` if there is none.
    public var parent: Int?
    /// The name of the span.
    public var name: String

    /// Creates the data of an event.
    public init(step: Int, span: Int, parent: Int?, name: String) {
      (self.step, self.span, self.parent, self.name) = (step, span, parent, name)
    }
  }

  /// A span that ended.
  public struct SpanEnd: Sendable, Hashable {
    /// The index of the step.
    public var step: Int
    /// The index of the span in its step.
    public var span: Int
    /// The error that its body threw; `nil` if it threw none.
    public var error: String?

    /// Creates the data of an event.
    public init(step: Int, span: Int, error: String?) {
      (self.step, self.span, self.error) = (step, span, error)
    }
  }

  /// A context value that a step read.
  public struct ValueRead: Sendable, Hashable {
    /// The index of the step.
    public var step: Int
    /// The name of the value.
    public var name: String
    /// False if no step had provided the value.
    public var found: Bool

    /// Creates the data of an event.
    public init(step: Int, name: String, found: Bool) {
      (self.step, self.name, self.found) = (step, name, found)
    }
  }

  /// A lifecycle event that a step emitted.
  public struct Emission: Sendable, Hashable {
    /// The index of the step.
    public var step: Int
    /// The name of the event.
    public var event: String
    /// The payload of the event; `nil` if it has none.
    public var payload: String?

    /// Creates the data of an event.
    public init(step: Int, event: String, payload: String?) {
      (self.step, self.event, self.payload) = (step, event, payload)
    }
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
    case .ready(let step), .started(let step, _), .overran(let step), .noted(let step, _),
      .announced(let step, _), .killed(let step, _), .valueProvided(let step, _), .declined(let step),
      .usedCPU(let step, _), .ended(let step, _), .undoStarted(let step), .undoEnded(let step, _):
      step
    case .retrying(let retry): retry.step
    case .processStarted(let start): start.step
    case .output(let output): output.step
    case .spanStarted(let span): span.step
    case .spanEnded(let span): span.step
    case .valueRead(let read): read.step
    case .emitted(let emission): emission.step
    }
  }
}

/// A line of a process's output, with its stream.
package struct OutputLine: Sendable, Hashable {
  package let stream: LaunchEvent.OutputStream
  package let text: String

  package init(_ text: String, on stream: LaunchEvent.OutputStream) {
    (self.text, self.stream) = (text, stream)
  }
}
