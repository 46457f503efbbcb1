/// The state and the times of a step. Times are durations since the launch began.
public struct StepExecution: Sendable, Hashable {
  /// The state of the step.
  public package(set) var state: StepState = .waiting
  /// The time at which the step became ready: all steps that must come before it had ended. `nil` if it never did.
  public var ready: Duration? { readyTime.map(Duration.nanoseconds) }
  /// The time at which the first attempt began; `nil` if the step never ran.
  public var start: Duration? { startTime.map(Duration.nanoseconds) }
  /// The time at which the step ended or was skipped; `nil` if it has not ended.
  public var end: Duration? { endTime.map(Duration.nanoseconds) }
  /// The nanoseconds of ``ready``.
  package var readyTime: Int64?
  /// The nanoseconds of ``start``.
  package var startTime: Int64?
  /// The nanoseconds of ``end``.
  package var endTime: Int64?

  package init() {}

  /// The time from the moment the step was ready to its start. If the step never ran, it lasts until the step was
  /// skipped or cancelled.
  public var waiting: Duration { .nanoseconds(waitingTime) }

  /// The time from the start to the end.
  public var running: Duration { .nanoseconds(runningTime) }

  /// The nanoseconds of ``waiting``.
  package var waitingTime: Int64 {
    guard let readyTime else { return 0 }
    return max(0, (startTime ?? endTime ?? readyTime) - readyTime)
  }

  /// The nanoseconds of ``running``.
  package var runningTime: Int64 {
    guard let startTime, let endTime else { return 0 }
    return max(0, endTime - startTime)
  }
}

/// The facts that only some steps have. They are stored separately, so that records of other steps stay small.
public struct StepDetails: Sendable, Hashable {
  /// The note of the step, which is a one-line result; `nil` for none.
  public package(set) var note: String?
  /// The text that is shown at the end of the launch; `nil` for none. It may have several lines.
  public package(set) var announcement: String?
  /// The attempts; empty if there was only one.
  public package(set) var attempts: [StepAttempt] = []
  /// The spans, in the order of their starts.
  public package(set) var spans: [StepSpan] = []
  /// The names of the context values that the step read, without duplicates, in the order of the first read.
  public package(set) var reads: [String] = []
  /// The names of the context values that the step provided, without duplicates, in order.
  public package(set) var provides: [String] = []
  /// The lifecycle events that the step emitted, in order.
  public package(set) var emitted: [EmittedEvent] = []
  /// True if the step declined the event whose handler it is.
  public package(set) var declined = false
  /// The identifier of the last process that the step started; `nil` if it started no process.
  public package(set) var pid: Int32?
  /// The program and the arguments of the last process, quoted for a shell; `nil` if the step started no process.
  ///
  /// Secrets are masked. It has at most 500 characters; a longer one ends with an ellipsis.
  public package(set) var commandLine: String?
  /// The time from the stop signal to SIGKILL; `nil` if the process was not killed.
  public var killedAfter: Duration? { killTime.map(Duration.nanoseconds) }
  /// The nanoseconds of ``killedAfter``.
  package var killTime: Int64?
  /// The time at which a service that had been ready failed, since the launch began; `nil` for other steps.
  public var failedAt: Duration? { failureTime.map(Duration.nanoseconds) }
  /// The nanoseconds of ``failedAt``.
  package var failureTime: Int64?
  /// The last line of output; `nil` without output.
  public package(set) var lastOutput: String?
  /// The time of the last line of output, since the launch began; `nil` without output.
  public var lastOutputAt: Duration? { lastOutputTime.map(Duration.nanoseconds) }
  /// The nanoseconds of ``lastOutputAt``.
  package var lastOutputTime: Int64?
  /// The CPU time of all attempts; `nil` if it was not measured.
  public var cpuTime: Duration? { processorTime.map(Duration.nanoseconds) }
  /// The nanoseconds of ``cpuTime``.
  package var processorTime: Int64?
  /// True if the step exceeded its timeout on the main lane, where it could not be interrupted.
  public package(set) var overran = false
  /// The undo of the step; `nil` if no undo began.
  public package(set) var undo: StepAttempt?

  package init() {}
}

/// An attempt to run or to undo a step. Times are durations since the launch began.
public struct StepAttempt: Sendable, Hashable {
  /// The start time.
  public var start: Duration { .nanoseconds(startTime) }
  /// The end time; `nil` if the attempt has not ended.
  public var end: Duration? { endTime.map(Duration.nanoseconds) }
  /// The nanoseconds of ``start``.
  package let startTime: Int64
  /// The nanoseconds of ``end``.
  package internal(set) var endTime: Int64?
  /// The failure; `nil` for a successful attempt.
  public internal(set) var failure: Failure?
  /// The identifier of the attempt's process; `nil` if it started no process.
  public internal(set) var pid: Int32?
  /// The program and the arguments of the attempt's process, as in ``StepDetails/commandLine``.
  public internal(set) var commandLine: String?

  package init(
    startTime: Int64, endTime: Int64? = nil, failure: Failure? = nil, pid: Int32? = nil,
    commandLine: String? = nil
  ) {
    (self.startTime, self.endTime, self.failure) = (startTime, endTime, failure)
    (self.pid, self.commandLine) = (pid, commandLine)
  }
}

/// A span, which is a timed part of a step's work. Times are durations since the launch began.
public struct StepSpan: Sendable, Hashable {
  /// The name of the span.
  public let name: String
  /// The number of the span within the step.
  public let id: Int
  /// The number of the span around this one; `nil` if there is none.
  public let parent: Int?
  /// The start time.
  public var start: Duration { .nanoseconds(startTime) }
  /// The end time; `nil` if the step ended before the span did.
  public var end: Duration? { endTime.map(Duration.nanoseconds) }
  /// The nanoseconds of ``start``.
  package let startTime: Int64
  /// The nanoseconds of ``end``.
  package internal(set) var endTime: Int64?
  /// The error that the span's body threw; `nil` if it threw none.
  public internal(set) var error: String?

  package init(
    name: String, id: Int, parent: Int?, startTime: Int64, endTime: Int64? = nil, error: String? = nil
  ) {
    (self.name, self.id, self.parent) = (name, id, parent)
    (self.startTime, self.endTime, self.error) = (startTime, endTime, error)
  }
}

/// A lifecycle event that a step emitted.
public struct EmittedEvent: Sendable, Hashable {
  /// The event's name.
  public let name: String
  /// The event's payload with each secret replaced by `***`; `nil` if it has no payload.
  public let payload: String?
  /// The payload without masking, for the host that handles the event; `nil` if ``payload`` has no secret.
  ///
  /// Written records do not contain it, and equality ignores it.
  package var handled: Secret?

  package init(name: String, payload: String?) {
    (self.name, self.payload) = (name, payload)
  }

  /// Returns whether two events have the same name and payload.
  public static func == (left: EmittedEvent, right: EmittedEvent) -> Bool {
    left.name == right.name && left.payload == right.payload
  }

  /// Hashes the name and the payload.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(payload)
  }
}

extension EmittedEvent {
  /// The payload in the form that records have. A device token is shortened.
  package var written: String? { payload.map { Self.written($0, of: name) } }

  /// Returns an event's payload in the form that records and streams have. A device token is shortened, as it is a
  /// secret.
  package static func written(_ payload: String, of event: String) -> String {
    event == EventName.didRegisterForRemoteNotifications.name ? shortened(token: payload) : payload
  }

  /// Returns the first eight digits of a token, and its length in bytes. They suffice to compare tokens, but not to use
  /// one.
  package static func shortened(token: String) -> String {
    token.count <= 8 || token.hasSuffix(" bytes)") ? token : "\(token.prefix(8))… (\(token.count / 2) bytes)"
  }
}
