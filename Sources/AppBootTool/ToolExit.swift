/// How the tool ends; the code is what the shell sees.
enum ToolExit: Sendable, Hashable {
  /// It did what it was asked to.
  case succeeded
  /// A command of the launch failed.
  case commandFailed
  /// The tool was called in a way it does not know.
  case usage
  /// The manifest is invalid.
  case invalidManifest
  /// A file, a program or a permission is missing.
  case preconditionMissing
  /// The launch took longer than its budgets allow.
  case overBudget
  /// The launch's time limit passed.
  case deadlinePassed
  /// A signal ended it.
  case signalled(Int32)

  /// The exit code; of a signal, what a shell shows for it.
  var code: Int32 {
    switch self {
    case .succeeded: 0
    case .commandFailed: 1
    case .usage: 2
    case .invalidManifest: 3
    case .preconditionMissing: 4
    case .overBudget: 5
    case .deadlinePassed: 124
    case .signalled(let signal): 128 + signal
    }
  }
}
