/// A program to start, with its arguments, directory, environment and input.
package struct ProcessRequest: Equatable, Sendable {
  /// The program and its arguments. A name without a slash is looked up in `PATH`.
  package var arguments: [String]
  /// The directory to start in; nil means this process's directory. A relative program path is resolved here.
  package var directory: String?
  /// Variables to add or replace; nil passes the environment unchanged, without a copy.
  package var environment: [String: String]?
  /// True if pipes capture standard output and error. If not, the program inherits both.
  package var captureOutput: Bool
  /// True if a captured standard error has a pipe of its own; otherwise both share one, in the order of writing.
  package var separatesErrors: Bool
  /// The bytes for standard input; nil means `/dev/null`.
  package var standardInput: [UInt8]?
  /// Descriptors that become 0, 1 and 2 of the program; the others of the three are `/dev/null`.
  ///
  /// If it is nil, the rules above apply. Otherwise nothing is captured, and `standardInput` is unused.
  package var passing: [Int32]?

  /// Makes the terminal standard input, output and error of the program. Nothing is captured.
  package mutating func use(_ terminal: TerminalLoan) {
    passing = [terminal.descriptor, terminal.descriptor, terminal.descriptor]
  }

  package init(
    _ arguments: [String], directory: String? = nil, environment: [String: String]? = nil,
    captureOutput: Bool = false, separatesErrors: Bool = false, standardInput: [UInt8]? = nil
  ) {
    self.arguments = arguments
    self.directory = directory
    self.environment = environment
    self.captureOutput = captureOutput
    self.separatesErrors = separatesErrors
    self.standardInput = standardInput
  }

  /// Creates a request for a program that gets these descriptors, at most three, as its descriptors 0, 1 and 2.
  package init(_ arguments: [String], passing descriptors: [Int32]) {
    self.init(arguments)
    passing = descriptors
  }
}

/// A captured stream of a process; standard error without a pipe of its own is a part of `output`.
package enum CapturedStream: Sendable, CaseIterable {
  case output, errors
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
