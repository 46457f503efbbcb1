/// What happened during a launch: the fold of its events.
///
/// A record is a collection of its steps in manifest order; times are nanoseconds since the launch
/// began, on the monotonic clock.
public struct StartupRecord: Sendable, RandomAccessCollection {
  /// What was run.
  public let outline: LaunchOutline
  /// Who wrote the record, and on which machine; empty until somebody sets it.
  public var header = RecordHeader()
  /// How the launch ended.
  public internal(set) var outcome = LaunchOutcome.running
  /// When the launch ended; 0 while it has not.
  public internal(set) var duration: Int64 = 0
  /// The moment it began, as RFC 3339 in UTC.
  public internal(set) var startedAt: String
  /// Why it was told to stop, where it was.
  public internal(set) var cancellation: CancelReason?
  /// What the lists for events did after the launch, in the order in which the events came.
  public var events: [EventRecord] = []

  /// When the app said that it is up, in nanoseconds since the launch began; `nil` where it did not.
  public internal(set) var healthyAt: Int64?

  var executions: [StepExecution]
  var details = StepDetailsTable()

  init(outline: LaunchOutline, startedAt: String, executions: [StepExecution]? = nil) {
    self.outline = outline
    self.startedAt = startedAt
    self.executions = executions ?? [StepExecution](repeating: StepExecution(), count: outline.count)
  }

  /// The index of the first step, 0.
  public var startIndex: Int { 0 }
  /// The number of steps.
  public var endIndex: Int { executions.count }
  /// What happened to the step at an index.
  public subscript(position: Int) -> StepRecord {
    StepRecord(
      index: position, step: outline[position], execution: executions[position],
      details: details[position] ?? StepDetails())
  }

  // The standard library's own iterator is a generic type, which every launch would make at run time.

  /// The steps in manifest order.
  public struct Iterator: IteratorProtocol {
    fileprivate let record: StartupRecord
    fileprivate var position = 0

    /// The next step.
    public mutating func next() -> StepRecord? {
      guard position < record.endIndex else { return nil }
      defer { position += 1 }
      return record[position]
    }
  }

  /// An iterator over the steps.
  public func makeIterator() -> Iterator { Iterator(record: self) }

  /// What happened to the step of that id; linear in the number of steps.
  public subscript(id: String) -> StepRecord? { outline.index(ofStep: id).map { self[$0] } }

  /// Whether the launch booted: it ended, and nothing failed that the manifest does not allow to fail.
  public var succeeded: Bool { outcome == .succeeded }

  /// The steps that failed or timed out, in manifest order.
  public var failures: [StepRecord] { filter(\.state.isFailure) }

  /// The steps that failed where the manifest allows it.
  public var toleratedFailures: [StepRecord] { failures.filter { $0.step.onFailure == .continue } }
}

extension StartupRecord {
  /// The last moment of which the record tells: the end, where the launch reached it.
  package var lastMoment: Int64 {
    reduce(Swift.max(duration, healthyAt ?? 0)) { end, step in
      let spans = step.details.spans.lazy.map { $0.end ?? $0.start }.max() ?? 0
      let attempts = step.details.attempts.lazy.map { $0.end ?? $0.start }.max() ?? 0
      let undo = step.details.undo.map { $0.end ?? $0.start } ?? 0
      let execution = step.execution
      return Swift.max(
        end, execution.end ?? Swift.max(execution.start ?? 0, execution.ready ?? 0), spans, attempts, undo,
        step.details.lastLineAt ?? 0)
    }
  }

  /// The record as far as anything is known: where the launch, or the list of an event, has not reached its end, it and what
  /// ran at last took until the last moment of which the record tells.
  package var withEstimatedEnd: StartupRecord {
    var record = self
    for index in events.indices { record.events[index].record = events[index].record.withEstimatedEnd }
    guard outcome == .running else { return record }
    record.duration = lastMoment
    for index in executions.indices where executions[index].state == .running {
      record.executions[index].endTime = record.duration
    }
    return record
  }

  /// What ran when the record ends, in words; for a launch that has not reached its end.
  package var lastRunning: String {
    let running = filter { $0.state == .running }.map(\.id)
    return running.isEmpty ? "between two steps" : "in \(running.quoted)"
  }
}

/// What happened to one step of a launch.
public struct StepRecord: Sendable {
  /// The step's index in the plan.
  public let index: Int
  /// The step as it was planned.
  public let step: StepOutline
  /// Its state and times.
  public let execution: StepExecution
  /// What else is known of it.
  public let details: StepDetails

  /// The step's name.
  public var id: String { step.id }
  /// Where the step stands.
  public var state: StepState { execution.state }
  /// Whether it ran longer than its budget.
  public var isOverBudget: Bool { step.budget.map { execution.running > $0 } ?? false }
}

extension StartupRecord {
  /// Why a step was skipped, from the step that began it to the one just before: `a failed → b skipped`.
  ///
  /// The first index is the root cause; empty where no other step is the cause.
  public func causeChain(of step: Int) -> [Int] {
    var chain: [Int] = []
    var current = step
    while chain.count < executions.count, case .skipped(let reason) = executions[current].state {
      switch reason {
      case .dependency(let cause), .stopped(by: let cause):
        chain.append(cause)
        current = cause
      case .excluded, .condition, .safeMode:
        return chain.reversed()
      }
    }
    return chain.reversed()
  }
}
