/// The state and times of a step, in nanoseconds since the launch began.
public struct StepExecution: Sendable, Hashable {
  /// The state of the step.
  public internal(set) var state: StepState = .waiting
  /// The time at which the steps that it comes after had ended; `nil` if that never happened.
  public var ready: Int64? { readyTime < 0 ? nil : readyTime }
  /// The time at which its first attempt began; `nil` if it never ran.
  public var start: Int64? { startTime < 0 ? nil : startTime }
  /// The time at which it ended or was skipped; `nil` until then.
  public var end: Int64? { endTime < 0 ? nil : endTime }
  // One word each, with -1 for "never": a launch of a million steps has a million of these.
  var readyTime: Int64 = -1
  var startTime: Int64 = -1
  var endTime: Int64 = -1

  init() {}

  /// Creates the execution of a step that ran once and succeeded, ready when it began.
  @inline(__always)
  init(succeededFrom start: Int64, to end: Int64) {
    state = .succeeded
    readyTime = start
    startTime = start
    endTime = end
  }

  /// The nanoseconds between ready and start, or between ready and end if it never ran.
  public var waiting: Int64 {
    guard readyTime >= 0 else { return 0 }
    return max(0, (startTime >= 0 ? startTime : max(endTime, readyTime)) - readyTime)
  }

  /// The nanoseconds between start and end.
  public var running: Int64 {
    startTime >= 0 && endTime >= 0 ? max(0, endTime - startTime) : 0
  }
}

/// The facts that only some steps have, stored apart so that the others stay small.
public struct StepDetails: Sendable, Hashable {
  /// The one-line result.
  public internal(set) var note: String?
  /// The text that is shown at the end of the launch; it may have several lines.
  public internal(set) var announcement: String?
  /// The attempts, if there was more than one.
  public internal(set) var attempts: [StepAttempt] = []
  /// The timed spans, in the order of their starts.
  public internal(set) var spans: [StepSpan] = []
  /// The context values that it read, each once, in the order of the first read.
  public internal(set) var reads: [String] = []
  /// The context values that it provided, each once, in order.
  public internal(set) var provides: [String] = []
  /// The lifecycle events that it emitted.
  public internal(set) var emitted: [EmittedEvent] = []
  /// True if it declined the event that it was run for.
  public internal(set) var declined = false
  /// The process of the last attempt; `nil` if the step started none.
  public internal(set) var pid: Int32?
  /// The nanoseconds between the signal that asked its process to stop and SIGKILL; `nil` if it needed none.
  public internal(set) var killedAfter: Int64?
  /// The last line of output.
  public internal(set) var lastOutput: String?
  /// The time of the last line of output, in nanoseconds since the launch began.
  public internal(set) var lastOutputAt: Int64?
  /// The CPU time of all attempts, in nanoseconds; `nil` if it was not measured.
  public internal(set) var cpuTime: Int64?
  /// True if it exceeded its timeout on the main lane.
  public internal(set) var overran = false
  /// Its undo, if the launch rolled back.
  public internal(set) var undo: StepAttempt?

  init() {}
}

/// An attempt to run or to undo a step; times in nanoseconds since the launch began.
public struct StepAttempt: Sendable, Hashable {
  /// The start time.
  public let start: Int64
  /// The end time.
  public internal(set) var end: Int64?
  /// The failure; `nil` for a successful attempt.
  public internal(set) var failure: Failure?
  /// The attempt's process; `nil` if it started none.
  public internal(set) var pid: Int32?
}

/// A timed span inside a step; times in nanoseconds since the launch began.
public struct StepSpan: Sendable, Hashable {
  /// Its name.
  public let name: String
  /// Its number within the step.
  public let id: Int
  /// The number of the span around it.
  public let parent: Int?
  /// The start time.
  public let start: Int64
  /// The end time; `nil` if the step ended first.
  public internal(set) var end: Int64?
  /// The error that its body threw.
  public internal(set) var error: String?
}

/// A lifecycle event that a step emitted.
public struct EmittedEvent: Sendable, Hashable {
  /// The event's name.
  public let name: String
  /// The event's payload, with `***` in place of each secret.
  public let payload: String?
  /// The unmasked payload, for the host that handles the event; `nil` if ``payload`` has no secret.
  ///
  /// Written records do not contain it, and equality ignores it.
  package var handled: String?

  init(name: String, payload: String?) {
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
  /// The payload as records contain it: a device token is shortened.
  package var written: String? { payload.map { Self.written($0, of: name) } }

  /// Returns an event's payload as records and streams contain it: a device token, which is a secret, is shortened.
  static func written(_ payload: String, of event: String) -> String {
    event == LifecycleEventName.didRegisterForRemoteNotifications ? shortened(token: payload) : payload
  }

  /// Returns a token's first eight digits and its length in bytes: enough to compare, too little to use.
  package static func shortened(token: String) -> String {
    token.count <= 8 || token.hasSuffix(" bytes)") ? token : "\(token.prefix(8))… (\(token.count / 2) bytes)"
  }
}
