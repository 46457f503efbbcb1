/// A command type while a plan is assembled, with the facts that all of its entries share.
struct CommandKind {
  let description: CommandDescription
  let stepKind: StepKind
  let usesSecretVariables: Bool
  /// True if placeholders of variables in the parameters are replaced when a step runs.
  let replacesVariables: Bool
  private let execution: CommandExecution

  init(_ description: CommandDescription) {
    self.description = description
    execution = description.type.execution
    stepKind = execution.kind
    usesSecretVariables = execution.usesSecretVariables
    replacesVariables = description.type.replacesVariables
  }

  /// Returns the lane of a command of this type.
  func lane(of command: any Command) -> Lane { execution.lane(of: command, in: description.lane) }
}
