/// One step of a plan: a command, instantiated, with what the manifest says of it.
public struct StartupStep: Sendable {
  /// The step's name, unique in its plan.
  public let id: String
  /// The command.
  public let command: any Command
  /// The command's name in the manifest.
  public let commandName: String
  /// Where it runs.
  public let lane: Lane
  /// How its work is done.
  let kind: StepKind
  /// What a failure means for the others.
  public var onFailure: FailurePolicy = .stop
  /// Where the command's name stands in the manifest.
  public var range: SourceRange?
  /// What most steps have none of.
  private var rare: Boxed<Attributes>?

  struct Attributes: Sendable {
    var timeout: Int64?
    var budget: Int64?
    var retry: RetryPolicy?
    var note: String?
    var skip: SkipReason?
    var condition: LaunchCondition?
    var misuse: CommandMisuse?
  }

  /// Creates a step of a command, with the id given or else the command's name.
  public init(_ command: any Command, id: String? = nil) {
    let type = Swift.type(of: command)
    self.command = command
    commandName = type.name
    self.id = id ?? commandName
    lane = type.lane
    kind = type.execution.kind
    let missing = missingParameters(of: command)
    if !missing.isEmpty {
      attributes.misuse = .parametersMissing(command: commandName, names: missing)
    }
  }

  init(_ command: any Command, id: String, description: CommandDescription, kind: StepKind) {
    self.command = command
    self.id = id
    commandName = description.name
    lane = description.lane
    self.kind = kind
  }

  /// A step as a record tells of it; it cannot be executed.
  init(recorded command: RecordedCommand, id: String) {
    self.command = command
    self.id = id
    commandName = command.recordedName
    lane = command.recordedLane
    kind = .synchronous
  }
}

extension StartupStep {
  private var attributes: Attributes {
    get { rare?.value ?? Attributes() }
    set { rare = .value(newValue) }
  }

  /// Whether it has any of what most steps have none of.
  var isSpecial: Bool { rare != nil || onFailure != .stop }

  /// The time limit of one attempt, in nanoseconds.
  public var timeout: Int64? {
    get { rare?.value.timeout }
    set { attributes.timeout = newValue }
  }

  /// The time budget, in nanoseconds.
  public var budget: Int64? {
    get { rare?.value.budget }
    set { attributes.budget = newValue }
  }

  /// How often and how it is tried again.
  public var retry: RetryPolicy? {
    get { rare?.value.retry }
    set { attributes.retry = newValue }
  }

  /// The manifest's remark.
  public var note: String? {
    get { rare?.value.note }
    set { attributes.note = newValue }
  }

  /// When it runs, as the manifest says it; judged when the plan is built, or for an event's list, when it comes.
  public internal(set) var condition: LaunchCondition? {
    get { rare?.value.condition }
    set { attributes.condition = newValue }
  }

  /// Why it is left out; `nil` for a step that will run.
  public var skip: SkipReason? {
    get { rare?.value.skip }
    set { attributes.skip = newValue }
  }

  /// Why the command cannot be executed as it is: code made it and left out a required parameter.
  public var misuse: CommandMisuse? { rare?.value.misuse }
}

extension StartupStep {
  static func steps(of commands: [any Command]) -> [StartupStep] {
    var counts: [String: Int] = [:]
    return commands.map { command in
      let name = type(of: command).name
      let count = counts[name, default: 0] + 1
      counts[name] = count
      return StartupStep(command, id: count == 1 ? name : "\(name)-\(count)")
    }
  }
}

/// How a step's work is done.
enum StepKind: UInt8, Sendable {
  /// A synchronous `execute(in:)`.
  case synchronous
  /// A task.
  case asynchronous
  /// Work that the engine's poller drives, such as a process; it holds no thread and no task.
  case polled
}
