import AppBootLibC

/// A request to start a program, with its arguments, directory, environment and input.
package struct ProcessRequest: Equatable, Sendable {
  /// The program and its arguments. A name without a slash is looked up in `PATH`.
  package var arguments: [String]
  /// The directory to start in; `nil` for this process's directory. A relative path of the program is relative to it.
  package var directory: String?
  /// The variables to add or replace; `nil` to pass the environment unchanged, without a copy.
  package var environment: [String: String]?
  /// The variables that the program does not inherit, unless ``environment`` has them.
  package var removedVariables: Set<String> = []
  /// True to capture standard output and standard error with pipes. If it is false, the program inherits both.
  package var captureOutput: Bool
  /// True to capture standard error with a separate pipe. Otherwise both streams share one, in the order of writing.
  package var separatesErrors: Bool
  /// The bytes for standard input; `nil` for `/dev/null`.
  package var standardInput: [UInt8]?
  /// True if standard input is a pipe that has no bytes and ends only with this process.
  package var hasEndlessInput = false
  /// The descriptors that become 0, 1 and 2 of the program; `nil` to use the rules of the other properties.
  ///
  /// If there are fewer than three, the others are `/dev/null`. Nothing is captured, and `standardInput` is not used.
  package var passing: [Int32]?
  /// False to start the program without the variables of this process.
  package var inheritsEnvironment = true
  /// True for a program that AppBoot itself needs, for example `curl`. It is looked up in
  /// ``ProgramSearch/helperPath(of:)``, which is also its `PATH`.
  package var isHelper = false
  /// The changes that the process makes to itself before its program starts; `nil` for none.
  var setup: ProcessSetup?
  /// The user that the program runs as; `nil` for that of this process.
  package var owner: UserIdentity? { setup?.owner }

  /// True to bring the program's group to the foreground of the terminal that it gets in ``passing``, before it runs.
  var startsInForeground = false

  /// Makes the terminal standard input, output and error of the program. Nothing is captured then.
  ///
  /// The program starts in the terminal's foreground if the system supports that (``Terminal/startsInForeground``).
  package mutating func use(_ terminal: TerminalLoan) {
    passing = [terminal.descriptor, terminal.descriptor, terminal.descriptor]
    startsInForeground = true
  }

  /// Takes over the directory, the environment, the user and the limits of another request.
  package mutating func run(like other: ProcessRequest) {
    (directory, environment) = (other.directory, other.environment)
    (inheritsEnvironment, setup) = (other.inheritsEnvironment, other.setup)
    removedVariables = other.removedVariables
    setup?.socketCount = 0
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

  /// Creates a request for a program that gets descriptors as its descriptors 0, 1 and 2.
  ///
  /// - Parameter descriptors: The descriptors, at most three.
  package init(_ arguments: [String], passing descriptors: [Int32]) {
    self.init(arguments)
    passing = descriptors
  }
}

/// A captured stream of a process. Without a separate pipe, standard error is a part of `output`.
package enum CapturedStream: Sendable, CaseIterable {
  case output, errors
}

/// A value for each captured stream.
package struct PerStream<Value: Sendable>: Sendable {
  private var output: Value
  private var errors: Value

  /// Creates the same value for each stream.
  package init(_ value: Value) { (output, errors) = (value, value) }

  package subscript(stream: CapturedStream) -> Value {
    get { stream == .output ? output : errors }
    set { if stream == .output { output = newValue } else { errors = newValue } }
  }
}

/// The end of a process: its exit code or its signal.
package enum ProcessEnd: Equatable, Sendable {
  /// The process exited with a code from 0 to 255. The code is -1 if other code in this process has already reaped it.
  case exited(Int32)
  /// The process was killed by a signal.
  case signalled(Int32)
}

extension ProcessEnd {
  /// The end of the process for messages, for example `exited with code 3` or `was killed by SIGKILL`.
  package var words: String {
    switch self {
    case .exited(let code): "exited with code \(code)"
    case .signalled(let signal): "was killed by \(Signals.name(signal))"
    }
  }
}

/// An error that prevents a process from being started.
package enum SpawnError: Error, Equatable, Sendable {
  /// The program does not exist. `searched` are the directories of `PATH`; it is empty for a name with a slash.
  case programNotFound(String, searched: [String])
  /// The file exists but cannot be executed: this user has no permission, or the file is not a program.
  case notExecutable(String)
  /// The interpreter of the file does not exist: a script names it in its first line (`#!`), a program in its header.
  case interpreterNotFound(String)
  /// The first line (`#!`) of a script ends with CR LF, so the name of its interpreter ends with CR.
  case carriageReturn(String)
  /// The program cannot start in the directory. The error is the system's.
  case badDirectory(String, SystemError)
  /// The program was started, and killed again, because its end cannot be watched.
  case unwatchable(SystemError)
  /// Any other error of the system.
  case other(SystemError)
}

extension SpawnError: ShortageError {
  package var isShortage: Bool {
    if case .other(let error) = self { error.isShortage } else { false }
  }
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
    case .carriageReturn(let path):
      return "the first line (#!) of \"\(path)\" ends with CR LF"
    case .interpreterNotFound(let path):
      return "the interpreter of \"\(path)\" does not exist"
    case .badDirectory(let path, let error):
      return "cannot start in \"\(path)\": \(error.reason)"
    case .unwatchable(let error), .other(let error):
      return error.description
    }
  }
}

#if canImport(Glibc)
/// The function posix_spawn_file_actions_addtcsetpgrp_np; `nil` before glibc 2.35.
let linuxAddForeground: (@convention(c) (UnsafeMutableRawPointer, Int32) -> Int32)? = {
  guard let address = dlsym(nil, "posix_spawn_file_actions_addtcsetpgrp_np") else { return nil }
  return unsafeBitCast(address, to: (@convention(c) (UnsafeMutableRawPointer, Int32) -> Int32).self)
}()
#endif
