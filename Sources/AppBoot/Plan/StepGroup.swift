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
