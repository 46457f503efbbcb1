import AppBootBase

/// A step as data: its id, the name of its command, and its attributes from the manifest.
public struct StepOutline: Sendable {
  /// The id of the step. It is unique in its launch.
  public let id: String
  /// The name of the step's command in the manifest.
  public let commandName: String
  /// The lane and the kind of the step.
  package var placement: StepPlacement
  /// The values of the step's optional keys.
  package var attributes: StepAttributes {
    get { values?.attributes ?? StepAttributes() }
    set { values = Values(newValue) }
  }
  /// The object with ``attributes``, which copies of the outline share; `nil` until one of them is set.
  private var values: Values?
  /// The reason why the step is skipped; `nil` for a step that will run.
  public package(set) var skip: SkipReason?
  /// The place of the command's name in the manifest; `nil` for a step that was created in code or read from a record.
  package var range: SourceRange?

  private final class Values: Sendable {
    let attributes: StepAttributes

    init(_ attributes: StepAttributes) { self.attributes = attributes }
  }

  package init(id: String, commandName: String, lane: Lane) {
    self.id = id
    self.commandName = commandName
    placement = StepPlacement(lane: lane)
  }

  /// The lane that the step runs on.
  public var lane: Lane { placement.lane }

  /// The kind of execution that the command needs. A step that was read from a record is not `polled`.
  package var kind: StepKind {
    get { placement.kind }
    set { placement.kind = newValue }
  }

  /// The effect of a failure on the other steps.
  public package(set) var onFailure: FailurePolicy {
    get { values?.attributes.onFailure ?? .stop }
    set { attributes.onFailure = newValue }
  }

  /// The number of attempts and the delays between them; `nil` for one attempt.
  public package(set) var retry: RetryPolicy? {
    get { values?.attributes.retry }
    set { attributes.retry = newValue }
  }

  /// The manifest's comment on the step; `nil` for none.
  public package(set) var comment: String? {
    get { values?.attributes.comment }
    set { attributes.comment = newValue }
  }

  /// The condition that makes the step unnecessary; `nil` for none.
  package var unless: UnlessCondition? { values?.attributes.unless }

  /// The timeout of one attempt; `nil` for none. A timeout below a nanosecond is a nanosecond.
  public package(set) var timeout: Duration? {
    get { (values?.attributes.timeout).map { max(.nanoseconds(1), $0) } }
    set { attributes.timeout = newValue }
  }

  /// The time budget; `nil` for none.
  public package(set) var budget: Duration? {
    get { values?.attributes.budget }
    set { attributes.budget = newValue }
  }

  /// The nanoseconds of ``timeout``.
  package var timeoutTime: Int64? { timeout?.nanoseconds }

  /// The nanoseconds of ``budget``.
  package var budgetTime: Int64? { budget?.nanoseconds }
}

/// The lane of a step, and the kind of execution that its command needs.
package struct StepPlacement: Sendable, Hashable {
  package let lane: Lane
  package var kind = StepKind.synchronous

  /// True if the step only waits, for example for a port, and takes no slot of `jobs`.
  package var takesNoSlot: Bool { kind == .waiting }

  /// True if the step runs as a task, which takes no slot of `jobs` and does not occupy the main lane.
  package var isTask: Bool { kind == .asynchronous }

  /// True if the step occupies the main lane while it runs. A task does not: other steps run while it is suspended.
  package var usesMainLane: Bool { lane == .main && !isTask }

  /// True if the step counts as one of `jobs` while it runs.
  package var takesSlot: Bool { lane == .background && kind.takesSlot }

  /// True if the step runs on the main thread, where it cannot be interrupted.
  var isUninterruptible: Bool { kind == .synchronous && lane == .main }
}

extension StepOutline {
  /// Evaluates the step's condition again. Skips the step if the condition does not hold, and stops skipping it if it
  /// holds.
  ///
  /// A step that is skipped for another reason stays skipped.
  package mutating func applyCondition(_ facts: LaunchCondition.Facts) {
    switch skip {
    case nil, .condition: break
    case .excluded, .dependency, .stopped, .unnecessary, .safeMode: return
    }
    skip = attributes.condition?.obstacle(facts).map(SkipReason.condition)
  }
}

extension LaunchCondition.Facts {
  package init(options: LaunchOptions, environment: LaunchEnvironment) {
    self.init(
      platform: Host.platform, options: options, isFirstLaunch: environment.isFirstLaunch,
      variable: { environment.variable($0) })
  }
}
