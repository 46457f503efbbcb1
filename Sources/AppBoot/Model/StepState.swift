/// The state of a step in a launch.
///
///     waiting → ready → running → succeeded | failed | timedOut | cancelled
///     running → skipped, if the step's `unless` holds
///     waiting → skipped | cancelled
///
/// A step waits for the steps that must come before it. When these have ended it is ready, and it runs when its lane is
/// free. It stays `running` between two attempts.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum StepState: Sendable, Hashable {
  /// A step that must come before this step has not ended.
  case waiting
  /// The step can run, but its lane is busy.
  case ready
  /// The step runs, or waits for its next attempt.
  case running
  /// The step ended without an error.
  case succeeded
  /// The last attempt of the step threw an error.
  indirect case failed(Failure)
  /// The last attempt of the step timed out.
  indirect case timedOut(Failure)
  /// The step was cancelled, or it never started because the launch was cancelled.
  indirect case cancelled(CancelReason)
  /// The step was not run.
  indirect case skipped(SkipReason)

  /// True if the state is final.
  public var hasEnded: Bool {
    switch self {
    case .waiting, .ready, .running: false
    case .succeeded, .failed, .timedOut, .cancelled, .skipped: true
    }
  }

  /// True if the step failed or timed out.
  public var isFailure: Bool { kind.isFailure }

  /// The states without their data. The raw values are the names in records.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case waiting, ready, running, succeeded, failed, timedOut, cancelled, skipped

    /// True if the step failed or timed out.
    package var isFailure: Bool { self == .failed || self == .timedOut }
  }

  /// The state without its data.
  package var kind: Kind {
    switch self {
    case .waiting: .waiting
    case .ready: .ready
    case .running: .running
    case .succeeded: .succeeded
    case .failed: .failed
    case .timedOut: .timedOut
    case .cancelled: .cancelled
    case .skipped: .skipped
    }
  }

  /// The state's name in records, for example `"succeeded"` or `"timedOut"`.
  public var name: String { kind.rawValue }

  /// The failure of a step that failed or timed out; `nil` for other states.
  public var failure: Failure? {
    switch self {
    case .failed(let failure), .timedOut(let failure): failure
    case .waiting, .ready, .running, .succeeded, .cancelled, .skipped: nil
    }
  }
}

/// A reason why a step was skipped.
#if hasAttribute(nonexhaustive)
@nonexhaustive
#endif
public enum SkipReason: Sendable, Hashable {
  /// The selection of steps excluded the step, for example with `--skip`. The text is the reason.
  case excluded(String)
  /// A condition in the step's `when` did not hold. The text describes the condition.
  case condition(String)
  /// The step's `unless` held when the step was about to run. The text describes what exists or succeeded.
  case unnecessary(String)
  /// The launch runs in safe mode after crashes. The text is the reason why safe mode skips the step.
  case safeMode(String)
  /// A step that must come before did not succeed. The value is that step's index.
  case dependency(Int)
  /// The launch stopped because another step failed. The value is that step's index.
  case stopped(by: Int)
}

extension SkipReason {
  /// The name of the reason in records.
  public var name: String {
    switch self {
    case .excluded: "excluded"
    case .condition: "condition"
    case .unnecessary: "unnecessary"
    case .dependency: "dependency"
    case .stopped: "stopped"
    case .safeMode: "safeMode"
    }
  }
}

/// A kind of execution that the work of a step needs.
package enum StepKind: UInt8, Sendable {
  /// A synchronous call of `execute(in:)` on a thread.
  case synchronous
  /// An asynchronous call of `execute(in:)` in a task.
  case asynchronous
  /// Work that the engine's poller drives, for example a process. It occupies no thread and no task.
  case polled
  /// Work that the poller drives and that only waits. It takes no slot of `jobs`.
  case slotless

  /// True if the work counts as one of `jobs` off the main lane: it occupies a thread or a process.
  package var takesSlot: Bool { self == .synchronous || self == .polled }

  /// True if the engine's poller drives the work.
  package var isPolled: Bool { self == .polled || self == .slotless }
}

/// The kind of thread that a command runs on.
public enum Lane: String, Sendable, Hashable, CaseIterable {
  /// The main thread, and so the main actor. The synchronous commands of this lane run one at a time.
  case main
  /// A worker thread of the engine. An asynchronous command runs in a task instead.
  case background
}

/// A unit of work that the coordinator gives to its driver: an attempt of a step, or the undo of a step.
package struct EngineWork: Sendable, Hashable {
  package let step: Int
  package let attempt: Int
  package let kind: StepKind
  package let isUndo: Bool

  package init(step: Int, attempt: Int, kind: StepKind, isUndo: Bool = false) {
    (self.step, self.attempt, self.kind, self.isUndo) = (step, attempt, kind, isUndo)
  }
}
