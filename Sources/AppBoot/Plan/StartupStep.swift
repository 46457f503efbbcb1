/// A step of a plan: a command and its outline.
///
/// The properties of the outline can also be read and set here, for example `step.onFailure = .continue`.
@dynamicMemberLookup
package struct StartupStep: Sendable {
  /// The command of the step.
  package let command: any Command
  /// The step as data.
  package var outline: StepOutline

  /// Creates a step of a command. If `id` is `nil`, the step's id is the command's name.
  package init(_ command: any Command, id: String? = nil) {
    let type = Swift.type(of: command)
    let execution = type._execution
    let lane = command.closure?.lane ?? execution.lane(of: command, in: type.lane)
    self.command = command
    outline = StepOutline(id: id ?? type.name, commandName: type.name, lane: lane)
    outline.kind = execution.kind
  }

  /// A property of the outline.
  package subscript<Value>(dynamicMember member: KeyPath<StepOutline, Value>) -> Value {
    outline[keyPath: member]
  }

  /// A property of the outline. It can be set.
  package subscript<Value>(dynamicMember member: WritableKeyPath<StepOutline, Value>) -> Value {
    get { outline[keyPath: member] }
    set { outline[keyPath: member] = newValue }
  }
}
