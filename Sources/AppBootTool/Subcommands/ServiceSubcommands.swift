import AppBoot
import AppBootCommands
import AppBootRecords
import AppBootReports
import AppBootSystem

/// A subcommand that requests an action on one service of a running app. The exit codes are those of a start.
protocol ServiceSubcommand: Subcommand {
  /// Returns the action that the arguments request.
  static func action(_ arguments: ParsedArguments) throws -> ServiceAction
}

extension ServiceSubcommand {
  static var operands: [Operand] {
    [service("The id of a service's entry. More ids can follow.", isRequired: true), .source]
  }
  fileprivate static func service(_ help: String, isRequired: Bool = false) -> Operand {
    Operand(name: "SERVICE", help: help, isRequired: isRequired, isRepeated: true, value: .step("ID"))
  }
  static var options: [any OptionDeclaration] {
    [ServiceCall.dependents, ServiceCall.timeout, .textOrJSON, .state, .quiet, .color]
  }

  static var exits: KeyValuePairs<ToolExit, String> {
    [
      .succeeded: "Ready.",
      .commandFailed: "It did not become ready, or its old task still runs.",
      .usage: "No service has this id.",
      .preconditionMissing: "No app is running, or the step of the service has not ended.",
      .deadlinePassed: "No answer within --timeout.",
    ]
  }

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    try ServiceCall(action(arguments), arguments, tool).run()
  }
}

/// The subcommand `stop`, which stops services of a running app.
enum StopSubcommand: ServiceSubcommand {
  static let name = "stop"
  static let abstract =
    "Stops services of a running app one after another, or the whole app, and waits until they have ended."
  static let discussion = """
    A process receives its "stop.signal", after its "stop.command" if it has one, and SIGKILL after its "stop.grace". \
    A service in Swift shuts down, and its task is cancelled after its grace period. The service stays down: neither \
    "restart" nor "onExit" applies, and the other services continue to run. `start` starts it again. Without SERVICE, \
    the whole app stops, as with `down`.
    """
  static var operands: [Operand] {
    [service("The id of a service's entry. More ids can follow. Default: the whole app."), .source]
  }

  static let exits: KeyValuePairs<ToolExit, String> = [
    .succeeded: "Stopped.",
    .commandFailed: "Its task ignores its cancellation.",
    .usage: "No service has this id.",
    .preconditionMissing: "No app is running, or the step of the service has not ended.",
    .deadlinePassed: "No answer within --timeout.",
  ]

  static var options: [any OptionDeclaration] {
    [ServiceCall.dependents, all, ServiceCall.timeout, .textOrJSON, .state, .quiet, .color]
  }

  static let all = Option(
    "all", short: "a", .flag, "Stop all apps of this user that run on this machine, as `down` does.")

  static func action(_ arguments: ParsedArguments) -> ServiceAction { .stop }

  /// Returns whether an argument is a manifest or a directory. A folder can have the name of a service.
  private static func isSource(_ operand: String) -> Bool {
    operand.hasPrefix(".") || operand.contains("/") || [".json", ".jsonc"].contains(where: operand.hasSuffix)
  }

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    try arguments.check(all, excludes: .state, ServiceCall.dependents, .textOrJSON)
    if !arguments.isSet(all), arguments.operands.count < 2, arguments.operands.allSatisfy(isSource) {
      for option in [ServiceCall.dependents, .textOrJSON] as [any OptionDeclaration]
      where arguments.isSet(option) {
        throw UsageError.needs(option.spelling, option: "SERVICE")
      }
      return try DownSubcommand.run(arguments, in: tool)
    }
    guard arguments.isSet(all) else { return try ServiceCall(.stop, arguments, tool).run() }
    if !arguments.operands.isEmpty { throw UsageError.conflict(all.spelling, "SERVICE") }
    let apps = ListedApp.all().filter(\.isRunning)
    if apps.isEmpty {
      tool.inform("no app of this user is running")
      return .preconditionMissing
    }
    var exit = ToolExit.succeeded
    for app in apps {
      do {
        // Another app may use the state directory meanwhile.
        guard try app.status() != nil else { continue }
        let client = ControlClient(directory: app.state)
        let name = try DownSubcommand.end(client, within: arguments[ServiceCall.timeout])
        let text = "\(app.directory): \(name) has stopped"
        if !arguments.isSet(.quiet) { tool.output.write(tool.outputStyle.visible(text) + "\n") }
      } catch let error as ControlFailure where error == .silent {
        tool.warn("\(app.directory): process \(app.process) does not answer; `kill \(app.process)` ends it")
        exit = error.reportable.exit
      } catch {
        tool.warn("\(app.directory): \(error.reportable.message)")
        exit = error.reportable.exit
      }
    }
    return exit
  }
}

/// The subcommand `restart`, which restarts one service of a running app.
enum RestartSubcommand: ServiceSubcommand {
  static let name = "restart"
  static let abstract = "Stops services of a running app, starts them again, and waits until they are ready."
  static let discussion = """
    It also starts a service that is stopped, ended or failed. The entry's "timeout" is the time until ready. If the \
    service does not become ready, it stays down: neither "restart" nor "onExit" applies, and the other services \
    continue to run. If the manifest has changed, the service starts with its new entry. A service in Swift is not \
    started again while its old task ignores its cancellation.
    """
  static func action(_ arguments: ParsedArguments) -> ServiceAction { .restart }
}

/// The subcommand `start`, which starts one service of a running app.
enum StartSubcommand: ServiceSubcommand {
  static let name = "start"
  static let abstract = "Starts services of a running app that do not run, and waits until they are ready."
  static var options: [any OptionDeclaration] { [ServiceCall.timeout, .textOrJSON, .state, .quiet, .color] }
  static let discussion = """
    The services that it needs, which come before it, are started first if they are not ready. A service that is ready \
    is not changed: `restart` starts it again. A service that waits for a restart starts at once. The entry's \
    "timeout" is the time until ready. If the service does not become ready, it stays down, as after `restart`.
    """
  static func action(_ arguments: ParsedArguments) -> ServiceAction { .start }
}

/// The subcommand `kill`, which sends a signal to one service of a running app.
enum KillSubcommand: ServiceSubcommand {
  static let name = "kill"
  static let abstract = "Sends a signal to the processes of services of a running app."
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
    .preconditionMissing: "No app is running, or it has not started the service in this launch.",
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

/// The subcommand `down`, which ends a running app.
enum DownSubcommand: Subcommand {
  static let name = "down"
  static let abstract = "Stops a running app with all its services, and waits until it has ended."
  static let discussion = """
    The app ends as after TERM: the handlers of willTerminate run, and then its services stop, each after those that \
    come after it. A launch that is still running is cancelled. A launch without services takes no requests: end it \
    with `kill`.
    """
  static var operands: [Operand] { [.source] }
  static var options: [any OptionDeclaration] { [ServiceCall.timeout, .state, .quiet, .color] }
  static let exits: KeyValuePairs<ToolExit, String> = [
    .succeeded: "The app has ended.",
    .preconditionMissing: "No app is running.",
    .deadlinePassed: "It has not ended within --timeout.",
  ]

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    let client = try ControlClient(StateSource(arguments))
    let notice = ThreadTimer.shared.schedule(after: ServiceCall.delay) {
      tool.inform("waiting for the app to end")
    }
    defer { notice.cancel() }
    let app: String
    do {
      app = try end(client, within: arguments[ServiceCall.timeout])
    } catch let error as StayError {
      if case .notRunning(let directory) = error,
        let process = try? RecordArchive.running(in: directory)?.process
      {
        throw ToolError(
          "the launch that runs takes no requests: it has no services, or it stops them itself (--then-stop)",
          exit: .preconditionMissing,
          help: "kill \(process) ends it")
      }
      throw error
    }
    if !arguments.isSet(.quiet) { tool.output.write("\(tool.outputStyle.visible(app)) has stopped\n") }
    return .succeeded
  }

  /// Ends an app, and waits until its state directory can be used again. Returns the name of the app.
  fileprivate static func end(_ client: ControlClient, within timeout: Duration?) throws -> String {
    var app = "the app"
    do {
      let answer = try client.ask(.end, timeout: timeout?.nanoseconds)
      app = answer["ended"]?.string ?? app
    } catch let error as ControlFailure where error == .ended {
      // It was ended at once, for example by a second signal.
    } catch let error as ControlError where error == .ending {
      // It has answered its other clients already.
    }
    // Then the same directory can be used again.
    _ = try? FileLock.acquire(FileSystem.join(client.directory, Control.lockName), within: 5_000_000_000)
    return app
  }
}

/// The subcommand `wait`, which waits until services are ready and steps have ended.
enum WaitSubcommand: Subcommand {
  static let name = "wait"
  static let abstract = "Waits until services of a running launch or app are ready, and steps have ended."
  static let discussion = """
    It fails as soon as one of the services is stopped, has ended or failed, or one of the steps did not succeed. A \
    skipped step counts as ended.
    """
  static let operands = [
    Operand(
      name: "ID", help: "The id of a service or a step. More ids can follow.", isRequired: true,
      isRepeated: true, value: .step("ID")),
    .source,
  ]
  static var options: [any OptionDeclaration] { [timeout, .state, .quiet, .color] }
  static let timeout = Option(
    "timeout", .duration("DURATION"), "The time to wait for all of them. Default: no limit.")
  static let exits: KeyValuePairs<ToolExit, String> = [
    .succeeded: "The services are ready, and the steps have ended.",
    .commandFailed: "One of them failed, or nothing is running.",
    .usage: "No service or step has this id.",
    .deadlinePassed: "Not within --timeout.",
  ]

  /// The nanoseconds between two looks.
  private static let interval: Int64 = 100_000_000
  /// The nanoseconds that an app has at least to answer.
  private static let shortestPatience: Int64 = 500_000_000

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    let (ids, source) = try ServiceCall.split(arguments)
    if ids.isEmpty { throw UsageError.missingArgument("ID", subcommand: name) }
    let deadline = arguments[timeout].map { MonotonicClock.deadline(after: $0.nanoseconds) }
    var isSilent = false
    // What is known if the app does not answer at the end.
    var rest = ids
    // What was seen running last.
    var last: AppStates?
    while true {
      let left = deadline.map { $0 - MonotonicClock.now() } ?? .max
      // The look at the end has time for its answer, too.
      let patience = min(10_000_000_000, max(shortestPatience, left))
      let running = try AppStates(of: source, within: patience)
      if running?.launch != nil { last = running }
      guard let states = running ?? last?.ended(in: source.directory) else {
        tool.inform("nothing is running with the state directory \"\(source.directory)\"")
        return .commandFailed
      }
      if let unknown = ids.first(where: { states[$0] == nil }), states.areComplete {
        throw ToolError(
          "there is no service or step \"\(unknown)\"", exit: .usage,
          help: ClosestName.to(unknown, among: states.ids).map { "did you mean \"\($0)\"?" })
      }
      let failures = ids.filter { states[$0]?.isFailure == true }
      for id in failures { tool.inform(ServiceState.sentence(id, states[id]?.words ?? "unknown")) }
      if !failures.isEmpty { return .commandFailed }
      if ids.allSatisfy({ states[$0]?.isDone == true }) {
        let lines = ids.map { tool.outputStyle.visible("\($0): \(states[$0]?.words ?? "")") + "\n" }
        if !arguments.isSet(.quiet) { tool.output.write(lines.joined()) }
        return .succeeded
      }
      if states.isSilent, !isSilent { tool.inform(ControlFailure.silent.message) }
      isSilent = states.isSilent
      if !isSilent { rest = ids.filter { states[$0]?.isDone != true } }
      let now = MonotonicClock.now()
      if let deadline, now >= deadline {
        tool.inform("timed out while waiting for \(rest.joined(separator: ", "))")
        return .deadlinePassed
      }
      if tool.output.waitForReaderEnd(until: min(deadline ?? .max, now + interval)) { return .commandFailed }
    }
  }
}

/// The states of the services and the steps of a running launch or app.
private struct AppStates {
  struct Entry {
    let words: String
    let isDone: Bool
    let isFailure: Bool
  }

  private var entries: [String: Entry] = [:]
  /// False while the first event of the launch is not written.
  private(set) var areComplete = false
  /// True if the app runs and has not answered.
  private(set) var isSilent = false
  /// The start of the launch; `nil` if it is unknown.
  private(set) var launch: String?
  private var services: [String] = []

  var ids: [String] { entries.keys.sorted() }
  subscript(id: String) -> Entry? { entries[id] }

  /// Asks the app, and reads the record of its launch. Returns `nil` if nothing is running.
  ///
  /// - Parameter time: The nanoseconds that the app has to answer.
  init?(of source: StateSource, within time: Int64) throws {
    var status: JSONValue?
    do {
      status = try ControlClient(source).ask(.status, timeout: max(0, time))["status"]
    } catch let error as ControlFailure where error.exit == .deadlinePassed {
      // What its services do now is unknown.
      isSilent = true
      return
    } catch StayError.notRunning {
    } catch let error as ControlFailure where error == .ended {
    } catch let error as ControlError where error == .ending {
    }
    let running = try RecordArchive.running(in: source.directory)?.record
    if status == nil, running == nil { return nil }
    let process = try status?["process"]?.integer(as: Int32.self)
    if let record = running ?? process.flatMap({ Self.record(of: $0, in: source.directory) }) { add(record) }
    for service in status?["services"]?.elements ?? [] {
      guard let id = service["id"]?.string, let name = service["state"]?.string else { continue }
      let state = ServiceState(rawValue: name)
      services.append(id)
      entries[id] = Entry(
        words: name, isDone: state == .ready,
        isFailure: [.failed, .stopped, .ended, .skipped].contains(state))
    }
  }

  /// Returns the states after the end of the launch or app, with which its services have ended; `nil` if they are
  /// unknown.
  func ended(in directory: String) -> AppStates? {
    guard let path = try? RecordArchive.list(directory).last,
      let record = try? RecordArchive.read(path).record, record.startedAt == launch
    else { return nil }
    var states = self
    states.add(record)
    for id in services { states.entries[id] = Entry(words: "ended", isDone: false, isFailure: true) }
    return states
  }

  private mutating func add(_ record: LaunchRecord) {
    (areComplete, launch) = (true, record.startedAt)
    for step in record {
      let (isFailure, isDone) =
        switch step.state {
        case .waiting, .ready, .running: (false, false)
        case .succeeded, .skipped: (false, true)
        case .failed, .timedOut, .cancelled: (true, false)
        }
      entries[step.id] = Entry(words: step.state.name, isDone: isDone, isFailure: isFailure)
    }
  }

  /// Returns the record of the launch of an app that stays; `nil` if it has none.
  private static func record(of process: Int32, in directory: String) -> LaunchRecord? {
    let path = try? RecordArchive.list(directory).last { $0.hasSuffix("-\(process).jsonl") }
    return path.flatMap { try? RecordArchive.read($0).record }
  }
}

/// The requests for the services of the arguments, from the arguments to the exit code.
private struct ServiceCall {
  static let timeout = Option(
    "timeout", .duration("DURATION"), "The time to wait for each answer. Default: no limit.")
  static let dependents = Option(
    "dependents", .flag, "Include the services that come after it: they stop before it, and start after it.")

  /// The nanoseconds without an answer after which a message says what the command waits for.
  fileprivate static let delay: Int64 = 1_000_000_000

  let action: ServiceAction
  let arguments: ParsedArguments
  let tool: ToolContext
  let client: ControlClient
  /// The ids of the services in the arguments.
  let services: [String]

  init(_ action: ServiceAction, _ arguments: ParsedArguments, _ tool: ToolContext) throws(UsageError) {
    (self.action, self.arguments, self.tool) = (action, arguments, tool)
    let (services, source) = try Self.split(arguments)
    (self.services, client) = (services, ControlClient(source))
  }

  /// Returns the ids in the arguments, and the state that the last argument can select.
  static func split(_ arguments: ParsedArguments) throws(UsageError) -> (ids: [String], source: StateSource) {
    // A service is not taken for a manifest, because it would not be stopped.
    let last = arguments.operands.count - 1
    let hasSource = last > 0 && isSource(arguments.operands[last])
    let ids = Array(hasSource ? arguments.operands.dropLast() : arguments.operands[...])
    return (ids, try StateSource(arguments, at: hasSource ? last : arguments.operands.count))
  }

  /// A file or a folder can have the name of a service.
  private static func isSource(_ operand: String) -> Bool {
    if operand == "-" || StateSource.isState(operand) { return true }
    let isNamedAsManifest = [".json", ".jsonc"].contains { operand.hasSuffix($0) } || operand.contains("/")
    return isNamedAsManifest && FileSystem.exists(operand) && !FileSystem.isDirectory(operand)
  }

  func run() throws -> ToolExit {
    if services.isEmpty { throw try missingService() }
    var calls = try calls()[...]
    while let (action, service) = calls.popFirst() {
      let exit = try run(action, on: service)
      guard exit != .succeeded else { continue }
      let missing = calls.filter { $0.action == .start }.map(\.service)
      if !missing.isEmpty { tool.inform("not started: \(missing.joined(separator: ", "))") }
      return exit
    }
    return .succeeded
  }

  /// Returns the requests in their order. If it needs more than one service, asks the app first.
  private func calls() throws -> [(action: ServiceAction, service: String)] {
    guard services.count > 1 || arguments.isSet(Self.dependents) || action == .start else {
      return services.map { (action, $0) }
    }
    let status = try client.ask(.status, timeout: arguments[Self.timeout]?.nanoseconds)["status"]
    let app = RunningServices(status?["services"])
    if services.count > 1, let unknown = services.first(where: { !app.ids.contains($0) }) {
      throw ToolError(
        "there is no service \"\(unknown)\"; nothing was done", exit: .usage,
        help: "the services are \(app.ids.joined(separator: ", "))")
    }
    if action == .start {
      let needed = app.needs(of: services)
      let first = app.ids.filter { needed.contains($0) && app.isLate.contains($0) && !services.contains($0) }
      // Each after those that it needs; an unknown one is the app's to report.
      return
        (first + app.ids.filter(services.contains)
        + services.filter { !app.ids.contains($0) }).map { (.start, $0) }
    }
    guard arguments.isSet(Self.dependents) else {
      // A service restarts after the services that it needs.
      return (action == .restart ? app.ids.filter(services.contains) : services).map { (action, $0) }
    }
    let all = app.ids.filter { id in
      services.contains(id)
        || (!app.isDown.contains(id) && !app.needs(of: [id]).isDisjoint(with: services))
    }
    guard action == .restart else { return all.reversed().map { (action, $0) } }
    return all.reversed().map { (.stop, $0) } + all.map { (.start, $0) }
  }

  /// The services in the status of an app.
  private struct RunningServices {
    /// The ids in the order of the manifest: a service comes after those that it needs.
    private(set) var ids: [String] = []
    private(set) var isDown: Set<String> = []
    /// The services that are down, that start, or that wait for a restart.
    private(set) var isLate: Set<String> = []
    private var needs: [String: [String]] = [:]

    init(_ services: JSONValue?) {
      for service in services?.elements ?? [] {
        guard let id = service["id"]?.string else { continue }
        ids.append(id)
        let state = service["state"]?.string.flatMap(ServiceState.init)
        if [.stopped, .ended, .failed].contains(state) { isDown.insert(id) }
        if isDown.contains(id) || [.starting, .restarting].contains(state) { isLate.insert(id) }
        needs[id] = service["needs"]?.elements.compactMap(\.string) ?? []
      }
    }

    /// Returns the services that some services need, directly or not.
    func needs(of services: [String]) -> Set<String> {
      var found: Set<String> = []
      var rest = services
      while let id = rest.popLast() { rest += (needs[id] ?? []).filter { found.insert($0).inserted } }
      return found
    }
  }

  private func run(_ action: ServiceAction, on service: String) throws -> ToolExit {
    let timeout = arguments[Self.timeout]?.nanoseconds
    let notice = ThreadTimer.shared.schedule(after: Self.delay) { [tool] in
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
      let words = style.visible(words(result, of: action))
      tool.output.write("\(style.paint(style.visible(service), .success)): \(words)\n")
    }
    if let failure = result["failure"]?.string {
      tool.inform("\(service) \(action.problem): \(failure)", keepsLines: true)
    }
    return succeeded ? .succeeded : .commandFailed
  }

  /// Returns the result in words, for example `ready, process 42`.
  private func words(_ result: JSONValue, of action: ServiceAction) -> String {
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
    if result["renewed"]?.bool == true { words += "; \(Control.renewed)" }
    return words
  }

  /// Returns the error for arguments without a service. If the app is running, the error lists its services.
  private func missingService() throws -> any Error {
    let name = UsageError.missingArgument("SERVICE", subcommand: action.name)
    guard let status = try? client.ask(.status, timeout: 10_000_000_000)["status"] else { return name }
    let known = status["services"]?.elements.compactMap { $0["id"]?.string } ?? []
    let names = known.isEmpty ? "; the app has no services" : ": \(known.joined(separator: ", "))"
    return ToolError(
      "\(action.name) needs the id of a service\(names)", exit: .usage)
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
