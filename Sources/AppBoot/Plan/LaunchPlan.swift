/// A launch that can run: its outline, the commands of its steps, and their environment.
///
/// A plan is a value, which you can print, test or run. Creating it runs no commands.
@dynamicMemberLookup
public struct LaunchPlan: Sendable, RandomAccessCollection {
  /// The launch as data: steps, graph, policies, timeouts and places in the manifest.
  public package(set) var outline: LaunchOutline
  /// The plans of the event handlers, by the name of the event.
  public package(set) var events: [String: LaunchPlan] = [:]
  /// The plan as it is written in code; `nil` for a plan from a manifest or from commands.
  package internal(set) var code: CodedPlan?

  /// The commands of the steps, by step index.
  package let commands: [any Command]
  package var environment: LaunchEnvironment
  /// True if a failure that stops the launch also stops the processes that run.
  package var failsFast = false
  /// The mistakes in commands of a sequence, which are reported when their steps run, by step index.
  private(set) var misuses: [Int: CommandMisuse] = [:]
  /// The parameters of steps that insert environment variables, by step index.
  var variables: [Int: VariableParameters] = [:]
  /// The function that starts the programs of `unless`; `nil` if no step has one.
  var startUnlessCheck: UnlessCheckStart?

  /// Creates a plan.
  ///
  /// - Parameter commands: The commands, one for each step of the outline.
  package init(outline: LaunchOutline, commands: [any Command], environment: LaunchEnvironment) {
    self.outline = outline
    self.commands = commands
    self.environment = environment
  }

  /// Creates a launch of commands that run one after the other.
  ///
  /// Commands of the same type get the ids `Name`, `Name-2`, `Name-3`, …. The step of a command without a required
  /// parameter, or with values that its `validate(_:)` rejects, fails.
  public init(
    name: String = "launch", sequence commands: [any Command], options: LaunchOptions = LaunchOptions(),
    state: (any StateStore)? = nil
  ) {
    var environment = LaunchEnvironment()
    environment.givenState = state
    environment.readFirstLaunch()
    self.init(name: name, sequence: commands, options: options, environment: environment)
  }

  /// Creates a launch of commands that run one after the other, in an environment.
  package init(
    name: String, sequence commands: [any Command], options: LaunchOptions, environment: LaunchEnvironment
  ) {
    var counts: [String: Int] = [:]
    let steps = commands.map { command in
      let name = type(of: command).name
      counts[name, default: 0] += 1
      return StepOutline(of: command, id: counts[name] == 1 ? name : "\(name)-\(counts[name, default: 0])")
    }
    let graph = DependencyGraph(sequenceOf: steps.count)
    self.init(
      outline: LaunchOutline(name: name, options: options, steps: steps, graph: graph), commands: commands,
      environment: environment)
    for (index, command) in commands.enumerated() {
      let review = ParameterReview(of: command)
      for text in review.secrets { environment.secrets.add(text) }
      misuses[index] = review.misuse ?? review.rejection
    }
  }

  /// Returns the command of a step as a polled command; `nil` for other commands.
  package func polledCommand(_ step: Int) -> (any PolledCommand)? {
    _CommandExecution.polledCommand(commands[step])
  }

  /// Returns whether a rollback undoes a step that succeeded.
  package func hasUndo(_ step: Int) -> Bool { (commands[step] as? any UndoableCommand)?.hasUndo ?? false }

  /// Returns the nanoseconds from a cancellation of a step until it is stopped by force; `nil` for those of the launch.
  func grace(ofStep step: Int) -> Int64? {
    steps[step].kind.isPolled ? polledCommand(step)?.grace : nil
  }

  /// The index of the first step, which is 0.
  public var startIndex: Int { 0 }
  /// The number of steps.
  public var endIndex: Int { commands.count }
  /// The step at an index.
  public subscript(position: Int) -> StepOutline { outline.steps[position] }

  /// The step with an id, to test the order. If the id is unknown, ``PlannedStep/waits(for:)`` throws.
  public subscript(id: String) -> PlannedStep { PlannedStep(id: id, outline: outline) }

  /// A property of the outline.
  public subscript<Value>(dynamicMember member: KeyPath<LaunchOutline, Value>) -> Value {
    outline[keyPath: member]
  }

  // Read by the engine for each step: a key path would cost more than the value.
  var graph: DependencyGraph { outline.graph }
  package var steps: [StepOutline] { outline.steps }
  var timeoutTime: Int64? { outline.timeoutTime }
}

/// The facts about all steps together.
extension LaunchPlan {
  /// Returns whether the launch runs at least one step with a property.
  private func runs(_ hasProperty: (StepPlacement) -> Bool) -> Bool {
    steps.indices.contains { steps[$0].skip == nil && hasProperty(steps[$0].placement) }
  }

  /// True if the poller watches at least one step.
  package var hasPolled: Bool { runs(\.kind.isPolled) }
  /// The number of steps without a slot. They run in addition to `jobs` other steps.
  package var slotlessCount: Int {
    steps.indices.count { steps[$0].skip == nil && !steps[$0].placement.kind.takesSlot }
  }
  /// True if at least one step runs on the main thread.
  var hasMainWork: Bool { runs(\.isUninterruptible) }
  /// True if at least one step runs synchronously on a thread of the engine.
  var hasWorkers: Bool { runs { $0.kind == .synchronous && $0.lane != .main } }
  /// True if at least one step has a timeout or a retry policy.
  var hasTimers: Bool { steps.contains { $0.skip == nil && ($0.timeout != nil || $0.retry != nil) } }
  /// True if a failure of at least one step rolls back the launch.
  var hasRollback: Bool { steps.contains { $0.skip == nil && $0.onFailure == .rollback } }
  /// True if the work of a step is a task, which can use the main actor.
  var runsTasks: Bool { commands.indices.contains { steps[$0].skip == nil && runsTask($0) } }

  /// Returns whether the work of a step is a task, also if the step is skipped.
  package func runsTask(_ step: Int) -> Bool {
    switch steps[step].placement.kind {
    case .synchronous: false
    case .asynchronous: true
    case .polled, .slotless: type(of: commands[step])._execution.runsTask
    }
  }
}

extension LaunchPlan {
  /// Returns the declared providers of a context value.
  ///
  /// - Parameter state: A function that returns the state of a step.
  package func providers(
    of value: String, state: (_ step: Int) -> StepState
  ) -> [ContextValueError.Provider] {
    commands.providers(of: value, in: outline, state: state)
  }

  /// Returns the session of a launch of the plan.
  func session(_ recorder: LaunchRecorder) -> LaunchSession {
    LaunchSession(
      outline, commands, variables: variables, startUnlessCheck: startUnlessCheck, environment: environment,
      recorder: recorder)
  }

  /// Returns a function that makes the context of a step. With it, a command can be called outside of a launch.
  ///
  /// Events that the command records are dropped.
  package func detachedContexts() -> (_ step: Int) -> LaunchContext {
    let session = session(LaunchRecorder(outline, in: environment))
    return { LaunchContext(session: session, step: $0, attempt: 1) }
  }
}

extension LaunchContext {
  /// Returns a context in which the step has its timeout and its variables from a changed plan, and the step's command
  /// in that plan; `nil` if the plan has other steps than the plan of the context.
  ///
  /// The window, state, values, events and record of the launch stay.
  ///
  /// - Throws: ``VariableNotSet``, or ``VariableParameterError`` if a value is invalid with the variables.
  package func renewed(by plan: LaunchPlan) throws -> (context: LaunchContext, command: any Command)? {
    guard session.outline.hasSameSteps(as: plan.outline) else { return nil }
    let renewed = LaunchSession(
      plan.outline, plan.commands, variables: plan.variables, startUnlessCheck: plan.startUnlessCheck,
      environment: session.environment.withVariables(of: plan.environment), recorder: session.recorder,
      renewing: session)
    let context = LaunchContext(session: renewed, step: step, attempt: attempt, isUndo: isUndo)
    return (context, try renewed.command(of: EngineWork(step: step, attempt: attempt, kind: .polled)))
  }
}

extension StepOutline {
  /// Creates the outline of a step that runs a command.
  package init(of command: any Command, id: String) {
    let type = Swift.type(of: command)
    let execution = type._execution
    let lane = command.closure?.lane ?? execution.lane(of: command, type.options)
    self.init(id: id, commandName: type.name, lane: lane)
    kind = execution.kind
  }
}

extension LaunchPlan {
  /// Provides a value to all commands, before the first one runs.
  ///
  /// A command can provide another value for the key later. A second call with the same key replaces the value. A value
  /// that a command declares in `requires` must exist when the plan is made: use
  /// ``StartupCommandsBuilder/providing(_:for:)``.
  public func providing<Value>(_ value: Value, for key: ContextKey<Value>) -> Self {
    var plan = self
    plan.environment.provided[key.name] = value
    plan.events = events.mapValues { $0.providing(value, for: key) }
    return plan
  }

  /// Returns the plan with only these steps of the launch and of event handlers. All other steps are skipped. The order
  /// does not change.
  ///
  /// - Throws: ``SelectionError`` if a step has no such id.
  public func selecting(_ ids: [String]) throws(SelectionError) -> Self {
    try selecting(StepSelection(only: Set(ids)))
  }

  /// Returns the plan with only these steps, and all steps that must come before them, directly or indirectly. All
  /// other steps are skipped.
  ///
  /// - Throws: ``SelectionError`` if a step has no such id.
  public func selecting(upTo ids: [String]) throws(SelectionError) -> Self {
    try selecting(StepSelection(goals: ids))
  }

  /// Returns the plan without these steps of the launch and of event handlers.
  ///
  /// - Throws: ``SelectionError`` if a step has no such id.
  public func skipping(_ ids: [String]) throws(SelectionError) -> Self {
    try selecting(StepSelection(skip: Set(ids)))
  }

  /// Returns the plan with the steps of a selection. Throws an error for unknown ids.
  package func selecting(_ selection: StepSelection) throws(SelectionError) -> Self {
    try selection.check(against: self)
    return skippingSteps(besides: selection)
  }

  private func skippingSteps(besides selection: StepSelection) -> Self {
    var plan = self
    let goals = selection.goals.map { goals in plan.indices.filter { goals.contains(plan.outline[$0].id) } }
    let isBefore = goals.map(graph.ancestors)
    for step in plan.indices {
      let isNeeded = isBefore.map { $0[step] || goals?.contains(step) == true } ?? true
      guard let reason = selection.reason(for: plan.outline[step].id, isNeeded: isNeeded) else { continue }
      plan.outline.steps[step].skip = reason
    }
    plan.events = events.mapValues { $0.skippingSteps(besides: selection) }
    return plan
  }
}

extension LaunchPlan {
  /// The events that the code of the plan handles; none for a plan from a manifest.
  package var codedEvents: [EventName] { code?.events ?? [] }
}

/// A selection of the steps to run, in the launch and in its event handlers.
package struct StepSelection: Sendable {
  private let only: Set<String>?
  /// The reason for steps that are not in ``only``.
  private let exclusion: String
  private let skip: Set<String>
  /// The ids of the steps that run with all steps that must come before them (`--to`); `nil` to select no goals.
  let goals: [String]?
  /// True if ``goals`` were arguments of their own.
  package var areArguments = false

  package init(
    only: Set<String>? = nil, because exclusion: String = "not in --only", skip: Set<String> = [],
    goals: [String]? = nil
  ) {
    (self.only, self.exclusion, self.skip, self.goals) = (only, exclusion, skip, goals)
  }

  fileprivate func check(against plan: LaunchPlan) throws(SelectionError) {
    let wanted = skip.union(only ?? []).union(goals ?? [])
    guard !wanted.isEmpty else { return }
    let ids = plan.map(\.id) + plan.events.keys.sorted().flatMap { plan.events[$0]?.map(\.id) ?? [] }
    let known = Set(ids)
    let unknown = wanted.subtracting(known).sorted()
    guard !unknown.isEmpty else { return }
    let secrets = plan.environment.secrets
    var error = SelectionError(unknown: unknown.map { secrets.masking($0) }, known: ids)
    error.areArguments = areArguments
    throw error
  }

  /// Returns the reason why a step is skipped; `nil` if it runs.
  ///
  /// - Parameter isNeeded: False for a step that is not a goal, and does not come before one.
  func reason(for id: String, isNeeded: Bool = true) -> SkipReason? {
    if skip.contains(id) { return .excluded("--skip \(id)") }
    if let only, !only.contains(id) { return .excluded(exclusion) }
    return isNeeded ? nil : .excluded("not needed by --to \((goals ?? []).joined(separator: ","))")
  }
}

/// A step of a plan, for tests of the order.
///
/// ```swift
/// #expect(try makePlan()["screen"].waits(for: "database"))
/// ```
public struct PlannedStep: Sendable {
  /// The id of the step.
  public let id: String
  let outline: LaunchOutline

  /// Returns whether the step starts only after another one has ended, directly or through steps in between.
  ///
  /// Takes O(steps + edges).
  ///
  /// - Throws: ``SelectionError`` if the plan has no step with one of the ids.
  public func waits(for other: String) throws(SelectionError) -> Bool {
    guard let step = outline.index(ofStep: id), let other = outline.index(ofStep: other) else {
      let known = outline.map(\.id)
      throw SelectionError(unknown: [id, other].filter { !known.contains($0) }.sorted(), known: known)
    }
    return outline.graph.followers(of: [other])[step]
  }
}

/// An error that reports unknown ids in a selection of steps.
public struct SelectionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The unknown ids in ascending order; at least one.
  public let unknown: [String]
  /// The ids that exist.
  public let known: [String]
  /// True if the ids were arguments of their own. In a list, commas and backslashes are escaped.
  package var areArguments = false

  /// Creates the error, for a test of the code that catches it.
  public init(unknown: [String], known: [String]) {
    self.unknown = unknown
    self.known = known
  }

  /// The error message: the unknown ids, and the closest ids or a list of ids.
  public var description: String { "\(problem): \(suggestions ?? list)" }

  /// The part of the message with the unknown ids.
  package var problem: String {
    let names = unknown.quotedList
    return unknown.count == 1 ? "there is no step \(names)" : "there are no steps \(names)"
  }

  /// The part of the message with the closest ids that exist; `nil` if no id is close.
  package var suggestions: String? {
    let search = ClosestName(among: known)
    var found: [String] = []
    for id in unknown.prefix(ClosestName.mostSearches) where found.count < ClosestName.most {
      guard let match = search.match(for: id) else { continue }
      found.append(unknown.count == 1 ? "\"\(match)\"" : "\"\(match)\" for \"\(id)\"")
    }
    return found.isEmpty ? nil : "did you mean \(found.joined(separator: ", "))?"
  }

  private var list: String {
    "the steps are \(known.prefix(20).joined(separator: ", "))\(known.count > 20 ? ", …" : "")"
  }
}

/// A marker in the state store. It shows that an earlier launch has succeeded.
package enum FirstLaunch {
  static let name = "launches"

  /// Returns whether a name of state is that of a manifest's marker.
  package static func isMarker(_ state: String) -> Bool { state == name || state.hasPrefix("\(name)-") }

  /// Stores the marker, unless it is stored already.
  static func mark(_ state: any StateStore, of manifest: String?) throws {
    let name = ManifestScope.name(Self.name, of: manifest)
    if try state.read(name) == nil { try state.write(name, Array("1\n".utf8)) }
  }

  /// Stores the marker, unless an earlier launch has stored it, or the plan handles an event. Call it after a launch
  /// that succeeded.
  static func markSucceeded(_ plan: LaunchPlan) throws {
    let environment = plan.environment
    guard environment.isFirstLaunch, !environment.handlesEvent else { return }
    try mark(environment.state, of: plan.outline.manifestName)
  }
}

extension LaunchEnvironment {
  /// Reads from the state whether no earlier launch of a manifest has succeeded.
  ///
  /// If the state cannot be read, the launch is not a first launch, because an app may delete data in its first launch.
  package mutating func readFirstLaunch(of manifest: String? = nil) {
    do {
      isFirstLaunch = try state.read(ManifestScope.name(FirstLaunch.name, of: manifest)) == nil
      firstLaunchProblem = nil
    } catch {
      isFirstLaunch = false
      firstLaunchProblem = "the state cannot be read: \(Failure(describing: error).message)"
    }
  }
}

extension StateStore {
  /// Stores that an earlier launch has succeeded, so that the next one is not the first launch.
  ///
  /// An app that begins to use `firstLaunch` in an update calls it before it makes the plan if it finds its own older
  /// data.
  ///
  /// - Parameter manifest: The path of the launch's manifest; `nil` for `commands.json` and for a plan in code.
  public func markLaunched(manifest: String? = nil) throws { try FirstLaunch.mark(self, of: manifest) }
}

extension LaunchPlan: CustomStringConvertible {
  /// The name and the ids of the first steps, for example `Shop: 3 steps: database, sync, screen`.
  public var description: String { "\(outline.name): \(outline.stepList)" }
}
