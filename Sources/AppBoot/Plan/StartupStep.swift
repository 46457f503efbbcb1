/// A step of a plan: a command and its outline.
///
/// The properties of the outline can also be read and set here, for example `step.onFailure = .continue`.
@dynamicMemberLookup
public struct StartupStep: Sendable {
  /// The command of the step.
  public let command: any Command
  /// The step as data.
  public var outline: StepOutline

  /// Creates a step of a command. If `id` is `nil`, the step's id is the command's name.
  package init(_ command: any Command, id: String? = nil) {
    let type = Swift.type(of: command)
    let execution = type.execution
    let lane = command.closure?.lane ?? execution.lane(of: command, in: type.lane)
    self.command = command
    outline = StepOutline(id: id ?? type.name, commandName: type.name, lane: lane)
    outline.kind = execution.kind
  }

  init(_ command: any Command, _ outline: StepOutline) { (self.command, self.outline) = (command, outline) }

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
