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
