/// The record of a launch, which is the fold of its events.
///
/// A record is a collection of its steps in manifest order. Times are durations since the launch began, measured with
/// the monotonic clock.
public struct LaunchRecord: Sendable, RandomAccessCollection {
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
  public package(set) var startedAt: String
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

extension LaunchRecord {
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

  /// Returns the step because of which a step was skipped; `nil` if it was not skipped because of another step.
  package func cause(ofSkipped step: Int) -> Int? {
    switch executions[step].state {
    case .skipped(.dependency(let cause)), .skipped(.stopped(by: let cause)): cause
    case .skipped, .waiting, .ready, .running, .succeeded, .failed, .timedOut, .cancelled: nil
    }
  }
}

extension LaunchRecord: CustomStringConvertible {
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

/// A record of the `on` handlers that ran for an event after the launch. It is a part of the launch's record.
package struct EventRecord: Sendable {
  /// The event's name.
  package let event: String
  /// The scene of the event; `nil` for an event of the process.
  package let scene: String?
  /// The nanoseconds from the start of the launch to the event.
  package let time: Int64
  /// The record of the handlers' steps. Its times are nanoseconds since the handlers began.
  package var record: LaunchRecord

  /// Creates the record of an event.
  package init(event: String, scene: String? = nil, time: Int64, record: LaunchRecord) {
    self.event = event
    self.scene = scene
    self.time = time
    self.record = record
  }
}

/// The facts about the origin of a record: the tool that wrote it, and the machine.
package struct RecordHeader: Sendable, Hashable {
  /// A tool with its version.
  package struct Tool: Sendable, Hashable {
    /// The tool's name.
    package var name: String
    /// The tool's version.
    package var version: String

    /// Creates a tool.
    package init(name: String, version: String) {
      self.name = name
      self.version = version
    }
  }

  /// The machine on which a launch ran. Its facts help to explain measured times.
  package struct Host: Sendable, Hashable {
    /// The name of the kernel, for example `Linux` or `Darwin`.
    package var system: String
    /// The release of the kernel.
    package var release: String
    /// The processor architecture, for example `x86_64` or `arm64`.
    package var architecture: String
    /// The name of the processor; `nil` if the system does not report it.
    package var processor: String?
    /// The number of processors that were online.
    package var cores: Int

    /// Creates a host.
    package init(system: String, release: String, architecture: String, processor: String?, cores: Int) {
      self.system = system
      self.release = release
      self.architecture = architecture
      self.processor = processor
      self.cores = cores
    }
  }

  /// The place of a launch in a distributed trace. The texts are hexadecimal digits (W3C Trace Context).
  package struct Trace: Sendable, Hashable {
    /// The id of the trace.
    package var traceID: String
    /// The id of the launch's span.
    package var spanID: String
    /// The id of the span that started the launch; `nil` if the launch began the trace.
    package var parentID: String?

    /// Creates a place in a trace.
    package init(traceID: String, spanID: String, parentID: String?) {
      (self.traceID, self.spanID, self.parentID) = (traceID, spanID, parentID)
    }
  }

  /// The tool that wrote the record; `nil` if it is unknown.
  package var tool: Tool?
  /// The machine on which the launch ran; `nil` if it is unknown.
  package var host: Host?
  /// The maximum number of steps that ran at the same time off the main lane; `nil` if it is unknown.
  package var jobs: Int?
  /// True if one step ran at a time, over all lanes, as with `--shuffle`.
  package var isSerial = false
  /// The number of processors that the launch could use; `nil` if it is unknown.
  package var processors: Int?
  /// The labels of the launch, sorted by name.
  package var labels: [LaunchLabel] = []
  /// The place of the launch in a distributed trace; `nil` for a launch that is not sent.
  package var trace: Trace?
  /// True if the process of the launch was running when the record was read. It is not stored.
  package var isLive = false

  /// Creates an empty header.
  package init() {}
}

// Every report, list, annotation and record takes the words of a reason from here.

extension SkipReason {
  /// Returns the reason in words, for example `"Database" did not succeed`.
  public func text(in outline: LaunchOutline) -> String {
    switch self {
    case .excluded(let text), .condition(let text), .unnecessary(let text), .safeMode(let text): text
    case .dependency(let step): "\"\(outline[step].id)\" did not succeed"
    case .stopped(by: let step): "the launch stopped when \"\(outline[step].id)\" failed"
    }
  }
}

extension CancelReason {
  /// The reason in words, for example `the launch timed out`.
  public var text: String {
    switch self {
    case .requested(let text): text
    case .deadline: "the launch timed out"
    case .selfCancelled: "the command cancelled itself"
    }
  }
}

extension LaunchRecord {
  /// Returns the reason why a step was skipped or cancelled, in words; `nil` for any other state.
  public func reasonText(of step: Int) -> String? {
    switch executions[step].state {
    case .skipped(let reason): reason.text(in: outline)
    case .cancelled(let reason): reason.text
    case .waiting, .ready, .running, .succeeded, .failed, .timedOut: nil
    }
  }
}

/// An observer of the events of one launch.
///
/// Calls come one at a time and in order, on the thread on which the event happened. An observer must return quickly,
/// and must not call back into the launch that it observes: the call would wait for the observer, and never return.
public protocol LaunchObserver: Sendable {
  /// Receives an event of a launch. The outline is that of the launch.
  func observe(_ event: LaunchEvent, in outline: LaunchOutline)
}

/// An observer of one launch that also receives the record so far and the time of a clock that launches share.
///
/// Calls follow the rules of ``LaunchObserver``.
package protocol RecordObserver: Sendable {
  /// True if the observer uses every line of output.
  ///
  /// If no observer and no sink uses them, only the last line of each read is recorded.
  var usesOutput: Bool { get }

  /// Receives an event. The record already contains it.
  ///
  /// - Parameter clockTime: The time of the event on the monotonic clock, in nanoseconds.
  func observe(_ event: LaunchEvent, in record: LaunchRecord, at clockTime: Int64)
}
