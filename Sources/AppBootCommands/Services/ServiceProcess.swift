import AppBoot
import AppBootRecords
import AppBootSystem

/// The process of a service, with its readiness probe and its output.
struct ServiceProcess: ServiceWork {
  /// The start of a process: the program, its probe, and its stop.
  struct Start: Sendable {
    var request: ProcessRequest
    let context: LaunchContext
    /// The signal that asks the process to stop.
    var signal = Signals.terminate
    /// The program of `stop.command`, which runs before that signal.
    var stop: ProcessRequest?
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
  private let family: ProcessFamily
  private var ending: ProcessEnding
  private let probe: Probe?
  /// The probe that begins when the process is ready; `nil` for none, and after the process was asked to stop.
  private var live: LiveProbe?
  private var output: ProcessOutput
  /// The probe's address while another process may accept connections there; otherwise `nil`.
  private var servedAddress: ServedAddress?
  /// Another process that listened at the address when the probe was answered; `nil` if none was found.
  private var stranger: String?
  private(set) var linesBeforeReady: Int?
  var doubt: AnswerDoubt? { servedAddress.map { AnswerDoubt(address: $0.name, listener: stranger) } }
  /// The time from which the probe's answer counts; `nil` before the probe has answered.
  private var answerDue: Int64?
  private let startedAt: Int64
  private var terminal = TerminalCheck()
  /// The reason why the service kills its process; `nil` if it does not.
  private var obstruction: String?
  private var stopProgram: StopProgram
  /// True after the end of the process was read.
  private var hasEnded = false
  /// A process that still ran when the service's own one had exited with 0 before it was ready; `nil` for none.
  private var daemon: String?

  /// Starts the process and its readiness probe.
  ///
  /// - Throws: An error of the process's start or of the probe.
  init(_ start: Start) throws {
    self.start = start
    stopProgram = StopProgram(request: start.stop, secrets: start.context.secrets)
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
    let marks = LaunchContext.marks(in: request)
    family = ProcessFamily(of: process.processIdentifier, marks: marks)
    ending = ProcessEnding(of: process, marks: marks)
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
    let always = output.descriptors(of: process) + stopProgram.descriptors
    if hasEnded { return always }
    let exit = (try? process.exitDescriptor()).map { [$0] } ?? []
    return exit + always + (probe?.descriptors ?? [])
  }

  func nextDeadline(isReady: Bool, isStopping: Bool) -> Int64? {
    if hasEnded {
      return [stopProgram.isRunning ? stopProgram.due : ending.nextLook, output.resumesAt].compactMap(\.self)
        .min()
    }
    if isStopping || obstruction != nil { return output.resumesAt }
    return [isReady ? live?.due : probeDue, terminal.due, output.resumesAt].compactMap(\.self).min()
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
    if end != nil, !hasEnded { lines += output.finish(process) }
    linesBeforeReady = probe == nil ? 0 : nil
    for (index, line) in output.takeProbedLines().enumerated() {
      probe?.feed(line)
      guard isStarting, linesBeforeReady == nil, case .ready = probe?.advance() else { continue }
      linesBeforeReady = index + 1
    }
    if stopProgram.advance(afterEnd: end != nil) { ending.ask(start.signal) }
    lines += stopProgram.takeProblem().map { [$0] } ?? []
    // What the process did before its end counts before the end.
    let mayStart = isStarting && !hasEnded && obstruction == nil
    if mayStart, let progress = startProgress(hasEnded: end != nil) { return (progress, lines) }
    if let end { return (ended(end, wasStarting: isStarting, &lines), lines) }
    if let reason = terminalRequest() { return (.impossible(reason), lines) }
    guard !isStarting else { return (.nothing, lines) }
    probe?.discardMessages()
    return (liveProgress(), lines)
  }

  /// Returns the progress towards readiness; `nil` if there is none.
  private mutating func startProgress(hasEnded: Bool) -> Service.Progress? {
    let answer = hasEnded ? probe?.advanceAfterEnd() : probe?.advance()
    switch answer ?? .ready("started") {
    case .waiting: return hasEnded ? nil : probe?.takeNews().map { .waiting($0) }
    case .failed(let reason):
      if hasEnded { return nil }
      obstruction = reason
      return .impossible(reason)
    case .ready(let text):
      // Another process may have answered for one that has ended meanwhile.
      if process.end() != nil, probe?.holdsAfterEnd == false { return nil }
      if waits() { return nil }
      // A process that began to listen later may do it for the service, as the proxy of a container does.
      if servedAddress?.answered == .beforeStart, let holder = holder() {
        obstruction = holder
        return .impossible(holder)
      }
      output.endProbe()
      live?.begin(at: MonotonicClock.now())
      return .ready(text)
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

  /// Returns the progress of the end of the process and of the processes that it has left.
  private mutating func ended(
    _ end: ProcessEnd, wasStarting: Bool, _ lines: inout [OutputLine]
  ) -> Service.Progress {
    if !hasEnded {
      hasEnded = true
      if end == .exited(0), wasStarting || probe == nil { daemon = family.survivor() }
    }
    if stopProgram.isRunning { return .nothing }
    guard ending.isOver(at: MonotonicClock.now()) else { return ending.mustAsk ? .left : .nothing }
    // What the processes that have ended printed last.
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
    if process.end() == nil, stopProgram.start(for: process.processIdentifier) { return }
    ending.ask(start.signal)
  }

  mutating func endStopProgram() -> Bool {
    guard process.end() == nil, stopProgram.giveUp() else { return false }
    ending.ask(start.signal)
    return true
  }

  mutating func kill() -> (@Sendable () -> Void)? {
    endLive()
    stopProgram.kill()
    ending.kill()
    return nil
  }

  func release() {
    probe?.close()
    var live = live
    live?.close()
    stopProgram.release()
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
