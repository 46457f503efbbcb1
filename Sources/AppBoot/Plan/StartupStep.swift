/// A step of a plan: a command and its outline.
///
/// The properties of the outline can also be read and set here, for example `step.onFailure = .continue`.
@dynamicMemberLookup
public struct StartupStep: Sendable {
  /// The command of the step.
  public let command: any Command
  /// The step as data.
  public var outline: StepOutline
  /// The kind of execution that the command needs.
  let kind: StepKind
  /// True if the command can use variables as secrets, for example in a header field.
  let usesSecretVariables: Bool
  /// True if the command was created in code without a required parameter.
  let isMisused: Bool
  /// The function that starts the program of the step's `unless`; `nil` for that of the registry.
  var startNeedCheck: NeedCheckStart?
  /// The texts of the command's secrets if it was created in code.
  package let secrets: [String]

  /// Creates a step of a command. If `id` is `nil`, the step's id is the command's name.
  package init(_ command: any Command, id: String? = nil) { self.init(command, id: id, lane: nil) }

  /// - Parameter lane: The lane of the step; `nil` for that of the command.
  init(_ command: any Command, id: String?, lane: Lane?) {
    let type = Swift.type(of: command)
    self.command = command
    let execution = type.execution
    outline = StepOutline(
      id: id ?? type.name, commandName: type.name,
      lane: lane ?? execution.lane(of: command, in: type.lane))
    kind = execution.kind
    outline.takesNoSlot = kind == .waiting
    outline.isTask = kind == .asynchronous
    usesSecretVariables = execution.usesSecretVariables
    let review = ParameterReview(of: command)
    isMisused = !review.missing.isEmpty
    secrets = review.secrets
  }

  init(_ command: any Command, _ outline: StepOutline, _ traits: StepTraits) {
    self.command = command
    self.outline = outline
    kind = traits.kind
    usesSecretVariables = traits.usesSecretVariables
    isMisused = traits.isMisused
    secrets = []
  }

  var traits: StepTraits {
    StepTraits(of: outline, kind: kind, usesSecretVariables: usesSecretVariables, isMisused: isMisused)
  }

  /// The error that prevents the command from being executed; `nil` if it can be executed.
  package var misuse: CommandMisuse? {
    isMisused
      ? .parametersMissing(command: outline.commandName, names: ParameterReview(of: command).missing) : nil
  }

  /// A property of the outline.
  public subscript<Value>(dynamicMember member: KeyPath<StepOutline, Value>) -> Value {
    outline[keyPath: member]
  }

  /// A property of the outline. It can be set.
  public subscript<Value>(dynamicMember member: WritableKeyPath<StepOutline, Value>) -> Value {
    get { outline[keyPath: member] }
    set { outline[keyPath: member] = newValue }
  }
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
