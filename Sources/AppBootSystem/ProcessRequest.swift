/// A program to start, and with what.
package struct ProcessRequest: Equatable, Sendable {
  /// The program and its arguments. A program without a slash is looked up in `PATH`.
  package var arguments: [String]
  /// Where the program starts; nil is this process's directory. A relative program path starts here too.
  package var directory: String?
  /// Variables to add or replace; nil hands over the environment as it is, without a copy.
  package var environment: [String: String]?
  /// Whether standard output and error come back through one pipe; otherwise they are this process's.
  package var captureOutput: Bool
  /// What the program reads; nil is `/dev/null`.
  package var standardInput: [UInt8]?

  package init(
    _ arguments: [String], directory: String? = nil, environment: [String: String]? = nil,
    captureOutput: Bool = false, standardInput: [UInt8]? = nil
  ) {
    self.arguments = arguments
    self.directory = directory
    self.environment = environment
    self.captureOutput = captureOutput
    self.standardInput = standardInput
  }
}

/// How a process ended.
package enum ProcessEnd: Equatable, Sendable {
  /// By itself, with an exit code from 0 to 255; -1 where someone else collected the code.
  case exited(Int32)
  /// By a signal.
  case signalled(Int32)
}

/// Why a process could not be started.
package enum SpawnError: Error, Equatable, Sendable {
  /// No such program; `searched` are the directories of `PATH`, or empty for a program with a slash.
  case programNotFound(String, searched: [String])
  /// The file is there and cannot be executed: no permission, or not a program.
  case notExecutable(String)
  /// The file is a script whose `#!` line names an interpreter that does not exist.
  case interpreterNotFound(script: String)
  /// The directory to start in cannot be entered.
  case badDirectory(String, SystemError)
  /// Anything else the system refused.
  case other(SystemError)
}

extension SpawnError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .programNotFound(let name, let searched) where searched.isEmpty:
      return "there is no program \"\(name)\""
    case .programNotFound(let name, let searched):
      return "there is no program \"\(name)\" in PATH (\(searched.joined(separator: ":")))"
    case .notExecutable(let path):
      return "\"\(path)\" cannot be executed"
    case .interpreterNotFound(let script):
      return "the interpreter that the first line of \"\(script)\" names does not exist"
    case .badDirectory(let path, let error):
      return "cannot start in \"\(path)\": \(error.reason)"
    case .other(let error):
      return error.description
    }
  }
}
