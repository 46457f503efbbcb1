public import AppBoot
import AppBootSystem

/// A command that runs a program to completion. The program's exit code decides whether the step succeeds.
public struct RunProcess: AsyncUndoableCommand {
  /// The command's name in a manifest. A constant is faster than the default, which the runtime derives from the type.
  public static let name = "RunProcess"

  /// The command's help, lane and context values.
  public static let options = CommandOptions(
    abstract: "Runs a program to completion. Its exit code decides whether the step succeeded.",
    discussion: """
      The program receives the arguments without a shell. For pipes, variables and patterns \
      run a shell: ["sh", "-c", "…"]. In arguments, directory and variables {env.NAME}, {step.ID.output} and \
      {launch.id} are replaced; other braces stay. The program's standard input is /dev/null unless "stdin" is \
      "open". It starts in the manifest's directory, and has the environment of this process with the changes \
      in "environment". APPBOOT_STEP, APPBOOT_ATTEMPT and APPBOOT_LAUNCH name the step, the attempt and the \
      launch.

      Each line that it prints is reported, and a log in the state directory keeps its output. A failure shows the \
      last 20 lines.

      With "user" or "group" the program runs as another user or group, which only root can do. "limits" and "umask" \
      set its limits and the permissions of its files. If the machine refuses them, the launch fails before its first \
      step, and the exit code is 4. A program of another user has no terminal unless it is interactive. On Linux it \
      cannot gain privileges: sudo and other set-user-ID programs fail in it. If "inheritEnvironment" is false, the \
      program has only PATH, the variables of environment files and of "environment", and those of the step and the \
      user.

      The program leads its own process group. When the step is stopped (by its timeout, a cancellation or an \
      interrupt), the group receives "stop.signal", and SIGKILL after "stop.grace". If the step fails or is stopped, \
      processes that the program leaves behind receive the same signal, and have the same grace period. After a \
      success they continue to run, and the step does not wait for them. Their output still goes to the log. If the \
      launch fails later, on Linux the tool sends them SIGTERM, and SIGKILL after 2 s.

      An interactive program has the terminal: its standard input, output and error are the terminal, and Control-C \
      and Control-Z go to it alone. Meanwhile nothing else is printed there. It runs on the main lane, so there is one \
      at a time. Without a terminal, or in its background, the step fails, and the exit code is 4.

      "undo" is a program that undoes the step if the launch rolls back. It runs as the program does, but has no \
      terminal, and must exit with 0. Its arguments can also contain the step's own output, {step.ID.output}. When it \
      times out (after the step's timeout, or 10 s), it is stopped as the program is.
      """,
    example: """
      { "command": "RunProcess", "id": "install", "timeout": "5m", "with": {
        "arguments": ["make", "install"],
        "directory": "server",
        "environment": { "PREFIX": "{env.HOME}/.local" }
      } }
      """,
    replacesVariables: false)

  /// The program and its arguments.
  @Parameter(
    "The program and its arguments; may contain placeholders. A program without a slash is looked up in PATH.",
    schema: .nonEmpty(.array(Self.text)))
  public var arguments: [String]

  /// The directory that the program starts in; `nil` for the manifest's directory.
  @Parameter(
    "The directory that the program starts in, relative to the manifest's directory, which is the default.",
    schema: .optional(TextParameter.schema))
  public var directory: String?

  /// The environment variables that are added to the inherited ones, or that replace them.
  @Parameter(
    "Variables to add to the environment or to replace in it.",
    schema: Self.variables)
  public var environment: [String: String] = [:]

  /// The user that the program runs as: a name or a number; `nil` for the user of this process.
  @Parameter(
    "The user that it runs as: a name or a number, with placeholders. HOME, USER and LOGNAME are the user's.",
    schema: .optional(Self.account))
  public var user: String?

  /// The group that the program runs as: a name or a number; `nil` for the user's own group.
  @Parameter(
    "The group that it runs as: a name or a number, with placeholders. Default: the user's own.",
    schema: .optional(Self.account))
  public var group: String?

  /// The permissions that new files do not get, as octal digits, for example "027"; `nil` to inherit them.
  @Parameter(
    "The permissions that its new files do not get, for example \"027\".", schema: .optional(Self.mask))
  public var umask: String?

  /// The program's limits; limits that are `nil` are inherited.
  @Parameter("The program's limits. Others are inherited.")
  public var limits = ProcessLimits()

  /// False if the program does not inherit the environment of this process, except PATH.
  @Parameter("False to inherit no variable except PATH.")
  public var inheritEnvironment = true

  /// True if the program gets the sockets that the service manager (systemd) passed to this process.
  @Parameter("True to pass the sockets on that systemd gave to this process (LISTEN_FDS).")
  public var sockets = false

  /// The program's standard input.
  @Parameter("Its standard input: null is /dev/null; open is a pipe that stays open, as some watchers need.")
  public var stdin = StandardInput.null

  /// The exit codes that count as success.
  @Parameter(
    "The exit codes, 0 to 255, that count as success.",
    schema: .nonEmpty(.array(.integer(minimum: 0, maximum: 255))))
  public var expect: [UInt8] = [0]

  /// True if the program uses the terminal. Its output is then not stored.
  @Parameter("True to give the program the terminal, to read from and to print on. Its output is not stored.")
  public var interactive = false

  /// The signal that stops the program, and the grace period until it is killed; `nil` for TERM and the grace period of
  /// the launch.
  @Parameter("The signal and the grace of a stop. Default: TERM and 2s.")
  public var stop: StopPolicy?

  /// The program that undoes the step if the launch rolls back; `nil` if nothing is undone.
  @Parameter("The program that undoes the step if the launch rolls back.")
  public var undo: UndoProcess?

  /// The schema of a text without zero bytes. A system call would end a text at its first zero byte.
  static var text: ParameterSchema { .pattern(#"^(?![\s\S]*\x00)"#, describedAs: "a string") }

  /// The schema of a user or a group.
  static var account: ParameterSchema {
    .pattern(#"^(?![\s\S]*\x00)[\s\S]"#, describedAs: "a name or a number as a string")
  }

  /// The schema of a umask.
  static var mask: ParameterSchema { .pattern("^0?[0-7]{3}$", describedAs: "a umask such as \"027\"") }

  /// The schema of environment variables, by name.
  static var variables: ParameterSchema {
    .dictionary(text, names: .pattern(#"^[^=\x00]+$"#, describedAs: "a variable's name"))
  }

  /// Creates the command with its defaults.
  public init() {}

  /// Creates a command that runs a program, for a plan in code.
  ///
  /// ```swift
  /// Step("tag", RunProcess("git", ["describe", "--always"]))
  /// ```
  ///
  /// - Parameters:
  ///   - program: The program. A name without a slash is looked up in `PATH`.
  ///   - arguments: The arguments, which may hold placeholders as in a manifest.
  ///   - directory: The directory that the program starts in; `nil` for the working directory.
  ///   - environment: The variables that are added to the inherited ones, or that replace them.
  ///   - expect: The exit codes that count as success.
  ///   - interactive: True if the program uses the terminal.
  ///   - undo: The program with its arguments that undoes the step; empty if nothing is undone.
  public init(
    _ program: String, _ arguments: [String] = [], directory: String? = nil,
    environment: [String: String] = [:], expect: [UInt8] = [0], interactive: Bool = false,
    undo: [String] = []
  ) {
    self.init()
    self.arguments = [program] + arguments
    (self.directory, self.environment) = (directory, environment)
    (self.expect, self.interactive) = (expect, interactive)
    self.undo = undo.isEmpty ? nil : UndoProcess(undo)
  }

  /// Rejects empty lists of arguments or exit codes, invalid variable names, and texts with zero bytes.
  public func validate(_ validation: inout ParameterValidation) {
    validation.check(self)
    validation.check(expect: expect)
    if stop?.command != nil {
      validation.reject(
        "only a service has a program that stops it: use \"signal\"", at: "stop", .key("command"))
    }
  }

  /// Runs the program.
  ///
  /// - Throws: `RunProcessError`; `CancellationError` if the step was cancelled.
  public func execute(in context: LaunchContext) async throws {
    try await OperationLoop.run(try start(in: context), grace: grace)
  }

  /// True if the command has a program that undoes it.
  public var hasUndo: Bool { undo != nil }

  /// Runs the program that undoes the command.
  ///
  /// - Throws: `RunProcessError`; `CancellationError` if the undo was cancelled.
  public func undo(in context: LaunchContext) async throws {
    try await OperationLoop.run(try startUndo(in: context), grace: grace)
  }
}

/// The program that undoes the success of a ``RunProcess``.
public struct UndoProcess: ParameterGroup {
  /// The program and its arguments.
  @Parameter(
    "The program and its arguments; may contain placeholders, also for the output of the step itself.",
    schema: .nonEmpty(.array(RunProcess.text)))
  public var arguments: [String]

  /// Creates the group without a program.
  public init() {}

  /// Creates a program with its arguments.
  public init(_ arguments: [String]) { self.arguments = arguments }

  /// Rejects a missing program, and texts with zero bytes.
  public func validate(_ validation: inout ParameterValidation) {
    validation.checkProgram(arguments, isUndo: true)
  }
}

extension RunProcess: OutputProviding, StoppableCommand {}

extension RunProcess: ProcessTraits {
  package static var startUnlessCheck: UnlessCheckStart? { ProgramCheck.start }

  package var needsMainLane: Bool { interactive }

  package var grace: Int64? { stop?.grace?.nanoseconds }

  package func start(in context: LaunchContext) throws -> any PolledOperation {
    // It ends with its last user, also if the program cannot start.
    let terminal = interactive ? try TerminalLoan() : nil
    return try run(arguments, expecting: expect.map { Int($0) }, on: terminal, in: context) {
      context.note("exit \($0)")
    }
  }

  package func startUndo(in context: LaunchContext) throws -> any PolledOperation {
    try run(undo?.arguments ?? [], expecting: [0], on: nil, in: context) { _ in }
  }

  /// Starts a program with the settings of the command.
  ///
  /// - Parameter succeeded: A function that receives the exit code of a success.
  private func run(
    _ arguments: [String], expecting expected: [Int], on terminal: TerminalLoan?, in context: LaunchContext,
    succeeded: @escaping @Sendable (_ code: Int32) -> Void
  ) throws -> any PolledOperation {
    var (request, directory) = try self.request(arguments, in: context)
    guard let program = request.arguments.first else { throw RunProcessError.noProgram }
    if let terminal { request.use(terminal) }
    do {
      return try ProcessOperation(
        request, terminal: terminal,
        stop: (stop?.number ?? Signals.terminate, grace ?? LaunchRunner.Configuration.defaultGrace),
        context: context
      ) { end, output in
        if case .exited(let code) = end, expected.contains(Int(code)) {
          succeeded(code)
          return .success(())
        }
        let text = terminal == nil ? output.text : nil
        return .failure(
          RunProcessError.ended(program: program, end, expected: expected, output: text))
      }
    } catch {
      throw RunProcessError.notStarted(error, arguments: request.arguments, directory: directory)
    }
  }
}
