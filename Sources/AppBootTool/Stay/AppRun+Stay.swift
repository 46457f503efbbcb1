import AppBoot
import AppBootLifecycle
import AppBootReports
import AppBootSystem

/// The life of an app that stays: signals, the control socket, and the end.
extension AppRun {
  func stay() throws -> ToolExit {
    let server = try makeServer()
    let signals = SignalEventSource(suspends: false, handlers: handlers) { [self] in passed($0) }
    state.withLock { $0.signals = signals }
    let host = makeHost(loop)
    host.receive(.didFinishLaunching(plan.options))
    state.withLock { $0.server = server }
    try server?.start()
    loop.run()
    state.withLock { $0.isOver = true }
    server?.stop { keepStatus() }
    if server == nil { keepStatus() }
    state.withLock { $0.server = nil }
    let exit = exit()
    if let failure = state.withLock({ $0.failure }) { throw failure }
    return exit
  }

  private func exit() -> ToolExit {
    guard let record = wholeRecord(), record.succeeded else {
      supervisor.finish()
      return ending.exit(of: wholeRecord() ?? StartupRunner(plan).snapshot().record)
    }
    let exit = followUp.end(record)
    let last = record.events.last { $0.event == LifecycleEventName.willTerminate }
    return exit == .succeeded && last?.record.succeeded == false ? .commandFailed : exit
  }

  /// The socket for others; `nil` where nothing can be kept, which is worth a warning and no more.
  private func makeServer() throws -> ControlServer? {
    guard let directory = boot.request.stateDirectory else {
      boot.tool.warn(
        "emit and status cannot reach this app: without a state directory it has no socket", color: boot.color
      )
      return nil
    }
    do {
      try DirectoryStateStore(path: directory).prepare()
      return try ControlServer(in: directory) { [self] in answer($0, $1) }
    } catch let error as ToolError where error.isAboutControl {
      throw error
    } catch {
      boot.tool.warn(
        "emit and status cannot reach this app: \(ToolError(error).message ?? "\(error)")", color: boot.color)
      return nil
    }
  }

  // MARK: - After the launch

  /// Takes the signals over from the watch of the launch; one that came in between is not lost.
  func takeOver(after record: StartupRecord, by signals: SignalEventSource) {
    supervisor.finish()
    guard let host = state.withLock({ $0.host }), record.succeeded else {
      // What waited for the launch is refused.
      state.withLock { $0.host }?.end()
      supervisor.giveBack()
      return loop.stop()
    }
    // Whoever does not read it can still end the app.
    defer { followUp.showLaunch(record) }
    if let signal = supervisor.signal { signals.begin(with: signal) }
    do {
      try host.attach(signals)
    } catch {
      // Nothing would end it in order.
      state.withLock { $0.failure = ToolError(error) }
      host.end()
      loop.stop()
    }
  }

  /// After what the launch emitted, as UIKit has it: the first screen is shown before the app is active.
  func becomeActive() {
    guard let (host, record) = state.withLock({ state in state.host.map { ($0, state.record) } }),
      record?.succeeded == true
    else { return }
    if !plan.options.reason.isOutOfSight { host.receive(.didBecomeActive) }
  }

  private var handlers: [Int32: @Sendable () -> Void] {
    var handlers: [Int32: @Sendable () -> Void] = [:]
    handlers[Signals.terminate] = { [self] in terminate() }
    for signal in [Signals.interrupt, Signals.quit] { handlers[signal] = { [self] in endAtOnce(signal) } }
    for signal in Signals.explaining { handlers[signal] = { [self] in explain() } }
    handlers[Signals.terminalStop] = { [self] in
      state.withLock { state in
        state.suspensions += 1
        state.suspension = state.suspensions
      }
    }
    // One that comes before the process has stopped would be lost.
    handlers[Signals.resume] = { [self] in state.withLock { $0.suspension = nil } }
    return handlers
  }

  /// The first TERM cancels what runs, so that `willTerminate` comes soon; a second one ends the process.
  private func terminate() {
    let now = MonotonicClock.now()
    let (turn, runner) = state.withLock { state in
      // An app that is to end does not stop first.
      state.suspension = nil
      return (state.termination.turn(of: Signals.terminate, at: now), state.runner)
    }
    switch turn {
    case .first:
      ThreadTimer.shared.schedule(after: Self.endingLimit) { [self] in
        end(after: Self.endingLimit, "TERM") { !$0.isOver && !$0.hasBegunToEnd }
      }
      runner?.cancel(Signals.name(Signals.terminate))
    case .repeated: break
    case .another: endAtOnce(Signals.terminate)
    }
  }

  /// How long what runs may keep `willTerminate` waiting after a TERM, in nanoseconds.
  private static let endingLimit: Int64 = 10_000_000_000
  /// How long `willTerminate` may take where the manifest has no limit, in nanoseconds.
  private static let lastLimit: Int64 = 30_000_000_000
  /// How long what was told to stop then may still go on, in nanoseconds: more than the grace of its list.
  private static let lastGrace: Int64 = 4_000_000_000

  /// Called when `willTerminate` is about to be handled: from then on that has its own time.
  func beginToEnd() {
    state.withLock { $0.hasBegunToEnd = true }
    let limit = plan.timeout ?? Self.lastLimit
    // What can be told to stop has its grace; what cannot is ended.
    ThreadTimer.shared.schedule(after: limit) { [self] in
      state.withLock { $0.lastRunner }?.cancel("its time limit")
    }
    let last = limit.addingReportingOverflow(Self.lastGrace)
    ThreadTimer.shared.schedule(after: last.overflow ? .max : last.partialValue) { [self] in
      let words = DurationText.exact(.nanoseconds(limit))
      end(after: Self.lastGrace, "the limit of \(words) for willTerminate") { !$0.isOver }
    }
  }

  /// Ends by TERM what does not return, by itself or from what it did before.
  private func end(after limit: Int64, _ words: String, where isHung: (State) -> Bool) {
    let list = state.withLock { state -> String?? in
      guard isHung(state) else { return nil }
      state.isOver = true
      return .some(state.list)
    }
    guard let list else { return }
    let place = list.map { "with the list of \($0)" } ?? "with an event"
    let time = DurationText.exact(.nanoseconds(limit))
    boot.tool.warn("the app is still busy \(place) \(time) after \(words), and is ended", color: boot.color)
    leave()
    endAtOnce(Signals.terminate)
  }

  /// Ends where the launch, or the list of `willTerminate`, hangs past its limit.
  func endHung(_ record: StartupRecord) -> Never {
    state.withLock { $0.isOver = true }
    leave()
    ending.endProcess(of: record)
  }

  /// Lets nobody else in, and keeps how it ended.
  private func leave() {
    state.withLock { $0.server }?.remove()
    keepStatus()
  }

  private func endAtOnce(_ signal: Int32) {
    let (server, runner) = state.withLock { ($0.server, $0.runner ?? $0.lastRunner) }
    server?.remove()
    // What standard output keeps back stays unwritten: nobody may read it, and the writer holds its lock.
    runner?.endProcesses()
    Signals.raiseDefault(signal)
  }

  private func explain() {
    guard let status = try? JSONDocument(parsing: SourceText(name: "status", text: status().json)).root else {
      return
    }
    boot.tool.errors.write(StatusText(status: status, style: boot.tool.errorStyle(boot.color)).text)
  }

  /// After everybody heard of an event: what the process itself does.
  func hear(_ event: LifecycleEvent) {
    keepStatus()
    if event == .willTerminate {
      // Nothing comes after it: neither what waits nor what its list emitted.
      state.withLock { $0.host }?.end()
      loop.stop()
    }
  }

  /// How long a list may keep the process from stopping, in nanoseconds: about what iOS gives an app that goes to the background.
  private static let suspensionLimit: Int64 = 5_000_000_000

  /// Stops the process at a TSTP once its events were handled, or when that takes too long.
  private func passed(_ signal: Int32) {
    guard signal == Signals.terminalStop else { return }
    let (host, number) = state.withLock { ($0.host, $0.suspensions) }
    host?.afterEvents { [self] in suspend(number) }
    ThreadTimer.shared.schedule(after: Self.suspensionLimit) { [self] in suspend(number) }
  }

  private func suspend(_ number: Int) {
    guard state.withLock({ $0.suspension == number }) else { return }
    // A CONT that has come and was not looked at yet is still in time.
    SignalPipe.waitUntilTaken()
    let isDue = state.withLock { state in
      guard state.suspension == number else { return false }
      state.suspension = nil
      return true
    }
    if isDue { SignalEventSource.suspend() }
  }

  // MARK: - Answers

  /// Takes a request in, in its order, and replies when it was carried out.
  private func answer(_ request: ControlRequest, _ reply: @escaping @Sendable (String) -> Void) {
    switch request {
    case .status: reply(statusAnswer())
    case .emit(let name, let payload, let url, let scene):
      do throws(LifecycleEventError) {
        let event = try LifecycleEvent(
          name: name, payload: payload, url: url, scene: scene.map { SceneID($0) },
          declared: boot.tool.registry.events)
        answer(event, reply)
      } catch {
        reply(ControlError.usage(error.description).json)
      }
    }
  }

  private func answer(_ event: LifecycleEvent, _ reply: @escaping @Sendable (String) -> Void) {
    guard let host = state.withLock({ $0.host }) else {
      return reply(ControlError.refused("the app is ending").json)
    }
    host.receive(event) { outcome in
      if let refusal = outcome.refusal { return reply(ControlError.refused(refusal.description).json) }
      reply(Control.answer("outcome", outcome.json(upTo: Control.limit)))
    }
  }

  private func statusAnswer() -> String {
    let answer = Control.answer("status", status().json)
    guard answer.utf8.count >= Control.limit else { return answer }
    let size = "the status has \(answer.utf8.count) bytes, and at most \(Control.limit) are sent"
    return ControlError.refused("\(size): \(Control.stateName) in the state directory has all of it").json
  }

  // MARK: - Status

  func status() -> AppStatus {
    let own = boot.tool.name
    let safeMode = state.withLock { $0.safeMode }
    return AppStatus(
      name: plan.name, process: Host.processIdentifier, startedAt: startedAt, state: lifecycle.store.state,
      listeners: lifecycle.mediator.listenerNames.filter { $0 != own }, lists: plan.events.keys.sorted(),
      safeMode: safeMode?.reason ?? "off",
      running: state.withLock { $0.list })
  }

  /// Keeps the status for `status` after the end, however that comes.
  private func keepStatus() {
    var status = status()
    if state.withLock({ $0.isOver }) { status.endedAt = WallClock.timestamp() }
    try? store.write(Control.stateName, Array("\(status.json)\n".utf8))
  }
}

/// The process's own part in the events of an app that stays.
final class StayListener: LifecycleListener {
  private let app: AppRun

  init(_ app: AppRun) { self.app = app }

  var name: String { app.boot.tool.name }

  func receive(_ event: LifecycleEvent) { app.hear(event) }
}

extension ToolError {
  /// Whether it is about who else stays, or about where: nothing to go on without.
  var isAboutControl: Bool {
    switch self {
    case .stays, .noSocket, .socketPath: true
    case .usage, .manifest, .unreadable, .registry, .exists, .nothingStays, .control, .controlFailed, .record,
      .noRecords, .launchFailed, .endless, .system, .other:
      false
    }
  }
}
