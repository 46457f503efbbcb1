import Synchronization

/// What a launch will do: its steps in manifest order, what each comes after, and why some are left out.
///
/// A plan is a value that touches nothing; print it, test it, or run it.
public struct StartupPlan: Sendable, RandomAccessCollection {
  /// The launch's name.
  public let name: String
  /// The launch's time budget, in nanoseconds.
  public internal(set) var budget: Int64?
  /// The launch's time limit, in nanoseconds.
  public internal(set) var timeout: Int64?
  /// What the steps run with.
  public let options: LaunchOptions
  /// The manifest's text; `nil` for a plan made in code.
  public let source: SourceText?
  /// What runs for the events after the launch, by the event's name.
  public internal(set) var events: [String: StartupPlan] = [:]
  /// What a record says of the manifest; `nil` for a plan that was not read back from one.
  var origin: ManifestOrigin?

  let steps: [StartupStep]
  /// The steps' commands side by side: what the inline path walks over.
  let commands: [any Command]
  let stepTraits: [StepTraits]
  let traits: PlanTraits
  let graph: DependencyGraph
  let environment: LaunchEnvironment
  private let lines: LazySourceLines?

  init(
    name: String, options: LaunchOptions, source: SourceText? = nil, steps: [StartupStep],
    graph: DependencyGraph, environment: LaunchEnvironment
  ) {
    self.name = name
    self.options = options
    self.source = source
    self.steps = steps
    commands = steps.map(\.command)
    stepTraits = steps.map(StepTraits.init(of:))
    traits = PlanTraits(of: stepTraits)
    self.graph = graph
    self.environment = environment
    lines = source.map(LazySourceLines.init)
  }

  /// A launch made in code: each command comes after the one before it.
  ///
  /// Commands of one type get the ids `Name`, `Name-2`, `Name-3`, ….
  public init(
    name: String = "launch", sequence commands: [any Command], options: LaunchOptions = LaunchOptions(),
    window: (any Window)? = nil, state: any StateStore = MemoryStateStore()
  ) {
    var environment = LaunchEnvironment()
    environment.window = window
    environment.state = state
    environment.isFirstLaunch = LaunchCount.isFirst(in: state)
    self.init(
      name: name, options: options, steps: StartupStep.steps(of: commands),
      graph: DependencyGraph(sequenceOf: commands.count), environment: environment)
  }

  /// A launch made in code: steps, and for each the ids that it comes after; `nil` for the step above it.
  ///
  /// - Throws: ``PlanError`` for doubled or unknown ids, and for steps that wait for each other.
  public init(
    name: String = "launch", steps: [(step: StartupStep, after: [String]?)],
    options: LaunchOptions = LaunchOptions(), window: (any Window)? = nil,
    state: any StateStore = MemoryStateStore(), timeout: Int64? = nil
  ) throws(PlanError) {
    var environment = LaunchEnvironment()
    environment.window = window
    environment.state = state
    environment.isFirstLaunch = LaunchCount.isFirst(in: state)
    let graph = try DependencyGraph(of: steps.map { ($0.step.id, $0.after) })
    self.init(
      name: name, options: options, steps: steps.map(\.step), graph: graph, environment: environment)
    self.timeout = timeout
  }

  /// The index of the first step, 0.
  public var startIndex: Int { 0 }
  /// The number of steps.
  public var endIndex: Int { steps.count }
  /// The step at an index.
  public subscript(position: Int) -> StartupStep { steps[position] }

  /// The index of the step of that id; linear in the number of steps.
  public func index(ofStep id: String) -> Int? { steps.firstIndex { $0.id == id } }

  /// Where a step's command stands in the manifest; the first call reads the whole text.
  public func location(ofStep step: Int) -> SourceLocation? {
    if let origin { return origin.locations[step] }
    guard let lines, let range = steps[step].range else { return nil }
    return lines.location(of: Int(range.start))
  }

  /// The indices of the steps that a step comes after, in the order in which the manifest names them.
  public func predecessors(of step: Int) -> some RandomAccessCollection<Int> {
    graph.predecessors(of: step).lazy.map { Int($0) }
  }

  /// The indices of the steps that come after a step, in manifest order.
  public func successors(of step: Int) -> some RandomAccessCollection<Int> {
    graph.successors(of: step).lazy.map { Int($0) }
  }

  /// Runs the plan on the calling thread and returns when every step has ended.
  @discardableResult
  public func run() -> StartupRecord { StartupRunner(self).run() }

  /// Runs the plan; main-lane steps run on the caller's actor.
  @discardableResult
  public func run(isolation: isolated (any Actor)? = #isolation) async -> StartupRecord {
    await StartupRunner(self).run()
  }
}

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
  /// The time limit of one attempt, in nanoseconds.
  public var timeout: Int64?
  /// The time budget, in nanoseconds.
  public var budget: Int64?
  /// How often and how it is tried again.
  public var retry: RetryPolicy?
  /// The manifest's remark.
  public var note: String?
  /// Where the command's name stands in the manifest.
  public var range: SourceRange?
  /// Why it is left out; `nil` for a step that will run.
  public var skip: SkipReason?

  /// Why the command cannot be executed as it is: code made it and left out a required parameter.
  public private(set) var misuse: CommandMisuse?

  /// Creates a step of a command, with the id given or else the command's name.
  public init(_ command: any Command, id: String? = nil) {
    let type = Swift.type(of: command)
    self.command = command
    commandName = type.name
    self.id = id ?? commandName
    lane = type.lane
    kind = StepKind(of: command)
    let missing = missingParameters(of: command)
    misuse = missing.isEmpty ? nil : .parametersMissing(command: commandName, names: missing)
  }

  init(_ command: any Command, id: String, description: CommandDescription) {
    self.command = command
    self.id = id
    commandName = description.name
    lane = description.lane
    kind = StepKind(of: command)
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
  fileprivate static func steps(of commands: [any Command]) -> [StartupStep] {
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

  init(of command: any Command) {
    if command is any PolledCommand {
      self = .polled
    } else if command is any AsyncCommand {
      self = .asynchronous
    } else {
      self = .synchronous
    }
  }
}

/// How often a step is tried and how long it waits in between.
public struct RetryPolicy: Sendable, Hashable {
  /// How often it is tried in all, at least 1.
  public var attempts: Int
  /// Nanoseconds before the second attempt; doubled before each further one.
  public var backoff: Int64
  /// The longest wait in nanoseconds.
  public var maximumBackoff: Int64

  /// Creates a policy.
  public init(attempts: Int, backoff: Int64 = 100_000_000, maximumBackoff: Int64 = 30_000_000_000) {
    self.attempts = max(1, attempts)
    self.backoff = max(0, backoff)
    self.maximumBackoff = max(0, maximumBackoff)
  }

  /// Nanoseconds to wait after the attempt (1 for the first) failed: `backoff × 2^(attempt − 1)`, capped.
  public func delay(afterAttempt attempt: Int) -> Int64 {
    let factor = Int64(1) << Int64(Swift.min(62, Swift.max(0, attempt - 1)))
    let (product, overflow) = backoff.multipliedReportingOverflow(by: factor)
    return overflow ? maximumBackoff : Swift.min(product, maximumBackoff)
  }
}

extension StartupPlan {
  /// The ids of the steps whose commands say that they provide a context value.
  func providers(of value: String) -> [String] {
    steps.filter { type(of: $0.command).provides.contains(value) }.map(\.id)
  }
}

/// The line table of a text, made when the first place is asked for.
private final class LazySourceLines: Sendable {
  private let source: SourceText
  private let lines = Mutex<SourceLines?>(nil)

  init(_ source: SourceText) {
    self.source = source
  }

  func location(of offset: Int) -> SourceLocation {
    lines.withLock { lines in
      let table = lines ?? SourceLines(source)
      lines = table
      return table.location(of: offset)
    }
  }
}
