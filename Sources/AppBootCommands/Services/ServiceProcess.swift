import AppBoot
import AppBootRecords
import AppBootSystem

/// The process of a service, with its readiness probe and its output.
struct ServiceProcess: ServiceWork {
  /// The start of a process: the program, its probe, and its stop.
  struct Start: Sendable {
    let request: ProcessRequest
    let context: LaunchContext
    /// The signal that asks the process to stop.
    var signal = Signals.terminate
    var probe: @Sendable () throws -> Probe? = { nil }
    var live: @Sendable () throws -> LiveProbe? = { nil }
    var served: @Sendable () throws -> ServedAddress? = { nil }
    /// The nanoseconds for which the process must still run after the probe's answer if another process may have given
    /// it.
    var settlingTime: Int64 = 1_000_000_000
  }

  private let start: Start
  private let process: Subprocess
  /// The processes that the service started, also those that left its process group.
  private var family: ProcessFamily
  private let probe: Probe?
  /// The probe that begins when the process is ready; `nil` for none, and after the process was asked to stop.
  private var live: LiveProbe?
  private var output: ProcessOutput
  /// The probe's address while another process may accept connections there; otherwise `nil`.
  private var servedAddress: ServedAddress?
  /// Another process that listened at the address when the probe was answered; `nil` if none was found.
  private var stranger: String?
  var doubt: AnswerDoubt? { servedAddress.map { AnswerDoubt(address: $0.name, listener: stranger) } }
  /// The time from which the probe's answer counts; `nil` before the probe has answered.
  private var answerDue: Int64?
  private let startedAt: Int64
  private var terminal = TerminalCheck()
  /// The reason why the service kills its process; `nil` if it does not.
  private var obstruction: String?
  /// A process that still ran when the service's own one had exited with 0 before it was ready; `nil` for none.
  private var daemon: String?

  /// Starts the process and its readiness probe.
  ///
  /// - Throws: An error of the process's start or of the probe.
  init(_ start: Start) throws {
    self.start = start
    probe = try start.probe()
    live = try start.live()
    servedAddress = try start.served()
    var request = start.request
    if let variables = probe?.environment, !variables.isEmpty {
      request.environment = (request.environment ?? [:]).merging(variables) { $1 }
    }
    if let owner = request.owner, let path = probe?.environment["NOTIFY_SOCKET"] {
      try NotificationSocket.give(path, to: owner)
    }
    process = try request.startWatched().process
    let marks = (request.environment ?? [:]).filter { LaunchContext.processMarks.contains($0.key) }
    family = ProcessFamily(of: process.processIdentifier, marks: marks)
    startedAt = MonotonicClock.now()
    // Every line is collected, because an app that stays shows its services' output.
    output = ProcessOutput(
      of: process, hiding: start.context.secrets, step: StepOutput(of: start.context, isFollowed: true),
      isProbed: probe?.readsOutput ?? false)
    // The first look, so that a timeout can say what was missing.
    _ = probe?.advance()
    start.context.processStarted(process.processIdentifier, arguments: request.arguments)
  }

  private var program: String { start.request.arguments.first ?? "" }
  var pid: Int32? { process.processIdentifier }
  var obstacle: String? { probe?.obstacle }
  var health: ServiceHealth? { live?.health?.masked(by: start.context.secrets) }
  var outputText: String { output.tail.text }

  var descriptors: [Int32] {
    let exit = (try? process.exitDescriptor()).map { [$0] } ?? []
    return exit + output.descriptors(of: process) + (probe?.descriptors ?? [])
  }

  func nextDeadline(isReady: Bool, isStopping: Bool) -> Int64? {
    if isStopping { return output.resumesAt }
    // After an obstruction the process is being killed.
    let terminalDue = obstruction == nil ? terminal.due : nil
    return [isReady ? live?.due : probeDue, terminalDue, output.resumesAt].compactMap(\.self).min()
  }

  /// The time of the probe's next check; `nil` if only a descriptor or output can decide.
  ///
  /// If the probe has already decided, or if there is no probe, it is the start time: the check is due at once.
  private var probeDue: Int64? {
    guard let probe, !probe.isDecided else { return answerDue ?? startedAt }
    return probe.nextDeadline
  }

  mutating func advance(isStarting: Bool) -> (progress: Service.Progress, lines: [OutputLine]) {
    // The order matters: at the process's end all of its output is in the pipes.
    let end = process.end()
    // A slow reader delays a start only if all lines are shown: the output may have the line that the probe waits for.
    var lines = output.read(from: process, isShown: !isStarting)
    if let end {
      if end == .exited(0), isStarting || probe == nil { daemon = family.survivor() }
      return (ended(end, &lines), lines)
    }
    for line in output.takeProbedLines() { probe?.feed(line) }
    if let reason = terminalRequest() { return (.impossible(reason), lines) }
    guard isStarting else {
      probe?.discardMessages()
      return (liveProgress(), lines)
    }
    switch probe?.advance() ?? .ready("started") {
    case .waiting: return (probe?.takeNews().map { .waiting($0) } ?? .nothing, lines)
    case .failed(let reason):
      obstruction = reason
      return (.impossible(reason), lines)
    case .ready(let text):
      if waits() { return (.nothing, lines) }
      // A process that began to listen later may do it for the service, as the proxy of a container does.
      if servedAddress?.answered == .beforeStart, let holder = holder() {
        obstruction = holder
        return (.impossible(holder), lines)
      }
      // Another process may have answered for one that has ended meanwhile.
      if let end = process.end() { return (ended(end, &lines), lines) }
      output.endProbe()
      live?.begin(at: MonotonicClock.now())
      return (.ready(text), lines)
    }
  }

  /// Returns a change of the health that the live probe sees.
  private mutating func liveProgress() -> Service.Progress {
    guard let health = live?.advance(at: MonotonicClock.now())?.masked(by: start.context.secrets) else {
      return .nothing
    }
    return health.isHealthy ? .health(health) : .notLive(health)
  }

  private mutating func endLive() {
    live?.close()
    live = nil
  }

  /// Reads the rest of the output of the ended process.
  private mutating func ended(_ end: ProcessEnd, _ lines: inout [OutputLine]) -> Service.Progress {
    lines += output.finish(process)
    return .ended(.process(end))
  }

  /// Returns true if the probe's answer does not count yet.
  ///
  /// If another process may have answered, the service's own process must run a while longer. One that cannot use the
  /// address usually ends soon.
  private mutating func waits() -> Bool {
    guard let servedAddress else { return false }
    let isFirst = answerDue == nil
    let due = answerDue ?? MonotonicClock.deadline(after: start.settlingTime)
    answerDue = due
    let isOver = MonotonicClock.now() >= due
    // The search reads the descriptors of all processes.
    if isFirst || isOver, isOwn(servedAddress) {
      self.servedAddress = nil
      return false
    }
    return !isOver
  }

  /// Returns true if the address belongs to the service: one of its processes listens there, or no listener is found
  /// and none answered before the start. Stores another listener in ``stranger``.
  private mutating func isOwn(_ address: ServedAddress) -> Bool {
    guard let port = address.port else { return false }
    switch (family.holder(ofPort: port), address.answered) {
    case (.family, _): return true
    case (.unknown, .afterStart): return stranger == nil
    case (.other(let holder), .afterStart): stranger = holder
    case (.unknown, .beforeStart), (.other, .beforeStart): break
    }
    return false
  }

  /// Returns an error message if another process has the port of the probe; `nil` if none has it, or if it is unknown.
  private func holder() -> String? {
    guard let servedAddress, let port = servedAddress.port,
      case .other(let holder) = family.holder(ofPort: port)
    else { return nil }
    return servedAddress.words(holder: holder)
  }

  /// Returns an error message if the process asked for the terminal, which a service never has; otherwise `nil`.
  private mutating func terminalRequest() -> String? {
    guard obstruction == nil, terminal.due != nil, terminal.isDue(), let signal = process.terminalRequest
    else {
      return nil
    }
    let reason =
      "\"\(program)\" asked for the terminal (\(Signals.name(signal))), and a service has none: "
      + "let it ask for nothing, for example with an option such as --batch"
    obstruction = reason
    return reason
  }

  mutating func askToStop() {
    endLive()
    output.endPauses()
    family.look()
    process.askToStop(start.signal)
  }

  mutating func kill() -> (@Sendable () -> Void)? {
    endLive()
    family.look()
    process.killGroup(Signals.kill)
    return nil
  }

  func abandon() -> ServiceEnd {
    process.killGroup(Signals.kill)
    return .process(process.wait())
  }

  /// Reaps the ended process, and kills everything that it started and that still runs.
  func release() {
    probe?.close()
    var live = live
    live?.close()
    process.killGroup(Signals.kill)
    family.end()
    process.finish()
  }

  /// Returns words for the end of the process. If AppBoot killed it, for example because it asked for the terminal, the
  /// words give that reason.
  func words(for end: ServiceEnd) -> String {
    obstruction.map { "was killed: \(start.context.secrets.masking($0))" } ?? end.words
  }

  func error(ending end: ServiceEnd, stoppedFor reason: String?, wasReady: Bool) -> any Error {
    let words = obstruction == nil ? self.words(for: end) : "was killed"
    return ServiceError.ended(
      program: program, end: reason ?? "\(words) \(wasReady ? "after" : "before") it was ready",
      output: outputText, cause: obstruction.map(start.context.secrets.masking) ?? cause(of: end, wasReady))
  }

  /// Returns the cause of an end in a sentence; `nil` if it is unknown.
  private func cause(of end: ServiceEnd, _ wasReady: Bool) -> String? {
    guard !wasReady, let servedAddress else { return daemon.map(ServiceError.becameDaemon) }
    if let port = servedAddress.port, case .other(let holder) = family.holder(ofPort: port) {
      let isDaemon = servedAddress.answered == .afterStart && end == .process(.exited(0))
      return isDaemon ? ServiceError.mayBeDaemon(holder) : servedAddress.words(holder: holder)
    }
    if servedAddress.answered == .beforeStart { return servedAddress.words(holder: "another process") }
    return daemon.map(ServiceError.becameDaemon)
  }
}
