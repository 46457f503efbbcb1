import AppBoot
import AppBootCommands
import AppBootLifecycle
import AppBootReports
import AppBootSystem

/// A subcommand that requests an action on one service of a running app. The exit codes are those of a start.
protocol ServiceSubcommand: Subcommand {
  /// Returns the action that the arguments request.
  static func action(_ arguments: ParsedArguments) throws -> ServiceAction
}

extension ServiceSubcommand {
  static var operands: [Operand] {
    [
      Operand(name: "SERVICE", help: "The id of the service's entry.", isRequired: true, value: .step("ID")),
      .source,
    ]
  }
  static var options: [any OptionDeclaration] { [ServiceCall.timeout, .textOrJSON, .state, .quiet, .color] }

  static var exits: KeyValuePairs<ToolExit, String> {
    [
      .succeeded: "Ready.",
      .commandFailed: "It did not become ready, or its old task still runs.",
      .usage: "No service has this id.",
      .preconditionMissing: "No app is running, or the service has never been ready.",
      .deadlinePassed: "No answer within --timeout.",
    ]
  }

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    try ServiceCall(action(arguments), arguments, tool).run()
  }
}

/// The subcommand `stop`, which stops one service of a running app.
enum StopSubcommand: ServiceSubcommand {
  static let name = "stop"
  static let abstract = "Stops one service of a running app, and waits until it has ended."
  static let discussion = """
    A process receives its "stop.signal", and SIGKILL after its "stop.grace". A service in Swift shuts down, and its \
    task is cancelled after its grace period. The service stays down: neither "restart" nor "onExit" applies, and the \
    other services continue to run. `restart` starts it again. To stop the whole app, send TERM to it.
    """
  static let exits: KeyValuePairs<ToolExit, String> = [
    .succeeded: "Stopped.",
    .commandFailed: "Its task ignores its cancellation.",
    .usage: "No service has this id.",
    .preconditionMissing: "No app is running, or the service has not been ready in this launch.",
    .deadlinePassed: "No answer within --timeout.",
  ]

  static func action(_ arguments: ParsedArguments) -> ServiceAction { .stop }
}

/// The subcommand `restart`, which restarts one service of a running app.
enum RestartSubcommand: ServiceSubcommand {
  static let name = "restart"
  static let abstract = "Stops one service of a running app, starts it again, and waits until it is ready."
  static let discussion = """
    It also starts a service that is stopped or has ended. The entry's "timeout" is the time until ready. If the \
    service does not become ready, it stays down: neither "restart" nor "onExit" applies, and the other services \
    continue to run. A service in Swift is not started again while its old task ignores its cancellation.
    """
  static func action(_ arguments: ParsedArguments) -> ServiceAction { .restart }
}

/// The subcommand `start`, which starts one service of a running app.
enum StartSubcommand: ServiceSubcommand {
  static let name = "start"
  static let abstract = "Starts one service of a running app if it does not run, and waits until it is ready."
  static let discussion = """
    A service that is ready is not changed: `restart` starts it again. A service that waits for a restart starts at \
    once. The entry's "timeout" is the time until ready. If the service does not become ready, it stays down, as after \
    `restart`.
    """
  static func action(_ arguments: ParsedArguments) -> ServiceAction { .start }
}

/// The subcommand `kill`, which sends a signal to one service of a running app.
enum KillSubcommand: ServiceSubcommand {
  static let name = "kill"
  static let abstract = "Sends a signal to the process of one service of a running app."
  static let discussion = """
    The signal goes to the service's own process, not to those that it started. If the process ends, "restart" and \
    "onExit" apply as for any other end. `stop` stops a service without a restart.
    """
  static var options: [any OptionDeclaration] {
    [signal, ServiceCall.timeout, .textOrJSON, .state, .quiet, .color]
  }

  static let signal = Option(
    "signal", short: "s", .text("SIGNAL"), "The signal, for example HUP or SIGUSR1. Default: KILL.")

  static let exits: KeyValuePairs<ToolExit, String> = [
    .succeeded: "Sent.",
    .commandFailed: "The service does not run, or has no process.",
    .usage: "No service has this id, or no signal this name.",
    .preconditionMissing: "No app is running, or the service has not been ready in this launch.",
    .deadlinePassed: "No answer within --timeout.",
  ]

  static func action(_ arguments: ParsedArguments) throws -> ServiceAction {
    let name = arguments[signal] ?? "KILL"
    guard let number = Signals.number(named: name) else {
      let close = ClosestName.to(name, among: Signals.shortNames).map { "did you mean \"\($0)\"?" }
      throw ToolError(
        "\"\(name.excerpt)\" is not a signal", exit: .usage,
        help: close ?? "write the name of one, such as HUP, USR1 or TERM")
    }
    return .kill(number)
  }
}

/// A request for one service, from the arguments to the exit code.
private struct ServiceCall {
  static let timeout = Option(
    "timeout", .duration("DURATION"), "The time to wait for the answer. Default: no limit.")

  /// The nanoseconds without an answer after which a message says what the command waits for.
  private static let delay: Int64 = 1_000_000_000

  let action: ServiceAction
  let arguments: ParsedArguments
  let tool: ToolContext
  let client: ControlClient

  init(_ action: ServiceAction, _ arguments: ParsedArguments, _ tool: ToolContext) throws(UsageError) {
    (self.action, self.arguments, self.tool) = (action, arguments, tool)
    let manifest = arguments.manifest(at: 1)
    // Otherwise a second service would be taken for a manifest, and would not be stopped.
    if arguments.operands.count > 1, manifest != "-", !FileSystem.exists(manifest) {
      throw .unexpectedArgument(manifest, subcommand: action.name)
    }
    client = try ControlClient(StateSource(arguments, at: 1))
  }

  func run() throws -> ToolExit {
    guard let service = arguments.operands.first else { throw try missingService() }
    let timeout = arguments[Self.timeout]?.nanoseconds
    let notice = ThreadTimer.shared.schedule(after: Self.delay) { [tool, action] in
      tool.inform("waiting for \(service)\(action.aim)")
    }
    defer { notice.cancel() }
    let answer = try client.ask(.service(action, id: service), timeout: timeout)
    guard let result = answer["service"] else { throw ControlFailure.garbled }
    let succeeded = result["succeeded"]?.bool == true
    if arguments.wantsJSON {
      tool.output.write(result.text + "\n")
    } else if succeeded, !arguments.isSet(.quiet) {
      let style = tool.outputStyle
      tool.output.write("\(style.paint(style.visible(service), .success)): \(style.visible(words(result)))\n")
    }
    if let failure = result["failure"]?.string {
      tool.inform("\(service) \(action.problem): \(failure)", keepsLines: true)
    }
    return succeeded ? .succeeded : .commandFailed
  }

  /// Returns the result in words, for example `ready, process 42`.
  private func words(_ result: JSONValue) -> String {
    let process = (try? result["pid"]?.integer(as: Int32.self)).flatMap(\.self)
    if case .kill(let signal) = action {
      return "sent \(Signals.name(signal))\(process.map { " to process \($0)" } ?? "")"
    }
    var words = result["state"]?.string ?? "unknown"
    if let process { words += ", process \(process)" }
    if action == .stop, let end = result["end"]?.string { words += " (\(end))" }
    if result["unchanged"]?.bool == true {
      words += action == .stop ? "; it did not run" : "; it was not started again"
    }
    if result["killed"]?.bool == true { words += "; the old process did not stop within its grace" }
    if result["cancelled"]?.bool == true {
      words += "; the service did not shut down within its grace, and was cancelled"
    }
    if let doubt = AnswerDoubt(result) { words += "; \(doubt.words)" }
    return words
  }

  /// Returns the error for arguments without a service. If the app is running, the error lists its services.
  private func missingService() throws -> any Error {
    let name = UsageError.missingArgument("SERVICE", subcommand: action.name)
    guard let status = try? client.ask(.status, timeout: 10_000_000_000)["status"] else { return name }
    let process = (try? status["process"]?.integer(as: Int32.self)).flatMap(\.self)
    let known = status["services"]?.elements.compactMap { $0["id"]?.string } ?? []
    let names = known.isEmpty ? "; the app has no services" : ": \(known.joined(separator: ", "))"
    return ToolError(
      "\(action.name) needs the id of a service\(names)", exit: .usage,
      help: action == .stop ? process.map { "to stop the whole app: kill -TERM \($0)" } : nil)
  }
}

extension ServiceAction {
  /// The words for what a command waits for, after the id of the service.
  fileprivate var aim: String {
    switch self {
    case .stop: " to stop"
    case .restart: " to stop and to be ready again"
    case .start: " to be ready"
    case .kill: ""
    }
  }

  /// The words for a failure, after the id of the service.
  fileprivate var problem: String {
    switch self {
    case .stop: "is not stopped"
    case .restart, .start: "is not ready"
    case .kill: "did not receive the signal"
    }
  }
}
