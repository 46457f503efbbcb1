public import AppBoot
import AppBootLifecycle
import AppBootRecords
import AppBootSystem

/// A command that starts a process which is expected to keep running. The step succeeds when the process is ready.
public struct RunService: AsyncUndoableCommand {
  /// The command's name in a manifest. A constant is faster than the default, which the runtime derives from the type.
  public static let name = "RunService"

  /// The command's help, lane and context values.
  public static let options = CommandOptions(
    abstract: "Starts a process that is expected to stay, and succeeds when it is ready.",
    discussion: """
      The step succeeds when "ready" holds, and fails if the process ends before. Without "ready" it succeeds as soon \
      as the process has started. The entry's "timeout" is the time until ready, and its "retry" is for starts that \
      fail. "restart" and "onExit" are for a process that ends later. With "live", a service that does not answer \
      later is unhealthy, and is restarted if "restart.when" is onFailure or always.

      With a service in its plan, `appboot run` stays after the launch and shows the services' output. At TERM or INT \
      it stops them: a service after those that come after it, independent ones at the same time. A service receives \
      "stop.signal", and SIGKILL after "stop.grace". A launch that rolls back stops a service in its turn: after the \
      undo of the steps after it, and before that of the steps before it.

      A port of "tcp" or "http" that another process holds is a failure, which names the process. If that process \
      cannot be found, or for "unix", the result has a warning: the probe may have seen another process. The service \
      is then ready only if it still runs one second after the probe's answer.

      The program is started as by RunProcess, also with "user", "group", "umask" and "limits". The step does not \
      count towards `--jobs`: any number of services can start at once.
      """,
    example: """
      { "command": "RunService", "id": "web", "timeout": "10s", "with": {
        "arguments": ["python3", "-m", "http.server", "8080"],
        "ready": "http://127.0.0.1:8080/",
        "restart": "onFailure"
      } }
      """,
    replacesVariables: false)

  /// The program and its arguments.
  @Parameter(
    "The program and its arguments, with placeholders as in RunProcess. A name without a slash is found in PATH.",
    schema: .nonEmpty(.array(RunProcess.text)))
  public var arguments: [String]

  /// The directory that the program starts in; `nil` for the manifest's directory.
  @Parameter(
    "The directory that the program starts in, relative to the manifest's directory, which is the default.",
    schema: .optional(TextParameter.schema))
  public var directory: String?

  /// The environment variables that are added to the inherited ones, or that replace them.
  @Parameter("Variables to add to the environment or to replace in it.", schema: RunProcess.variables)
  public var environment: [String: String] = [:]

  /// The user that the program runs as: a name or a number; `nil` for the user of this process.
  @Parameter(
    "The user that it runs as: a name or a number, with placeholders. HOME, USER and LOGNAME are the user's.",
    schema: .optional(RunProcess.account))
  public var user: String?

  /// The group that the program runs as: a name or a number; `nil` for the user's own group.
  @Parameter(
    "The group that it runs as: a name or a number, with placeholders. Default: the user's own.",
    schema: .optional(RunProcess.account))
  public var group: String?

  /// The permissions that new files do not get, as octal digits, for example "027"; `nil` to inherit them.
  @Parameter(
    "The permissions that its new files do not get, for example \"027\".", schema: .optional(RunProcess.mask))
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

  /// The TCP port of the service; `nil` if AppBoot does not choose it.
  @Parameter(
    "Its TCP port, which is reserved before the start: a number, or { \"from\": 8080 } for the next free one. The "
      + "program gets it as PORT; {port} inserts it into the other parameters, {service.ID.port} into later entries."
  )
  public var port: ServicePort?

  /// Further TCP ports by name.
  @Parameter(
    "Further ports by name, as in \"port\". The program gets \"http\" as PORT_HTTP; {port.http} inserts it.")
  public var ports: [String: ServicePort] = [:]

  /// The condition under which the service is ready; `nil` if it is ready as soon as it has started.
  @Parameter("The condition under which the service is ready: exactly one of its keys.")
  public var ready: ReadinessProbe?

  /// The check that continues after the service was ready; `nil` for none.
  @Parameter("A check that goes on after the service was ready: exactly one condition, and its times.")
  public var live: LivenessProbe?

  /// The rules for restarting a process that ended after it was ready; `nil` for no restart.
  @Parameter("The restart of a process that ended after it was ready. Default: it is not restarted.")
  public var restart: RestartPolicy?

  /// The files after whose change the service restarts while `appboot run` stays; `nil` for none.
  @Parameter(
    "The files after whose change it restarts while the app stays: a list of patterns, or an object with more."
  )
  public var watch: WatchPolicy?

  /// The signal that stops the service, and the grace period until it is killed.
  @Parameter("The signal and the grace of a stop.")
  public var stop = StopPolicy()

  /// The exit codes that count as success.
  @Parameter(
    "The exit codes, 0 to 255, that count as success when it ends.",
    schema: .nonEmpty(.array(.integer(minimum: 0, maximum: 255))))
  public var expect: [UInt8] = [0]

  /// The effect on the other services if this one ends after it was ready and is not restarted.
  @Parameter(
    "The effect of its end without a restart: fail or finish stops all services (exit code 1 or 0); ignore does not."
  )
  public var onExit = ServiceExitRule.fail

  /// Creates the command with its defaults.
  public init() {}

  /// Creates a service for a plan in code.
  ///
  /// ```swift
  /// Step("web", RunService("python3", ["-m", "http.server"], ready: .tcp("127.0.0.1:8000")))
  /// ```
  ///
  /// - Parameters:
  ///   - program: The program. A name without a slash is looked up in `PATH`.
  ///   - arguments: The arguments, which may hold placeholders as in a manifest.
  ///   - directory: The directory that the program starts in; `nil` for the working directory.
  ///   - environment: The variables that are added to the inherited ones, or that replace them.
  ///   - ready: The condition under which the service is ready; `nil` if it is ready as soon as it has started.
  ///   - live: The check that continues after the service was ready; `nil` for none.
  ///   - restart: The rules for restarting a process that ended after it was ready; `nil` for no restart.
  ///   - stop: The signal that stops the service, and the grace period until it is killed.
  ///   - expect: The exit codes that count as success.
  ///   - onExit: The effect on the other services if this one ends after it was ready and is not restarted.
  public init(
    _ program: String, _ arguments: [String] = [], directory: String? = nil,
    environment: [String: String] = [:], ready: ReadinessProbe? = nil, live: LivenessProbe? = nil,
    restart: RestartPolicy? = nil, stop: StopPolicy = StopPolicy(), expect: [UInt8] = [0],
    onExit: ServiceExitRule = .fail
  ) {
    self.init()
    self.arguments = [program] + arguments
    (self.directory, self.environment) = (directory, environment)
    (self.ready, self.live) = (ready, live)
    (self.restart, self.stop, self.expect, self.onExit) = (restart, stop, expect, onExit)
  }

  /// Rejects empty lists of arguments or exit codes, invalid variable names, and texts with zero bytes.
  public func validate(_ validation: inout ParameterValidation) {
    validation.check(self)
    validation.check(expect: expect)
    let texts = [
      ("arguments", arguments), ("environment", Array(environment.values)), ("directory", [directory ?? ""]),
      ("ready", ready?.texts ?? []), ("live", live?.texts ?? []), ("stop", stop.command ?? []),
    ]
    validation.checkPorts(
      allPorts, environment: environment, in: texts.flatMap { place, texts in texts.map { ($0, place) } })
  }

  package var reservedPorts: [String: ClosedRange<UInt16>] { allPorts.mapValues(\.range) }

  /// All ports by name. The one of ``port`` has no name.
  private var allPorts: [String: ServicePort] {
    port.map { ports.merging(["": $0]) { $1 } } ?? ports
  }

  /// Starts the service and waits until it is ready.
  ///
  /// - Throws: An error if the service cannot start, or ends before it is ready; `CancellationError` if the step was
  ///   cancelled.
  public func execute(in context: LaunchContext) async throws {
    try await OperationLoop.run(try start(in: context))
  }

  /// Stops the service, as at the end of the app.
  public func undo(in context: LaunchContext) async throws { try await ServiceSupervisor.undo(in: context) }
}

extension RunService: ProcessTraits, ServiceMaker, StoppableCommand {
  package static var onlyWaits: Bool { true }

  private static let stdinAdvice =
    "; if it exits when its standard input ends, as some watchers do, set \"stdin\" to \"open\""

  package var grace: Int64? { stop.serviceGrace.nanoseconds }

  package var stepLimits: [StepLimit] {
    [StepLimit("stop.signal", .word(stop.signal))] + (live?.limits ?? [])
      + StepLimit.ofService(grace: stop.serviceGrace, onExit: onExit, restart: restart)
  }

  package var secretVariables: [String] {
    (ready?.http?.secretVariables ?? []) + (live?.http?.secretVariables ?? [])
  }

  package func start(in context: LaunchContext) throws -> any PolledOperation {
    guard let supervisor = context.services as? ServiceSupervisor else { throw ServiceError.noHost }
    do {
      return try ServiceStart.start(service(in: context, with: supervisor), with: supervisor)
    } catch let error as SpawnError {
      let (command, _) = try withPorts(in: context, with: supervisor)
      let (request, directory) = try command.request(command.arguments, in: context)
      throw RunProcessError.notStarted(error, arguments: request.arguments, directory: directory)
    }
  }

  package var exitEffect: ServiceExitPolicy { onExit.failure }

  /// Returns the command with the ports of the service in its texts and its environment.
  private func withPorts(
    in context: LaunchContext, with supervisor: ServiceSupervisor
  ) throws -> (command: RunService, ports: PortNumbers) {
    let ports = try supervisor.ports.reserve(allPorts, of: context.stepID)
    var command = self
    command.arguments = arguments.map(ports.filled)
    command.directory = directory.map(ports.filled)
    command.environment = environment.mapValues(ports.filled).merging(ports.variables) { $1 }
    (command.ready, command.live) = (ready?.filled(with: ports), live?.filled(with: ports))
    command.stop.command = stop.command?.map(ports.filled)
    return (command, ports)
  }

  package func service(in context: LaunchContext, with supervisor: ServiceSupervisor) throws -> Service {
    let (command, ports) = try withPorts(in: context, with: supervisor)
    return try command.service(on: ports, in: context)
  }

  /// Returns the service with the ports that are in the command's texts.
  private func service(on ports: PortNumbers, in context: LaunchContext) throws -> Service {
    let (request, _) = try self.request(arguments, in: context)
    var start = ServiceProcess.Start(request: request, context: context, signal: stop.number)
    start.stop = try stop.command.map { command in
      let arguments = try command.map { try ProcessText.value(of: $0, in: context) }
      return ProcessRequest(arguments, of: context, beside: request)
    }
    start.probe = { [ready] in try ready?.start(in: context, beside: request) }
    start.live = { [live] in try live?.start(in: context, beside: request) }
    start.served = { [ready] in try ready?.condition?.servedAddress(in: context) }
    let attempts = Lock(context.attempt)
    return Service(
      id: context.stepID, restart: restart ?? RestartPolicy(), grace: stop.serviceGrace,
      stopSignal: stop.number, expect: expect, onExit: onExit, startLimit: context.timeout,
      adviceAfterSuccess: stdin == .open ? "" : Self.stdinAdvice, context: context, attempts: attempts,
      ports: ports
    ) { [start] in
      var start = start
      start.request.environment?["APPBOOT_ATTEMPT"] = attempts.withLock { attempt in
        defer { attempt += 1 }
        return String(attempt)
      }
      return try ServiceProcess(start)
    }
  }
}
