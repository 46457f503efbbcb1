import AppBoot

/// The ways in which the tool ends. Each has an exit ``code``.
enum ToolExit: Sendable, Hashable {
  /// The subcommand succeeded.
  case succeeded
  /// A command of the launch failed.
  case commandFailed
  /// The arguments are wrong.
  case usage
  /// The manifest or a record is invalid.
  case invalidManifest
  /// A file, a program or a permission is missing, or a command reported a missing precondition.
  case preconditionMissing
  /// A check found an exceeded budget or a slowdown.
  case overBudget
  /// The launch timed out.
  case deadlinePassed
  /// The tool ends by a signal. The value is its number.
  case signalled(Int32)
  /// An app's own subcommand ended. The value is its exit code.
  case own(Int32)

  /// The exit code in help: that of a signal is `128+n`.
  var label: String {
    if case .signalled = self { return "128+n" }
    return String(code)
  }

  /// The exit code. For a signal it is 128 plus the signal's number, as in shells.
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
    case .own(let code): code
    }
  }
}

extension ToolExit {
  /// Creates the exit for the outcome of a launch. Use it only if no signal stopped the launch.
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
