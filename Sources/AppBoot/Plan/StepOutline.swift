/// A step as data: its id, the name of its command, and its attributes from the manifest.
public struct StepOutline: Sendable {
  /// The id of the step. It is unique in its launch.
  public let id: String
  /// The name of the step's command in the manifest.
  public let commandName: String
  /// The lane that the step runs on.
  public let lane: Lane
  /// True if the step only waits, for example for a port, and takes no slot of `jobs`.
  package var takesNoSlot = false
  /// True if the step runs as a task, which takes no slot of `jobs` and does not occupy the main lane.
  package var isTask = false
  /// The effect of a failure on the other steps.
  public var onFailure: FailurePolicy = .stop
  /// The number of attempts and the delays between them; `nil` for one attempt.
  public var retry: RetryPolicy?
  /// The manifest's comment on the step; `nil` for none.
  public var comment: String?
  /// The reason why the step is skipped; `nil` for a step that will run.
  public var skip: SkipReason?
  /// The nanoseconds of ``timeout``.
  package var timeoutTime: Int64?
  /// The nanoseconds of ``budget``.
  package var budgetTime: Int64?
  /// The condition under which the step runs; `nil` for none.
  ///
  /// It is evaluated when the plan is built. In event handlers it is evaluated when the event arrives.
  package internal(set) var condition: LaunchCondition?
  /// The condition that makes the step unnecessary; `nil` for none. It is evaluated when the step is about to run.
  package internal(set) var unless: UnlessCondition?
  /// The place of the command's name in the manifest; `nil` for a step that was created in code or read from a record.
  package var range: SourceRange?

  package init(id: String, commandName: String, lane: Lane) {
    self.id = id
    self.commandName = commandName
    self.lane = lane
  }

  /// The timeout of one attempt; `nil` for none.
  public var timeout: Duration? { timeoutTime.map(Duration.nanoseconds) }

  /// The time budget; `nil` for none.
  public var budget: Duration? { budgetTime.map(Duration.nanoseconds) }

  /// True if the step occupies the main lane while it runs.
  package var usesMainLane: Bool { lane == .main && !isTask }

  /// True if the step counts as one of `jobs` while it runs.
  package var takesSlot: Bool { lane == .background && !takesNoSlot && !isTask }
}
