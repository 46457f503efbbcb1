import AppBoot

/// The ways the tool ends; a shell sees the ``code``.
enum ToolExit: Sendable, Hashable {
  /// The tool did its work.
  case succeeded
  /// A command of the launch failed.
  case commandFailed
  /// The arguments are wrong.
  case usage
  /// The manifest is invalid.
  case invalidManifest
  /// A file, a program or a permission is missing, or a command found a precondition missing.
  case preconditionMissing
  /// The launch exceeded a budget.
  case overBudget
  /// The launch timed out.
  case deadlinePassed
  /// A signal killed the tool.
  case signalled(Int32)

  /// The exit code; for a signal, the number that shells show.
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

extension ToolExit {
  /// Creates the exit for a launch's outcome. The caller makes sure that no signal stopped the launch.
  init(_ record: StartupRecord) {
    switch record.outcome {
    case .succeeded: self = .succeeded
    case .failed(let step) where record[step].state.failure?.isMissingPrecondition == true:
      self = .preconditionMissing
    case .failed, .cancelled, .running: self = .commandFailed
    case .timedOut: self = .deadlinePassed
    }
  }
}
