public import AppBoot
import AppBootSystem

/// A command that starts a process with its own directory, environment, user, umask and limits.
package protocol ProcessTraits: OperationCommand {
  var arguments: [String] { get }
  var directory: String? { get }
  var environment: [String: String] { get }
  var user: String? { get }
  var group: String? { get }
  var umask: String? { get }
  var limits: ProcessLimits { get }
  var inheritEnvironment: Bool { get }
  var sockets: Bool { get }
  var stdin: StandardInput { get }
}

/// The standard input of a program.
public enum StandardInput: String, CaseIterable, ParameterValue {
  /// `/dev/null`, which ends at once.
  case null
  /// A pipe without input that ends when AppBoot ends. Some watchers end with their standard input.
  case open
}

extension ProcessTraits {
  /// Throws an error if the program cannot run as the user, in the group or with the limits.
  ///
  /// Does nothing while a placeholder has no value, because the step that provides it has not run.
  package func checkPreconditions(in context: LaunchContext) throws {
    do {
      try settings(in: context)?.check()
    } catch is PlaceholderError {}
  }

  /// Returns the request for a program with these traits, with placeholders replaced, and the directory for messages.
  ///
  /// The directory is relative to the manifest's directory; it is `nil` if the step has none. The values of secret
  /// variables are added to the launch's secrets.
  func request(
    _ arguments: [String], in context: LaunchContext
  ) throws -> (request: ProcessRequest, directory: String?) {
    let fill = { (text: String) in try ProcessText.value(of: text, in: context) }
    let arguments = try arguments.map(fill)
    let directory = try directory.map(fill)
    let environment = try environment.mapValues(fill)
    context.session.environment.learnSecrets(in: environment)
    var request = ProcessRequest(arguments, of: context, adding: environment)
    if let place = directory.map({ FileSystem.join(context.directory, $0) }) {
      request.directory = place == "." ? nil : place
    }
    request.separatesErrors = true
    request.hasEndlessInput = stdin == .open
    if !inheritEnvironment {
      request.inheritsEnvironment = false
      let path = context.environment("PATH").map { ["PATH": $0] } ?? [:]
      request.environment = path.merging(request.environment ?? [:]) { $1 }
    }
    try settings(in: context)?.apply(to: &request)
    return (request, directory)
  }

  /// Returns the settings with placeholders replaced; `nil` if the program runs as this process does.
  private func settings(in context: LaunchContext) throws -> ProcessSettings? {
    var settings = ProcessSettings()
    let fill = { (text: String) in try ProcessText.value(of: text, in: context) }
    settings.user = try user.map(fill)
    settings.group = try group.map(fill)
    (settings.umask, settings.limits, settings.passesSockets) = (umask, limits.values, sockets)
    return settings == ProcessSettings() ? nil : settings
  }
}

extension ParameterValidation {
  private static let zeroByte = "must not contain a zero byte"

  /// Rejects a missing program, invalid variable names, users and umasks, placeholders and zero bytes.
  mutating func check(_ command: some ProcessTraits) {
    checkProgram(command.arguments)
    if let directory = command.directory {
      if directory.isEmpty { reject("must not be empty", at: "directory") }
      if directory.utf8.contains(0) { reject(Self.zeroByte, at: "directory") }
      checkProcess(directory, at: ["directory"])
    }
    for (name, value) in command.environment.sorted(by: { $0.key < $1.key }) {
      if name.isEmpty || name.utf8.contains(UInt8(ascii: "=")) || name.utf8.contains(0) {
        reject(
          "a variable's name must not be empty, nor contain \"=\" or a zero byte", at: "environment",
          .key(name))
      }
      if value.utf8.contains(0) { reject(Self.zeroByte, at: "environment", .key(name)) }
      checkProcess(value, at: ["environment", .key(name)])
    }
    for (name, value) in [("user", command.user), ("group", command.group)] {
      guard let value else { continue }
      if value.isEmpty || value.utf8.contains(0) { reject("give a name or a number", at: .key(name)) }
      checkProcess(value, at: [.key(name)])
    }
    guard let umask = command.umask else { return }
    let digits = umask.count == 4 && umask.hasPrefix("0") ? umask.dropFirst() : umask[...]
    if digits.count != 3 || !digits.allSatisfy("01234567".contains) {
      reject("must be a umask such as \"027\"", at: "umask")
    }
  }

  /// Rejects an empty list of exit codes.
  mutating func check(expect codes: [UInt8]) {
    if codes.isEmpty { reject("list at least one exit code, from 0 to 255", at: "expect") }
  }

  /// Rejects a missing program, invalid placeholders and zero bytes. A system call would end a text at a zero byte.
  ///
  /// - Parameter isUndo: True for arguments that are used after the step, which can insert the step's own output.
  mutating func checkProgram(_ arguments: [String], isUndo: Bool = false) {
    if arguments.first?.isEmpty ?? true {
      reject("name the program to run as the first item", at: "arguments")
    }
    if let name = arguments.first, ["cd", "export", "source", "alias", "unset"].contains(name) {
      let help = name == "cd" ? "use \"directory\"" : "use a shell, [\"sh\", \"-c\", \"…\"]"
      reject("must be a program, not the shell's \(name): \(help)", at: "arguments", .index(0))
    }
    for (index, argument) in arguments.enumerated() where argument.utf8.contains(0) {
      reject(Self.zeroByte, at: "arguments", .index(index))
    }
    checkProcess(arguments, at: "arguments", isUndo: isUndo)
  }
}

extension ProcessSettingsError: MissingPrecondition {}

/// The limits of a process (`setrlimit`, POSIX). A limit that is `nil` is inherited.
public struct ProcessLimits: ParameterGroup {
  /// The maximum number of open files and sockets.
  @Parameter("The most open files and sockets.")
  public var openFiles: ProcessLimit?

  /// The maximum number of processes and threads of the user.
  @Parameter("The most processes and threads of its user.")
  public var processes: ProcessLimit?

  /// The maximum size of a core file in bytes; 0 for no core file.
  @Parameter("The largest core file in bytes; 0 for none.")
  public var core: ProcessLimit?

  /// The number of files with which a program can open its libraries.
  private static let leastOpenFiles: UInt64 = 4

  /// Creates limits that are all inherited.
  public init() {}

  /// Rejects a limit with which a program cannot open its libraries.
  public func validate(_ validation: inout ParameterValidation) {
    guard case .number(let number)? = openFiles, number < Self.leastOpenFiles else { return }
    let reason = "a program starts with three open files, and opens its libraries one at a time"
    validation.reject("must be at least \(Self.leastOpenFiles): \(reason)", at: "openFiles")
  }

  /// The limits that are set. The largest number is no limit.
  var values: [ResourceLimit: UInt64] {
    let limits = [ResourceLimit.openFiles: openFiles, .processes: processes, .core: core]
    return limits.compactMapValues { $0.map { if case .number(let number) = $0 { number } else { .max } } }
  }
}

/// A limit of a process: a number, or no limit.
public enum ProcessLimit: Sendable, Hashable, ExpressibleByIntegerLiteral, CustomStringConvertible {
  /// The limit is a number.
  case number(UInt64)
  /// There is no limit.
  case unlimited

  /// Creates a limit that is a number.
  public init(integerLiteral value: UInt64) { self = .number(value) }

  /// The limit as in a manifest.
  public var description: String {
    switch self {
    case .number(let number): "\(number)"
    case .unlimited: "unlimited"
    }
  }
}

extension ProcessLimit: ParameterValue {
  /// A whole number, or the text "unlimited".
  public static var parameterType: ParameterType<ProcessLimit> {
    let schema = ParameterSchema.anyOf([.integer(minimum: 0, maximum: .max), .enumeration(["unlimited"])])
    return ParameterType(schema, placeholder: .unlimited) { json, _ in
      json.isString("unlimited") ? .unlimited : (try? json.integer()).map { .number($0) }
    }
  }
}

extension ProcessRequest {
  /// Creates a request for a program of a step. The program runs in the manifest's directory, with captured output.
  ///
  /// It gets the variables of the step (``LaunchContext/processVariables``).
  ///
  /// - Parameter variables: Further variables. They replace variables of the step with the same name.
  init(_ arguments: [String], of context: LaunchContext, adding variables: [String: String] = [:]) {
    let directory = context.directory
    self.init(
      arguments, directory: directory == "." ? nil : directory,
      environment: context.processVariables.merging(variables) { $1 }, captureOutput: true)
    removedVariables = context.removedVariables
  }

  /// Creates a request for a helper program of a step, with the directory, the environment, the user and
  /// the limits of the step's program.
  ///
  /// - Parameter program: The request of the step's program; `nil` for a step without one.
  init(_ arguments: [String], of context: LaunchContext, beside program: ProcessRequest?) {
    self.init(arguments, of: context)
    if let program { run(like: program) }
  }
}
