/// The record of a launch: the fold of its events.
///
/// A record is a collection of its steps in manifest order. Times are nanoseconds since the launch began, on the
/// monotonic clock.
public struct StartupRecord: Sendable, RandomAccessCollection {
  /// The launch as data: its steps, graph, policies and timeouts.
  public let outline: LaunchOutline
  /// The tool that wrote the record, and the machine; empty by default.
  package var header = RecordHeader()
  /// The result of the launch.
  public internal(set) var outcome = LaunchOutcome.running
  /// The time at which the launch ended; 0 while it runs.
  public internal(set) var duration: Int64 = 0
  /// The time at which it began, as RFC 3339 in UTC.
  public internal(set) var startedAt: String
  /// The reason for which it was cancelled; `nil` if it was not.
  public internal(set) var cancellation: CancelReason?
  /// The records of the event handlers that ran after the launch, in the order of the events.
  package var events: [EventRecord] = []

  /// The time at which the app reported that it is up, in nanoseconds since the launch began; `nil` if it did not.
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
  /// The record of the step at an index.
  public subscript(position: Int) -> StepRecord {
    StepRecord(
      index: position, step: outline[position], execution: executions[position],
      details: details[position] ?? StepDetails())
  }

  /// The record of the step with an id; linear in the number of steps.
  public subscript(id: String) -> StepRecord? { outline.index(ofStep: id).map { self[$0] } }

  /// True if the launch succeeded: it ended, and every failed step has the policy `continue`.
  public var succeeded: Bool { outcome == .succeeded }

  /// The steps that failed or timed out, in manifest order.
  public var failures: [StepRecord] { filter(\.state.isFailure) }

  /// The failed steps whose policy is `continue`.
  public var toleratedFailures: [StepRecord] { failures.filter { $0.step.onFailure == .continue } }
}

extension StartupRecord {
  /// The latest time in the record: the end, if the launch reached it.
  package var lastMoment: Int64 {
    reduce(Swift.max(duration, healthyAt ?? 0)) { end, step in
      let spans = step.details.spans.lazy.map { $0.end ?? $0.start }.max() ?? 0
      let attempts = step.details.attempts.lazy.map { $0.end ?? $0.start }.max() ?? 0
      let undo = step.details.undo.map { $0.end ?? $0.start } ?? 0
      let execution = step.execution
      return Swift.max(
        end, execution.end ?? Swift.max(execution.start ?? 0, execution.ready ?? 0), spans, attempts, undo,
        step.details.lastOutputAt ?? 0)
    }
  }

  /// Adds an event of a process that stayed after the launch: its kill changes the record, and nothing else does.
  package mutating func add(late event: StartupEvent) {
    if case .killed = event.kind { apply(event) }
  }

  /// The record with an estimated end: a launch or event handler without an end, and its running steps, get the latest
  /// time in the record as their end.
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

  /// The steps that run at the end of the record, as text; for a launch that did not reach its end.
  package var lastRunning: String {
    let running = filter { $0.state == .running }.map(\.id)
    return running.isEmpty ? "between two steps" : "in \(running.quoted)"
  }
}

/// The record of one step of a launch.
public struct StepRecord: Sendable {
  /// The step's index in the outline.
  public let index: Int
  /// The step as data.
  public let step: StepOutline
  /// Its state and times.
  public let execution: StepExecution
  /// The facts that only some steps have.
  public let details: StepDetails

  /// The step's id.
  public var id: String { step.id }
  /// The state of the step.
  public var state: StepState { execution.state }
  /// True if it ran longer than its budget.
  public var isOverBudget: Bool { step.budget.map { execution.running > $0 } ?? false }
}

extension StartupRecord {
  /// Returns the steps that caused a step to be skipped, from the root cause to the direct one; empty if no step did.
  public func causeChain(of step: Int) -> [Int] {
    var chain: [Int] = []
    var current = step
    while chain.count < executions.count, case .skipped(let reason) = executions[current].state {
      switch reason {
      case .dependency(let cause), .stopped(by: let cause):
        chain.append(cause)
        current = cause
      case .excluded, .condition, .unnecessary, .safeMode:
        return chain.reversed()
      }
    }
    return chain.reversed()
  }
}
