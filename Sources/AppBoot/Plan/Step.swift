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

  /// Creates a step that waits for other steps; `nil` means the part of the plan above it.
  package init(_ step: StartupStep, after ids: [String]?, fileID: String = #fileID, line: Int = #line) {
    self.init(step.id, step.command, fileID: fileID, line: line)
    predecessors = ids
    attributes = step.outline.attributes
  }

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
  package func unless(succeeds arguments: [String], startedBy start: @escaping NeedCheckStart) -> Step {
    with { ($0.unless, $0.startNeedCheck) = (.command(arguments), start) }
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
      attributes.environmentFiles += paths.map { Located(value: $0, range: SourceRange(0, 0)) }
    }
  }

  /// Returns the step with a comment, which reports show.
  public func comment(_ text: String) -> Step { with { $0.comment = text } }

  func with(_ change: (inout StepAttributes) -> Void) -> Step {
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
