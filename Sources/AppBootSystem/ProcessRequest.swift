/// A program to start, with its arguments, directory, environment and input.
package struct ProcessRequest: Equatable, Sendable {
  /// The program and its arguments. A name without a slash is looked up in `PATH`.
  package var arguments: [String]
  /// The directory to start in; nil means this process's directory. A relative program path is resolved here.
  package var directory: String?
  /// Variables to add or replace; nil passes the environment unchanged, without a copy.
  package var environment: [String: String]?
  /// A Boolean that selects one pipe for standard output and error. If false, the program inherits both.
  package var captureOutput: Bool
  /// The bytes for standard input; nil means `/dev/null`.
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

/// The end of a process.
package enum ProcessEnd: Equatable, Sendable {
  /// The process exited with a code from 0 to 255; -1 if other code in this process has already reaped it.
  case exited(Int32)
  /// A signal killed the process.
  case signalled(Int32)
}

/// A failure to start a process.
package enum SpawnError: Error, Equatable, Sendable {
  /// The program does not exist; `searched` has the directories of `PATH`, and is empty for a name with a slash.
  case programNotFound(String, searched: [String])
  /// The file exists but cannot be executed: no permission, or not a program.
  case notExecutable(String)
  /// The file is a script whose `#!` line names an interpreter that does not exist.
  case interpreterNotFound(script: String)
  /// The directory to start in cannot be entered.
  case badDirectory(String, SystemError)
  /// Any other error of the system.
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
