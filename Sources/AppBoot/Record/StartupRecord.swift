/// The record of a launch, which is the fold of its events.
///
/// A record is a collection of its steps in manifest order. Times are durations since the launch began, measured with
/// the monotonic clock.
public struct StartupRecord: Sendable, RandomAccessCollection {
  /// The launch as data: its steps, graph, policies and timeouts.
  public let outline: LaunchOutline
  /// The tool that wrote the record, and the machine. Both are `nil` by default.
  package var header = RecordHeader()
  /// The outcome of the launch; `running` until it has ended.
  public package(set) var outcome = LaunchOutcome.running
  /// The time from the start to the end of the launch; zero while it runs.
  public var duration: Duration { .nanoseconds(elapsedTime) }
  /// The nanoseconds of ``duration``.
  package var elapsedTime: Int64 = 0
  /// The wall time at which the launch began, as RFC 3339 in UTC.
  public internal(set) var startedAt: String
  /// The reason why the launch was cancelled; `nil` if it was not cancelled.
  public package(set) var cancellation: CancelReason?
  /// The records of the event handlers that ran after the launch, in the order of the events.
  package var events: [EventRecord] = []

  /// The time at which the app reported that it is healthy, since the launch began; `nil` if it did not.
  public var healthyAt: Duration? { healthyTime.map(Duration.nanoseconds) }
  /// The nanoseconds of ``healthyAt``.
  package var healthyTime: Int64?

  package var executions: [StepExecution]
  /// The details of those steps that have details, by step index.
  package var details: [Int: StepDetails] = [:]

  package init(outline: LaunchOutline, startedAt: String, executions: [StepExecution]? = nil) {
    self.outline = outline
    self.startedAt = startedAt
    self.executions = executions ?? [StepExecution](repeating: StepExecution(), count: outline.count)
  }

  /// The index of the first step, which is 0.
  public var startIndex: Int { 0 }
  /// The number of steps.
  public var endIndex: Int { executions.count }
  /// The record of the step at an index.
  public subscript(position: Int) -> StepRecord {
    StepRecord(
      index: position, step: outline[position], execution: executions[position],
      details: details[position] ?? StepDetails())
  }

  /// The record of the step with an id; `nil` if there is none. Takes O(steps).
  public subscript(id: String) -> StepRecord? { outline.index(ofStep: id).map { self[$0] } }

  /// True if the launch succeeded (``LaunchOutcome/succeeded``). Steps with the policy `continue` may have failed.
  public var succeeded: Bool { outcome == .succeeded }

  /// The steps that failed or timed out, in manifest order.
  public var failures: [StepRecord] { filter(\.state.isFailure) }

  /// The steps that failed or timed out and whose policy is `continue`, in manifest order.
  public var toleratedFailures: [StepRecord] { failures.filter { $0.step.onFailure == .continue } }
}

extension StartupRecord {
  /// Adds an event of a process that continued to run after the launch. Only `killed`, `noted` and a failure change the
  /// record.
  package mutating func add(late event: StartupEvent) {
    switch event.kind {
    case .killed, .noted, .ended: apply(event)
    default: break
    }
  }
}

/// The record of one step of a launch.
public struct StepRecord: Sendable {
  /// The step's index in the outline.
  public let index: Int
  /// The step as data.
  public let step: StepOutline
  /// The state and the times of the step.
  public let execution: StepExecution
  /// The facts that only some steps have.
  public let details: StepDetails

  /// The step's id.
  public var id: String { step.id }
  /// The state of the step.
  public var state: StepState { execution.state }
  /// True if the step ran longer than its budget.
  public var isOverBudget: Bool { step.budgetTime.map { execution.runningTime > $0 } ?? false }
}

extension StartupRecord {
  /// Returns the steps because of which a step was skipped, from the first cause to the direct one.
  ///
  /// Returns an empty array if the step was not skipped because of other steps.
  public func causeChain(of step: Int) -> [Int] { causeChain(of: step, atMost: executions.count) }

  /// Returns the nearest of the steps because of which a step was skipped, up to a number. The direct cause is last.
  package func causeChain(of step: Int, atMost count: Int) -> [Int] {
    var chain: [Int] = []
    // In a damaged record, steps can be skipped because of each other.
    while chain.count < Swift.min(count, executions.count), let cause = cause(ofSkipped: chain.last ?? step) {
      chain.append(cause)
    }
    return chain.reversed()
  }

  /// Returns the first cause of each step that was skipped because of other steps, by the index of that step.
  package var skipRoots: [Int: Int] {
    var roots: [Int: Int] = [:]
    for step in executions.indices {
      var path: [Int] = []
      var current = step
      while roots[current] == nil, path.count <= executions.count, let cause = cause(ofSkipped: current) {
        path.append(current)
        current = cause
      }
      let root = roots[current] ?? current
      for skipped in path { roots[skipped] = root }
    }
    return roots
  }

  /// Returns the step because of which a step was skipped; `nil` if it was not skipped because of another step.
  private func cause(ofSkipped step: Int) -> Int? {
    switch executions[step].state {
    case .skipped(.dependency(let cause)), .skipped(.stopped(by: let cause)): cause
    case .skipped, .waiting, .ready, .running, .succeeded, .failed, .timedOut, .cancelled: nil
    }
  }
}

extension StartupRecord: CustomStringConvertible {
  /// The outcome, the duration, and the failures or the steps, for example `Shop failed after 12ms: sync: no disk`.
  public var description: String {
    // In milliseconds; a short launch in microseconds.
    let unit: Int64 = elapsedTime < 10_000_000 ? 1000 : 1_000_000
    let time = DurationText.exact(.nanoseconds(elapsedTime / unit * unit))
    let front = "\(outline.name) \(outcome.name) after \(time)"
    let failures = failures.compactMap { step in step.state.failure.map { "\(step.id): \($0.message)" } }
    return "\(front): \(failures.isEmpty ? outline.stepList : failures.joined(separator: "; "))"
  }
}
