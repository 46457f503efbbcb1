/// A mistake in how a command is used from code.
package enum CommandMisuse: Error, Equatable, CustomStringConvertible {
  /// An asynchronous command was called through the synchronous `execute(in:)`.
  case asynchronousCommandExecutedSynchronously(String)
  /// A command was made in code and its required parameters were left out.
  case parametersMissing(command: String, names: [String])

  /// The mistake and how to correct it.
  package var description: String {
    switch self {
    case .asynchronousCommandExecutedSynchronously(let name):
      "\(name) is asynchronous: call it with await, or let a StartupRunner run it"
    case .parametersMissing(let command, let names):
      "\(command) needs \(names.quotedList): set \(names.count == 1 ? "it" : "them") before the plan is made"
    }
  }
}
