/// Where a step of a launch stands.
///
///     waiting → ready → running → succeeded | failed | timedOut | cancelled
///     waiting → skipped | cancelled
///
/// A step waits for what stands before it, is ready once that has ended, and runs when its lane is
/// free. Between two attempts it runs on: a retry is one running step with several attempts.
public enum StepState: Sendable, Hashable {
  /// What it waits for has not ended.
  case waiting
  /// It could run, and its lane is taken.
  case ready
  /// It runs, or waits for its next attempt.
  case running
  /// It ended without an error.
  case succeeded
  /// Its last attempt threw.
  indirect case failed(Failure)
  /// Its last attempt took longer than its limit.
  indirect case timedOut(Failure)
  /// It was told to stop, or never started because the launch was.
  indirect case cancelled(CancelReason)
  /// It was left out.
  indirect case skipped(SkipReason)

  /// Whether nothing can change the state any more.
  public var hasEnded: Bool {
    switch self {
    case .waiting, .ready, .running: false
    case .succeeded, .failed, .timedOut, .cancelled, .skipped: true
    }
  }

  /// Whether the step started and did not succeed.
  public var isFailure: Bool {
    switch self {
    case .failed, .timedOut: true
    case .waiting, .ready, .running, .succeeded, .cancelled, .skipped: false
    }
  }

  /// The state's name in records: `"succeeded"`, `"timedOut"`, ….
  public var name: String {
    switch self {
    case .waiting: "waiting"
    case .ready: "ready"
    case .running: "running"
    case .succeeded: "succeeded"
    case .failed: "failed"
    case .timedOut: "timedOut"
    case .cancelled: "cancelled"
    case .skipped: "skipped"
    }
  }

  /// The failure of a step that failed or timed out.
  public var failure: Failure? {
    switch self {
    case .failed(let failure), .timedOut(let failure): failure
    case .waiting, .ready, .running, .succeeded, .cancelled, .skipped: nil
    }
  }
}

/// What an error said, and the errors behind it.
public struct Failure: Error, Sendable, Hashable, CustomStringConvertible {
  /// What went wrong, in words.
  public let message: String
  /// The error's type, for programs.
  public let type: String
  /// What caused it, outermost first; empty where the error names no cause.
  public let causes: [String]

  /// Creates a failure from its parts.
  public init(message: String, type: String, causes: [String] = []) {
    self.message = message
    self.type = type
    self.causes = causes
  }

  /// Describes an error: its words, its type and the errors it names as causes.
  public init(describing error: any Error) {
    if let failure = error as? Failure {
      self = failure
      return
    }
    var causes: [String] = []
    var current = (error as? any CausedError)?.cause
    while let cause = current, causes.count < 16 {
      causes.append(String(describing: cause))
      current = (cause as? any CausedError)?.cause
    }
    self.init(
      message: String(describing: error), type: String(reflecting: Swift.type(of: error)), causes: causes)
  }

  /// The message and its causes.
  public var description: String { ([message] + causes).joined(separator: ": ") }
}

/// An error that knows what caused it, so that a record can show the whole chain.
public protocol CausedError: Error {
  /// The error behind this one.
  var cause: (any Error)? { get }
}

/// Why a step was left out.
public enum SkipReason: Sendable, Hashable {
  /// `--only` or `--skip` left it out.
  case excluded(String)
  /// A condition of its `when` did not hold; the text says which.
  case condition(String)
  /// The last launches died, and this one is careful; the text says what it has to do with the step.
  case safeMode(String)
  /// A step that it comes after did not succeed; its index in the plan.
  case dependency(Int)
  /// The launch stopped because this step failed; its index in the plan.
  case stopped(by: Int)
}

/// Why a step was told to stop, or never started.
public enum CancelReason: Sendable, Hashable {
  /// Somebody cancelled the launch; the text says who or what.
  case requested(String)
  /// The launch reached its own time limit.
  case deadline
  /// The command cancelled itself by throwing `CancellationError`.
  case selfCancelled
}

/// How a launch ended.
public enum LaunchOutcome: Sendable, Hashable {
  /// It has not ended.
  case running
  /// Every step succeeded, was skipped for a stated reason, or failed where the manifest allows it.
  case succeeded
  /// A step failed whose policy is not `continue`; its index in the plan.
  case failed(step: Int)
  /// The launch reached its own time limit.
  case timedOut
  /// Somebody cancelled it; the text says who or what.
  case cancelled(String)

  /// The outcome's name in records.
  public var name: String {
    switch self {
    case .running: "running"
    case .succeeded: "succeeded"
    case .failed: "failed"
    case .timedOut: "timedOut"
    case .cancelled: "cancelled"
    }
  }
}

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
