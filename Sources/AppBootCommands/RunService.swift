public import AppBoot
import AppBootLifecycle
import AppBootRecords
import AppBootSystem

/// A command that starts a process which is expected to keep running. The step succeeds when the process is ready.
public struct RunService: AsyncUndoableCommand {
  /// The command's name in a manifest. A constant is faster than the default, which the runtime derives from the type.
  public static let name = "RunService"

  /// The command's one-line description, for the catalogue and help.
  public static let abstract = "Starts a process that is expected to stay, and succeeds when it is ready."

  /// The command's rules and effects, for the catalogue and help.
  public static let discussion = """
    The step succeeds when "ready" holds, and fails if the process ends before. Without "ready" it succeeds as soon as \
    the process has started. The entry's "timeout" is the time until ready, and its "retry" is for starts that fail. \
    "restart" and "onExit" are for a process that ends later. With "live", a service that does not answer later is \
    unhealthy, and is restarted if "restart.when" is onFailure or always.

    With a service in its plan, `appboot run` stays after the launch and shows the services' output. At TERM or INT it \
    stops them: a service after those that come after it, independent ones at the same time. A service receives \
    "stop.signal", and SIGKILL after "stop.grace". A launch that rolls back stops a service in its turn: after the \
    undo of the steps after it, and before that of the steps before it.

    A port of "tcp" or "http" that another process holds is a failure, which names the process. If that process cannot \
    be found, or for "unix", the result has a warning: the probe may have seen another process. The service is then \
    ready only if it still runs one second after the probe's answer.

    The program is started as by RunProcess, also with "user", "group", "umask" and "limits". The step takes no slot: \
    any number of services can start at once.
    """

  /// An entry that shows the command, for the catalogue and help.
  public static let example = """
    { "command": "RunService", "id": "web", "timeout": "10s", "with": {
      "arguments": ["python3", "-m", "http.server", "8080"],
      "ready": "http://127.0.0.1:8080/",
      "restart": "onFailure"
    } }
    """

  /// False: the texts of a process have their own placeholders.
  public static let replacesVariables = false

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

  /// The condition under which the service is ready; `nil` if it is ready as soon as it has started.
  @Parameter("The condition under which the service is ready: exactly one of its keys.")
  public var ready: ReadinessProbe?

  /// The check that continues after the service was ready; `nil` for none.
  @Parameter("A check that goes on after the service was ready: exactly one condition, and its times.")
  public var live: LivenessProbe?

  /// The rules for restarting a process that ended after it was ready; `nil` for no restart.
  @Parameter("The restart of a process that ended after it was ready. Default: it is not restarted.")
  public var restart: RestartPolicy?

  /// The signal that stops the service, and the grace period until it is killed.
  @Parameter("The signal and the grace of a stop.")
  public var stop = StopPolicy()

  /// The effect on the other services if this one ends after it was ready and is not restarted.
  @Parameter(
    "The effect of its end without a restart: fail stops all services and exits with 1, finish with 0; ignore."
  )
  public var onExit = ServiceExitPolicy.fail

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
  ///   - onExit: The effect on the other services if this one ends after it was ready and is not restarted.
  public init(
    _ program: String, _ arguments: [String] = [], directory: String? = nil,
    environment: [String: String] = [:], ready: ReadinessProbe? = nil, live: LivenessProbe? = nil,
    restart: RestartPolicy? = nil, stop: StopPolicy = StopPolicy(), onExit: ServiceExitPolicy = .fail
  ) {
    self.init()
    self.arguments = [program] + arguments
    (self.directory, self.environment) = (directory, environment)
    (self.ready, self.live) = (ready, live)
    (self.restart, self.stop, self.onExit) = (restart, stop, onExit)
  }

  /// Rejects a missing program, invalid variable names, and texts with zero bytes.
  public func validate(_ validation: inout ParameterValidation) {
    validation.check(self)
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

/// The rules for restarting a service that ended after it was ready.
public struct RestartPolicy: ParameterGroup {
  /// The kinds of end after which a service is restarted.
  public enum Condition: String, CaseIterable, ParameterValue {
    /// No restart.
    case never
    /// A restart after an exit code other than 0, after a signal, and after an error of a service in Swift.
    case onFailure
    /// A restart after every end.
    case always
  }

  private static let allowed = 1...1_000_000

  /// The ends after which the service is restarted; `nil` for none.
  @Parameter("When it is restarted: onFailure (an exit code other than 0, or a signal), always or never.")
  public var when: Condition?

  /// The ids of services before this one. After a restart of one of them, this service is restarted too.
  @Parameter(
    "The ids of services before it: when one of them was restarted and is ready again, this one is restarted.",
    schema: .optional(.nonEmpty(.array(.string))))
  public var with: [String]?

  /// The maximum number of restarts in a row.
  @Parameter(
    "The most restarts in a row.",
    schema: .integer(minimum: Int64(allowed.lowerBound), maximum: UInt64(allowed.upperBound)))
  public var attempts: Int = 5

  /// The pause before the first restart. It doubles before each further one.
  @Parameter("The wait before the first restart; doubled before each further one.")
  public var backoff: Duration = .milliseconds(500)

  /// The maximum pause before a restart.
  @Parameter("The longest wait before a restart.")
  public var maxBackoff: Duration = .seconds(30)

  /// The time for which a service must be ready so that the count of restarts in a row begins again at 0.
  @Parameter("After this time ready, the count of restarts begins again.")
  public var resetAfter: Duration = .seconds(60)

  /// Creates a policy that never restarts a service.
  public init() {}

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - when: The ends after which the service is restarted.
  ///   - attempts: The maximum number of restarts in a row.
  ///   - backoff: The pause before the first restart. It doubles before each further one.
  ///   - services: The ids of services before this one, with which it is restarted; `nil` for none.
  public init(
    _ when: Condition = .never, attempts: Int = 5, backoff: Duration = .milliseconds(500),
    with services: [String]? = nil
  ) {
    (self.when, self.attempts, self.backoff, with) = (when, attempts, backoff, services)
  }

  /// Rejects a policy without a condition, a number or a wait that is out of range, and ids of no service before it.
  public func validate(_ validation: inout ParameterValidation) {
    if when == nil, with == nil, validation.isReadable("when"), validation.isReadable("with") {
      validation.reject("give \"when\" or \"with\", or both")
    }
    if with?.isEmpty == true { validation.reject("name at least one service", at: "with") }
    for (index, id) in (with ?? []).enumerated() {
      validation.requireService(id, at: "with", .index(index))
      let isFirst = with?.firstIndex(of: id) == index
      if !isFirst { validation.reject("name each service once", at: "with", .index(index)) }
    }
    if backoff > maxBackoff, validation.isReadable("backoff"), validation.isReadable("maxBackoff") {
      let most = DurationText.exact(maxBackoff)
      validation.reject("must not be longer than \"maxBackoff\", which is \(most): set both", at: "backoff")
    }
    validation.check(attempts, isIn: Self.allowed, at: ["attempts"])
  }
}

extension RestartPolicy: ParameterChoice {
  package static var isExclusive: Bool { false }

  package static var shared: [String] { ["attempts", "backoff", "maxBackoff", "resetAfter"] }

  var condition: Condition { when ?? .never }

  /// Returns the reason why a service is not restarted when no restart is left.
  ///
  /// - Parameters:
  ///   - count: The number of restarts in the row.
  ///   - time: The nanoseconds since the first end in the row.
  func exhaustion(of count: Int, in time: Int64) -> String {
    let words = count == 1 ? "1 restart" : "\(count) restarts"
    return "after \(words) in \(DurationText.brief(nanoseconds: time)), \"restart.attempts\" allows no more"
  }
}

/// The signal that asks a service to stop, and the grace period until the service is killed.
public struct StopPolicy: ParameterGroup {
  /// The signal that asks the service to stop.
  @Parameter(
    "The signal that asks the service to stop, for example TERM, INT or QUIT.",
    schema: .pattern("^[A-Za-z]", describedAs: "the name of a signal such as \"TERM\""))
  public var signal = "TERM"

  /// The grace period after which the service is killed with SIGKILL.
  @Parameter("The time after which SIGKILL ends it.")
  public var grace = Duration.seconds(10)

  /// Creates the policy with its defaults.
  public init() {}

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - signal: The name of the signal that asks the service to stop, for example "INT".
  ///   - grace: The time after which SIGKILL ends the service.
  public init(signal: String = "TERM", grace: Duration = .seconds(10)) {
    (self.signal, self.grace) = (signal, grace)
  }

  /// Rejects an unknown signal, and STOP, which no process can handle.
  public func validate(_ validation: inout ParameterValidation) {
    if let number = Signals.number(named: signal) {
      if number == Signals.stop {
        validation.reject("STOP only suspends a process: write TERM, INT or QUIT", at: "signal")
      }
      return
    }
    let closest = ClosestName.to(signal, among: Signals.shortNames).map { "did you mean \"\($0)\"?" }
    let advice = closest ?? "write the name of one, such as TERM, INT or QUIT"
    validation.reject("\"\(signal.excerpt)\" is not a signal: \(advice)", at: "signal")
  }

  var number: Int32 { Signals.number(named: signal) ?? Signals.terminate }
}

/// The effect on the other services if a service ends after it was ready and is not restarted.
public enum ServiceExitPolicy: String, CaseIterable, ParameterValue {
  /// All services stop, and the tool exits with 1. A ``ServiceRunner`` throws ``ServiceFailed``.
  case fail
  /// The other services continue to run.
  case ignore
  /// All services stop, and the tool exits with 0.
  case finish
}

extension RunService: ProcessTraits, ServiceStarter {
  package static var onlyWaits: Bool { true }

  package var grace: Int64? { stop.grace.nanoseconds }

  package var stepLimits: [StepLimit] {
    [StepLimit("stop.signal", .word(stop.signal))] + (live?.limits ?? [])
      + StepLimit.ofService(grace: stop.grace, onExit: onExit, restart: restart)
  }

  package var secretVariables: [String] {
    (ready?.http?.secretVariables ?? []) + (live?.http?.secretVariables ?? [])
  }

  package func start(in context: LaunchContext) throws -> any PolledOperation {
    guard let supervisor = context.services as? ServiceSupervisor else { throw ServiceError.noHost }
    let (request, directory) = try self.request(arguments, in: context)
    var start = ServiceProcess.Start(request: request, context: context, signal: stop.number)
    start.probe = { [ready] in try ready?.start(in: context) }
    start.live = { [live] in try live?.start(in: context) }
    start.served = { [ready] in try ready?.condition?.servedAddress(in: context) }
    let service = Service(
      id: context.stepID, restart: restart ?? RestartPolicy(), grace: stop.grace, stopSignal: stop.number,
      onExit: onExit, context: context
    ) { [start] in try ServiceProcess(start) }
    do {
      return try ServiceStart.start(service, with: supervisor)
    } catch let error as SpawnError {
      throw RunProcessError.notStarted(error, arguments: request.arguments, directory: directory)
    }
  }
}

/// An error of a service that could not start or did not become ready.
enum ServiceError: Error, Sendable, CustomStringConvertible {
  /// The launch has no host that keeps services running.
  case noHost
  /// All services stop, because the app ends.
  case stopping
  /// The task of an earlier start ignores its cancellation.
  case stillRuns
  /// An earlier start of the service is `starting` or `stopping`.
  case busy(ServiceState)
  /// The process ended. `end` says how and when.
  ///
  /// `output` is the end of its output. `cause` is what may have ended it, in a sentence; it is `nil` if nothing is
  /// known.
  case ended(program: String, end: String, output: String, cause: String? = nil)
  /// The service can never become ready. The text is the reason.
  case neverReady(String)
  /// The service could not be stopped. The text is the reason.
  case notStopped(String)

  /// Returns the cause of an end with a descendant that still ran, for example `redis-server (process 42)`.
  static func becameDaemon(_ descendant: String) -> String {
    "\(descendant), which it started, still ran: it became a daemon. Run it in the foreground, for example "
      + "`redis-server --daemonize no`"
  }

  /// Returns the cause of an end with a process that listens at the service's port and may be its descendant.
  static func mayBeDaemon(_ listener: String) -> String {
    "\(listener) listens on the same port: if the service became a daemon, run it in the foreground, for example "
      + "`redis-server --daemonize no`"
  }

  var description: String {
    switch self {
    case .noHost:
      "this launch does not keep services running: use `appboot run`, a ServiceRunner or a LifecycleHost"
    case .stopping: "it did not start, because \(ServiceAnswer.stopping)"
    case .stillRuns: "it did not start a second time, because \(ServiceAnswer.abandoned)"
    case .busy(let state): "it did not start a second time, because it is \(state.rawValue)"
    case .ended(let program, let end, let output, let cause):
      "\"\(program)\" \(end)\(RunProcessError.shown(output))\(cause.map { "\n\($0)" } ?? "")"
    case .neverReady(let reason): reason
    case .notStopped(let reason): "it did not stop: \(reason)"
    }
  }
}

extension RestartPolicy {
  /// An object, or the value of `when`.
  public static var parameterType: ParameterType<RestartPolicy> { parameterType(orOnly: "when") }
}
