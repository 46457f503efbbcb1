import AppBootSystem

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
  /// Why this launch is careful; `nil` for any other.
  public internal(set) var safeMode: SafeMode?
  /// What a record says of the manifest; `nil` for a plan that was not read back from one.
  var origin: ManifestOrigin?

  let steps: [StartupStep]
  /// The steps' commands side by side: what the inline path walks over.
  let commands: [any Command]
  let stepTraits: [StepTraits]
  let traits: PlanTraits
  let graph: DependencyGraph
  var environment: LaunchEnvironment
  private let lines: LazySourceLines?

  init(
    name: String, options: LaunchOptions, source: SourceText? = nil, steps: [StartupStep],
    graph: DependencyGraph, environment: LaunchEnvironment
  ) {
    self.name = name
    self.options = options
    self.source = source
    self.steps = steps
    var commands: [any Command] = []
    var traits: [StepTraits] = []
    commands.reserveCapacity(steps.count)
    traits.reserveCapacity(steps.count)
    // By pointer no step is copied, of which there may be a million.
    steps.withUnsafeBufferPointer { steps in
      guard let first = steps.baseAddress else { return }
      for index in steps.indices {
        commands.append((first + index).pointee.command)
        traits.append(StepTraits(of: (first + index).pointee))
      }
    }
    self.commands = commands
    stepTraits = traits
    self.traits = PlanTraits(of: stepTraits)
    self.graph = graph
    self.environment = environment
    lines = source.map(LazySourceLines.init)
  }

  /// A launch made in code: each command comes after the one before it.
  ///
  /// Commands of one type get the ids `Name`, `Name-2`, `Name-3`, ….
  public init(
    name: String = "launch", sequence commands: [any Command], options: LaunchOptions = LaunchOptions(),
    window: (any AppWindow)? = nil, state: any StateStore = MemoryStateStore()
  ) {
    var environment = LaunchEnvironment()
    environment.window = window
    environment.state = state
    environment.isFirstLaunch = FirstLaunch.isFirst(in: state)
    self.init(
      name: name, options: options, steps: StartupStep.steps(of: commands),
      graph: DependencyGraph(sequenceOf: commands.count), environment: environment)
  }

  /// A launch made in code: steps, and for each the ids that it comes after; `nil` for the step above it.
  ///
  /// - Throws: ``PlanError`` for doubled or unknown ids, and for steps that wait for each other.
  public init(
    name: String = "launch", steps: [(step: StartupStep, after: [String]?)],
    options: LaunchOptions = LaunchOptions(), window: (any AppWindow)? = nil,
    state: any StateStore = MemoryStateStore(), timeout: Int64? = nil
  ) throws(PlanError) {
    var environment = LaunchEnvironment()
    environment.window = window
    environment.state = state
    environment.isFirstLaunch = FirstLaunch.isFirst(in: state)
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

  /// The id of the step at an index.
  package func id(ofStep step: Int) -> String { steps[step].id }

  /// The name of the command of the step at an index.
  package func commandName(ofStep step: Int) -> String { steps[step].commandName }

  /// Whether the step at an index is left out.
  package func isSkipped(step: Int) -> Bool { stepTraits[step].isSkipped }

  /// Where the step at an index runs.
  package func lane(ofStep step: Int) -> Lane { stepTraits[step].lane }

  /// Whether the step at an index has any of what most steps have none of.
  package func isSpecial(step: Int) -> Bool { stepTraits[step].isSpecial }

  /// Whether every step comes after steps above it only: one worker would run them in manifest order.
  package var isInManifestOrder: Bool { graph.isInOrder }

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

extension StartupPlan {
  /// The ids of the steps whose commands say that they provide a context value.
  func providers(of value: String) -> [String] {
    steps.filter { type(of: $0.command).provides.contains(value) }.map(\.id)
  }
}

/// The line table of a text, made when the first place is asked for.
private final class LazySourceLines: Sendable {
  private let source: SourceText
  private let lines = Lock<SourceLines?>(nil)

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
