/// What happened to one step: its state and its times, in nanoseconds since the launch began.
public struct StepExecution: Sendable, Hashable {
  /// Where the step stands.
  public internal(set) var state: StepState = .waiting
  /// When what it waited for had ended; `nil` where that never happened.
  public var ready: Int64? { readyTime < 0 ? nil : readyTime }
  /// When its first attempt began; `nil` where it never ran.
  public var start: Int64? { startTime < 0 ? nil : startTime }
  /// When it ended or was skipped; `nil` while it has not.
  public var end: Int64? { endTime < 0 ? nil : endTime }
  // One word each, with -1 for "never": a launch of a million steps keeps a million of these.
  var readyTime: Int64 = -1
  var startTime: Int64 = -1
  var endTime: Int64 = -1

  init() {}

  /// A step that ran once and succeeded, ready the moment it began.
  @inline(__always)
  init(succeededFrom start: Int64, to end: Int64) {
    state = .succeeded
    readyTime = start
    startTime = start
    endTime = end
  }

  /// Nanoseconds between ready and start (or end, where it never ran).
  public var waiting: Int64 {
    guard readyTime >= 0 else { return 0 }
    return max(0, (startTime >= 0 ? startTime : max(endTime, readyTime)) - readyTime)
  }

  /// Nanoseconds between start and end.
  public var running: Int64 {
    startTime >= 0 && endTime >= 0 ? max(0, endTime - startTime) : 0
  }
}

/// The facts that only some steps have; kept apart so that the others stay small.
public struct StepDetails: Sendable, Hashable {
  /// The one-line result.
  public internal(set) var note: String?
  /// Every attempt, where there was more than one.
  public internal(set) var attempts: [StepAttempt] = []
  /// The timed spans, in the order in which they began.
  public internal(set) var spans: [StepSpan] = []
  /// The context values it read, each once, in the order of the first reading.
  public internal(set) var reads: [String] = []
  /// The context values it provided, each once, in the order of the first time.
  public internal(set) var provides: [String] = []
  /// The lifecycle events it emitted.
  public internal(set) var emitted: [EmittedEvent] = []
  /// Whether it said that what it was run for is none of its business.
  public internal(set) var declined = false
  /// The last line it printed.
  public internal(set) var lastLine: String?
  /// When it printed that, in nanoseconds since the launch began; `nil` where it printed nothing, and in older records.
  public internal(set) var lastLineAt: Int64?
  /// Nanoseconds of processor time that it used, over all attempts; `nil` where nobody measured it.
  public internal(set) var cpuTime: Int64?
  /// Whether it passed its limit on the main lane.
  public internal(set) var overran = false
  /// What became of its undo, where the launch rolled back.
  public internal(set) var undo: StepUndo?

  init() {}
}

/// One attempt of a step; times in nanoseconds since the launch began.
public struct StepAttempt: Sendable, Hashable {
  /// When it began.
  public let start: Int64
  /// When it ended.
  public internal(set) var end: Int64?
  /// Why it failed; `nil` for the one that did not.
  public internal(set) var failure: Failure?
}

/// A timed span inside a step; times in nanoseconds since the launch began.
public struct StepSpan: Sendable, Hashable {
  /// Its name.
  public let name: String
  /// Its number within the step.
  public let id: Int
  /// The number of the span around it.
  public let parent: Int?
  /// When it began.
  public let start: Int64
  /// When it ended; `nil` where the step ended before it did.
  public internal(set) var end: Int64?
  /// What its body threw.
  public internal(set) var error: String?
}

/// A lifecycle event that a step emitted.
public struct EmittedEvent: Sendable, Hashable {
  /// The event's name.
  public let name: String
  /// What came with it.
  public let payload: String?
}

extension EmittedEvent {
  /// The payload as records and streams tell it: of a device's token, which is a secret, only the beginning.
  static func written(_ payload: String, of event: String) -> String {
    event == LifecycleEventName.didRegisterForRemoteNotifications ? shortened(token: payload) : payload
  }

  /// A token's first eight digits and its length in bytes: enough to tell two apart, too little to send to one.
  package static func shortened(token: String) -> String {
    token.count <= 8 || token.hasSuffix(" bytes)") ? token : "\(token.prefix(8))… (\(token.count / 2) bytes)"
  }
}

/// What became of a step's undo; times in nanoseconds since the launch began.
public struct StepUndo: Sendable, Hashable {
  /// When it began.
  public let start: Int64
  /// When it ended.
  public internal(set) var end: Int64?
  /// Why it failed.
  public internal(set) var failure: Failure?
}
