/// A step of a plan that is written in code: an id, a command, and the rules for how and when it runs.
///
/// ```swift
/// Step("database", OpenDatabase(client: client)).retry(attempts: 3).budget(.milliseconds(80))
/// ```
///
/// Without `after`, a step comes after the part of the plan above it. An invalid value, for example no attempts, is a
/// mistake of the plan (``PlanError``).
public struct Step: Sendable {
  let id: String
  let command: any Command
  let place: CodePlace
  private(set) var predecessors: [String]?
  private(set) var attributes = StepAttributes()
  /// The function that starts the program of `unless`; `nil` for the function of a registered command.
  private(set) var startUnlessCheck: UnlessCheckStart?

  /// Creates a step of a command.
  ///
  /// - Parameter id: The id of the step, which is unique in its launch.
  public init(_ id: String, _ command: any Command, fileID: String = #fileID, line: Int = #line) {
    self.id = id
    self.command = command
    place = CodePlace(fileID: fileID, line: line)
  }

  /// Creates a step of a command. The step's id is the command's name.
  public init(_ command: any Command, fileID: String = #fileID, line: Int = #line) {
    self.init(type(of: command).name, command, fileID: fileID, line: line)
  }

  /// Returns the step with predecessors: it waits for these steps and groups.
  ///
  /// - Parameter ids: The ids of the steps, and the names of the groups, that must end before the step starts.
  public func after(_ ids: String...) -> Step { after(ids) }

  /// Returns the step with predecessors. With an empty list it waits only for what its groups wait for.
  public func after(_ ids: [String]) -> Step {
    var copy = self
    copy.predecessors = (predecessors ?? []) + ids
    return copy
  }

  /// Returns the step with a condition under which it runs. Of several conditions, all must hold.
  public func when(_ condition: StepCondition) -> Step {
    with { $0.condition = $0.condition.map { .all([$0, condition.condition]) } ?? condition.condition }
  }

  /// Returns the step with a file that makes it unnecessary. The path is relative to the working directory.
  ///
  /// The check is made when the step is about to run.
  public func unless(fileExists path: String) -> Step { with { $0.unless = .file(path) } }

  /// Returns the step with a program that makes it unnecessary.
  ///
  /// - Parameter start: The function that starts the program.
  package func unless(succeeds arguments: [String], startedBy start: @escaping UnlessCheckStart) -> Step {
    var copy = with { $0.unless = .command(arguments) }
    copy.startUnlessCheck = start
    return copy
  }

  /// Returns the step with a timeout of one attempt, which is greater than zero.
  public func timeout(_ timeout: Duration) -> Step { with { $0.timeout = timeout } }

  /// Returns the step with a time budget.
  public func budget(_ budget: Duration) -> Step { with { $0.budget = budget } }

  /// Returns the step with a policy for repeating it after a failure.
  ///
  /// - Parameters:
  ///   - attempts: The maximum number of attempts, from 1 to 1000.
  ///   - backoff: The delay before the second attempt. It doubles before each further attempt.
  ///   - maxBackoff: The maximum delay.
  public func retry(
    attempts: Int, backoff: Duration = .milliseconds(100), maxBackoff: Duration = .seconds(30)
  ) -> Step {
    with { $0.retry = Self.policy(attempts, backoff, maxBackoff) }
  }

  /// Returns the step with the effect of its failure on the other steps. Without this call, it is `stop`.
  public func onFailure(_ policy: FailurePolicy) -> Step { with { $0.onFailure = policy } }

  /// Returns the step with environment files (``EnvironmentFiles``). Their variables replace those of the plan's files.
  public func environment(files paths: String...) -> Step {
    with { attributes in
      attributes.environment.files += paths.map { Located(value: $0, range: SourceRange(0, 0)) }
    }
  }

  /// Returns the step with a comment, which reports show.
  public func comment(_ text: String) -> Step { with { $0.comment = text } }

  package func with(_ change: (inout StepAttributes) -> Void) -> Step {
    var copy = self
    change(&copy.attributes)
    return copy
  }

  /// Returns a policy with values that are not checked. The plan reports invalid ones.
  static func policy(_ attempts: Int, _ backoff: Duration, _ maxBackoff: Duration) -> RetryPolicy {
    RetryPolicy(
      attempts: attempts, backoffTime: backoff.nanoseconds, maxBackoffTime: maxBackoff.nanoseconds)
  }
}

/// A group of steps in a plan that is written in code. Its name stands for all of its steps in `after`.
///
/// ```swift
/// StepGroup("third-parties") {
///   Step("crashes", StartCrashReports())
///   Step("analytics") { context in try Analytics.start(context.environment("ANALYTICS_KEY")) }
/// }
/// .inParallel().after("database").onFailure(.continue)
/// ```
///
/// The steps of a group run one after the other, unless they have `after`. The values of ``timeout(_:)``,
/// ``budget(_:)``, ``retry(attempts:backoff:maxBackoff:)`` and ``onFailure(_:)`` are those of each step that has
/// none.
public struct StepGroup: Sendable {
  let name: String?
  let place: CodePlace
  private(set) var content: Content
  private(set) var predecessors: [String]?
  private(set) var isParallel = false

  /// Creates a group. An empty group counts as the steps that come before it.
  ///
  /// - Parameter name: The name of the group, which no step and no other group has; `nil` for none.
  public init(
    _ name: String? = nil, fileID: String = #fileID, line: Int = #line,
    @PlanBuilder<StepGroup> steps: () throws -> [StepGroup]
  ) rethrows {
    self.name = name
    place = CodePlace(fileID: fileID, line: line)
    content = .parts(try steps())
  }

  /// Creates the part of a plan that is one step, without a group around it.
  init(_ step: Step) {
    name = nil
    place = step.place
    content = .step(step)
  }

  /// Returns the group with steps that do not wait for each other, unless they have `after`.
  public func inParallel() -> StepGroup { with { $0.isParallel = true } }

  /// Returns the group with predecessors: each of its steps waits for these.
  public func after(_ ids: String...) -> StepGroup { after(ids) }

  /// Returns the group with predecessors. With an empty list it waits only for what its groups wait for.
  public func after(_ ids: [String]) -> StepGroup { with { $0.predecessors = ($0.predecessors ?? []) + ids } }

  /// Returns the group with a condition for all of its steps. A condition of a step must hold too.
  public func when(_ condition: StepCondition) -> StepGroup { eachStep { $0.when(condition) } }

  /// Returns the group with a timeout of one attempt for each step that has none.
  public func timeout(_ timeout: Duration) -> StepGroup {
    eachStep { $0.with { $0.timeout = $0.timeout ?? timeout } }
  }

  /// Returns the group with a time budget for each step that has none.
  public func budget(_ budget: Duration) -> StepGroup {
    eachStep { $0.with { $0.budget = $0.budget ?? budget } }
  }

  /// Returns the group with a retry policy for each step that has none. ``Step`` describes the parameters.
  public func retry(
    attempts: Int, backoff: Duration = .milliseconds(100), maxBackoff: Duration = .seconds(30)
  ) -> StepGroup {
    let policy = Step.policy(attempts, backoff, maxBackoff)
    return eachStep { $0.with { $0.retry = $0.retry ?? policy } }
  }

  /// Returns the group with a failure policy for each step that has none.
  public func onFailure(_ policy: FailurePolicy) -> StepGroup {
    eachStep { $0.with { $0.onFailure = $0.onFailure ?? policy } }
  }

  private func with(_ change: (inout StepGroup) -> Void) -> StepGroup {
    var copy = self
    change(&copy)
    return copy
  }

  private func eachStep(_ change: (Step) -> Step) -> StepGroup {
    with { group in
      switch content {
      case .step(let step): group.content = .step(change(step))
      case .parts(let parts): group.content = .parts(parts.map { $0.eachStep(change) })
      }
    }
  }

  /// The steps of a group, or the step that is a part by itself.
  enum Content: Sendable {
    case step(Step)
    case parts([StepGroup])
  }
}

/// A condition under which a step of a plan in code runs.
///
/// It has the same values as `when` in a manifest: `.launch(.normal)`, `.environment("CI", is: "1")`,
/// `.not(.platform(.linux))`. It is evaluated when the plan is built; in event handlers, when the event arrives.
public struct StepCondition: Sendable, Hashable, CustomStringConvertible {
  let condition: LaunchCondition

  /// A platform for which an app is built.
  #if hasAttribute(nonexhaustive)
  @nonexhaustive
  #endif
  public enum Platform: String, Sendable, Hashable, CaseIterable {
    /// Linux.
    case linux
    /// macOS.
    case macOS = "macos"
    /// iOS and iPadOS.
    case iOS = "ios"
    /// tvOS.
    case tvOS = "tvos"
    /// watchOS.
    case watchOS = "watchos"
    /// visionOS.
    case visionOS = "visionos"
  }

  /// Holds if the app runs on one of these platforms.
  public static func platform(_ platform: Platform, _ others: Platform...) -> StepCondition {
    StepCondition(condition: .platform(([platform] + others).map(\.rawValue)))
  }

  /// Holds if an environment variable is set and not empty.
  public static func environment(_ name: String) -> StepCondition {
    StepCondition(condition: .environment(name, equals: nil))
  }

  /// Holds if an environment variable has exactly this value.
  public static func environment(_ name: String, is value: String) -> StepCondition {
    StepCondition(condition: .environment(name, equals: value))
  }

  /// Holds if the launch has one of these reasons.
  public static func launch(_ reason: LaunchReason, _ others: LaunchReason...) -> StepCondition {
    StepCondition(condition: .launch([reason] + others))
  }

  /// Holds until a launch with this state has succeeded.
  public static let firstLaunch = StepCondition(condition: .firstLaunch(true))

  /// Holds if all of these conditions hold.
  public static func all(_ condition: StepCondition, _ others: StepCondition...) -> StepCondition {
    StepCondition(condition: .all(([condition] + others).map(\.condition)))
  }

  /// Holds if at least one of these conditions holds.
  public static func any(_ condition: StepCondition, _ others: StepCondition...) -> StepCondition {
    StepCondition(condition: .any(([condition] + others).map(\.condition)))
  }

  /// Holds if a condition does not hold.
  public static func not(_ condition: StepCondition) -> StepCondition {
    switch condition.condition {
    case .firstLaunch(let wanted): StepCondition(condition: .firstLaunch(!wanted))
    case let other: StepCondition(condition: .not(other))
    }
  }

  /// The condition as text for people, for example `environment CI=1`.
  public var description: String { condition.description }
}

extension LaunchCondition {
  /// The mistakes in the values of the condition, as messages.
  var mistakes: [String] {
    switch self {
    case .environment(let name, _):
      name.isEmpty ? ["\"environment\" must not be empty"] : []
    case .all(let parts), .any(let parts): parts.flatMap(\.mistakes)
    case .not(let part): part.mistakes
    case .platform, .launch, .firstLaunch: []
    }
  }
}

/// The handlers of an event in a plan that is written in code.
///
/// ```swift
/// On(.didShowFirstScreen) { Step("index", IndexNotes()) }
/// ```
///
/// They run when the event arrives, in the order of a launch. Several `On` for one event count as one.
public struct On: Sendable {
  let event: EventName
  let place: CodePlace
  let parts: [StepGroup]

  /// Creates the handlers of an event.
  public init(
    _ event: EventName, fileID: String = #fileID, line: Int = #line,
    @PlanBuilder<StepGroup> steps: () throws -> [StepGroup]
  ) rethrows {
    self.event = event
    place = CodePlace(fileID: fileID, line: line)
    parts = try steps()
  }
}

/// A part of a plan that is written in code: steps, the handlers of an event, environment files or secret variables.
public struct PlanPart: Sendable {
  enum Kind: Sendable {
    case steps([StepGroup])
    case handlers(On)
    case files(EnvironmentFiles)
    case secrets(SecretVariables)
  }

  let kind: Kind

  init(_ kind: Kind) { self.kind = kind }
}

/// The environment variables of a plan in code whose values are secret.
///
/// ```swift
/// SecretVariables("DATABASE_URL", matching: "(_KEY|_TOKEN)$")
/// ```
///
/// Output, records and messages of the launch show `***` instead of the values, as with `secrets` and `secretPattern`
/// in a manifest. A plan can have several of these parts.
public struct SecretVariables: Sendable {
  let names: [String]
  let pattern: String?
  let place: CodePlace

  /// Creates the rules for secret variables.
  ///
  /// - Parameters:
  ///   - names: The names of the variables.
  ///   - pattern: An extended regular expression (`grep -E`). Variables with a matching name are secret too.
  public init(
    _ names: String..., matching pattern: String? = nil, fileID: String = #fileID, line: Int = #line
  ) {
    (self.names, self.pattern) = (names, pattern)
    place = CodePlace(fileID: fileID, line: line)
  }
}

/// A result builder of plans in code, and of the groups and event handlers inside them.
///
/// `if`, `switch`, `for` and `if #available` work inside it, and so do optional steps and arrays of steps.
@resultBuilder
public enum PlanBuilder<Part: Sendable> {
  /// Returns the parts of a block.
  public static func buildBlock(_ parts: [Part]...) -> [Part] { parts.flatMap(\.self) }
  /// Returns the parts of an `if` without `else`; no parts if its condition does not hold.
  public static func buildOptional(_ parts: [Part]?) -> [Part] { parts ?? [] }
  /// Returns the parts of the first branch.
  public static func buildEither(first parts: [Part]) -> [Part] { parts }
  /// Returns the parts of the second branch.
  public static func buildEither(second parts: [Part]) -> [Part] { parts }
  /// Returns the parts of all rounds of a `for`.
  public static func buildArray(_ parts: [[Part]]) -> [Part] { parts.flatMap(\.self) }
  /// Returns the parts of an `if #available`.
  public static func buildLimitedAvailability(_ parts: [Part]) -> [Part] { parts }
}

extension PlanBuilder where Part == StepGroup {
  /// Returns a command as a part. The step's id is the command's name.
  public static func buildExpression(
    _ command: any Command, fileID: String = #fileID, line: Int = #line
  ) -> [StepGroup] { [StepGroup(Step(command, fileID: fileID, line: line))] }
  /// Returns a step as a part; no part for `nil`.
  public static func buildExpression(_ step: Step?) -> [StepGroup] { step.map { [StepGroup($0)] } ?? [] }
  /// Returns steps as parts.
  public static func buildExpression(_ steps: [Step]) -> [StepGroup] { steps.map { StepGroup($0) } }
  /// Returns a group as a part.
  public static func buildExpression(_ group: StepGroup) -> [StepGroup] { [group] }
}

extension PlanBuilder where Part == PlanPart {
  /// Returns a command as a part. The step's id is the command's name.
  public static func buildExpression(
    _ command: any Command, fileID: String = #fileID, line: Int = #line
  ) -> [PlanPart] { buildExpression([Step(command, fileID: fileID, line: line)]) }
  /// Returns a step as a part; no part for `nil`.
  public static func buildExpression(_ step: Step?) -> [PlanPart] { step.map { buildExpression([$0]) } ?? [] }
  /// Returns steps as parts.
  public static func buildExpression(_ steps: [Step]) -> [PlanPart] {
    [PlanPart(.steps(steps.map { StepGroup($0) }))]
  }
  /// Returns a group as a part.
  public static func buildExpression(_ group: StepGroup) -> [PlanPart] { [PlanPart(.steps([group]))] }
  /// Returns the handlers of an event as a part.
  public static func buildExpression(_ handlers: On) -> [PlanPart] { [PlanPart(.handlers(handlers))] }
  /// Returns the environment files as a part.
  public static func buildExpression(_ files: EnvironmentFiles) -> [PlanPart] { [PlanPart(.files(files))] }
  /// Returns the rules for secret variables as a part.
  public static func buildExpression(_ rules: SecretVariables) -> [PlanPart] { [PlanPart(.secrets(rules))] }
}
