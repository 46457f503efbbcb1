/// An error that reports that code uses a command in a wrong way.
package enum CommandMisuse: Error, Equatable, CustomStringConvertible {
  /// An asynchronous command was called with the synchronous `execute(in:)`.
  case asynchronousCommandExecutedSynchronously(String)
  /// A command was created in code without values for its required parameters.
  case parametersMissing(command: String, names: [String])
  /// A command was created in code with values that its `validate(_:)`, or that of a group, rejects, or its type has a
  /// mistake.
  case valuesRejected([String])
  /// A command type without `init()` was registered without a closure that creates the command.
  case noInitializer(type: String)
  /// A polled command has no function that makes the operations of a launch.
  case noOperations(String)
  /// The `init()` or the closure that creates a command returned commands that share parameters.
  case sharedCommand

  /// The error message: the mistake and its correction.
  package var description: String {
    switch self {
    case .asynchronousCommandExecutedSynchronously(let name):
      "\(name) is asynchronous: call it with await or with a StartupRunner"
    case .parametersMissing(let command, let names):
      "\(command) needs \(names.quotedList): set \(names.count == 1 ? "it" : "them") before the plan is made"
    case .valuesRejected(let messages): messages.listed(atMost: 5, separator: "; ")
    case .noOperations(let name): "\(name) cannot run: it declares no makeOperations"
    case .sharedCommand:
      "its commands share parameters: its init(), or its closure in register(_:make:), must create new ones each time"
    case .noInitializer(let type):
      "there is no init(): add one, or give each stored property @Parameter or a default value; for other values, "
        + "register \(type) with a closure that creates it: registry.register(\(type).self) { \(type)(…) }"
    }
  }
}
