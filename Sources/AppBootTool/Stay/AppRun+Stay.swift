import AppBoot
import AppBootCommands
import AppBootLifecycle
import AppBootRecords
import AppBootReports
import AppBootSystem

/// The app while it stays after the launch: its signals, its control socket, and its end.
extension AppRun {
  func stay() throws -> ToolExit {
    warnAboutPorts()
    let watch = try AppWatch(self)
    let server = try makeServer()
    tool.log?.keep()
    audience.withLock { $0 = server }
    let signals = SignalEventSource(suspends: false, handlers: handlers) { [self] in passed($0) }
    state.withLock { $0.signals = signals }
    let host = makeHost(loop.execute)
    host.receive(.didFinishLaunching(plan.options)) { [self] _ in reportReady() }
    state.withLock { $0.server = server }
    try server?.start()
    let listing = server.flatMap { _ in
      launch.request.stateDirectory.flatMap { ListedApp.add(state: $0, manifest: plan.outline.manifestName) }
    }
    watch?.start()
    loop.run()
    watch?.stop()
    state.withLock { $0.advance(to: .stopping) }
    stopServices()
    endProcesses()
    state.withLock { $0.advance(to: .over) }
    listing?.remove()
    for reply in state.withLock(\.endReplies) { reply(Control.answer("ended", plan.name.asJSON)) }
    server?.publish(WatchLines.end(at: session.time))
    server?.stop { saveStatus() }
    audience.withLock { $0 = nil }
    if server == nil { saveStatus() }
    state.withLock { $0.server = nil }
    // From now on a signal ends the process, even while its report waits for a reader.
    supervisor.restoreSignals()
    session.settle()
    logs?.settle(within: StandardOutput.patience)
    let exit = exit()
    switch state.withLock(\.end) {
    // The killed processes made the handlers fail, perhaps before the signal has ended this process.
    case .killed(let signal): return .signalled(signal)
    case .cannotStay(let error): throw error
    case .requested, .serviceFailed, nil: return exit
    }
  }

  /// Warns if nothing keeps another app from using the ports of this one.
  private func warnAboutPorts() {
    let hasPorts = serviceSteps.contains { plan.polledCommand($0)?.reservedPorts.isEmpty == false }
    guard hasPorts, RuntimeDirectory.make() == nil else { return }
    tool.warn(
      "ports are not reserved, so another app can choose the same ones: set XDG_RUNTIME_DIR to a directory of your own"
    )
  }

  /// Ends what the steps, the services and the event handlers started and that still runs.
  private func endProcesses() {
    guard plan.startsProcesses, let record = session.record else { return }
    ProcessFamily.endAll(marks: record.processMarks, grace: LaunchRunner.Configuration.defaultGrace)
  }

  private func exit() -> ToolExit {
    guard session.hasLaunched, let record = session.record else {
      supervisor.finish()
      return ending.exit(of: session.record ?? LaunchRunner(plan).snapshot().record, isHanging: true)
    }
    let exit = followUp.end(record)
    let (end, signal) = state.withLock { ($0.end, $0.signal) }
    if case .serviceFailed = end {
      if followUp.notifiesManager { record.reportFailure() }
      return .commandFailed
    }
    if signal == Signals.interrupt { return .signalled(Signals.interrupt) }
    let last = record.events.last { $0.event == EventName.willTerminate.name }
    return exit == .succeeded && last?.record.succeeded == false ? .commandFailed : exit
  }

  /// Creates the server with the control socket. If that is not possible, warns and returns `nil`.
  ///
  /// Returns `nil` without a warning if the app ends after its launch.
  ///
  /// - Throws: ``StayError``, for example if another app uses the socket.
  private func makeServer() throws -> ControlServer? {
    if followUp.thenStops {
      try lockState()
      return nil
    }
    guard let directory = launch.request.stateDirectory else {
      tool.warn(
        "emit and status cannot reach this app: it has no state directory for a socket"
      )
      return nil
    }
    do {
      try DirectoryStateStore(path: directory).prepare()
      let watching = ControlServer.Watching(start: beginWatching, measure: measurement)
      return try ControlServer(in: directory, manifest: plan.outline.manifestName, watching: watching) {
        [self] in answer($0, $1)
      }
    } catch let error as StayError {
      throw error
    } catch {
      tool.warn("emit and status cannot reach this app: \(error.reportable.message)")
      return nil
    }
  }

  /// Locks the state directory of an app that ends after its launch. Two apps must not start the same services.
  ///
  /// - Throws: ``StayError`` if an app uses the directory.
  private func lockState() throws {
    guard let directory = launch.request.stateDirectory else { return }
    do {
      try DirectoryStateStore(path: directory).prepare()
      let lock = try ControlServer.lock(directory, for: plan.outline.manifestName)
      state.withLock { $0.lock = lock }
    } catch let error as StayError {
      throw error
    } catch {}  // The launch warns if it cannot write its state.
  }

  // MARK: - After the launch

  /// Passes signals to the app as events from now on. No signal is lost. Ends the app if the launch failed.
  func takeOver(after record: LaunchRecord, by signals: SignalEventSource) {
    supervisor.finish()
    guard let host = state.withLock({ $0.host }), record.succeeded else {
      // Events that waited for the launch are refused.
      state.withLock { $0.host }?.end()
      if services == nil || !watchEnd() { supervisor.restoreSignals() }
      return loop.stop()
    }
    // After the signals: a blocked write of the report must not keep TERM from ending the app.
    defer { followUp.showLaunch(record) }
    signals.begin(with: supervisor.signal, from: supervisor.pipe)
    do {
      try attach(signals, to: host)
      watchReader()
      if state.withLock({ $0.end != nil }) || (plan.events.isEmpty && hasNoService) {
        afterServiceEvents { [self] in requestEnd() }
      } else if followUp.thenStops {
        requestEnd(isPatient: true)
      } else {
        state.withLock { $0.stays = true }
      }
    } catch {
      // Without signals, no event would end the app.
      state.withLock { $0.end(by: .cannotStay(error)) }
      host.end()
      loop.stop()
    }
  }

  /// Reports to the service manager that the app is up. Its status says so by then.
  private func reportReady() {
    guard followUp.notifiesManager, state.withLock({ $0.stays && $0.end == nil }) else { return }
    ServiceManager.report(.ready)
    if let interval = ServiceManager.aliveInterval { reportAlive(every: interval) }
  }

  /// Reports to the service manager's watchdog that the app is up, while no live probe of a service fails.
  private func reportAlive(every interval: Int64) {
    let due = MonotonicClock.now() + interval
    ThreadTimer.shared.schedule(after: interval) { [self] in
      // Without a thread for the timer, the call is made at once.
      guard MonotonicClock.now() >= due else { return }
      let statuses = services?.statuses(measuresMemory: false) ?? []
      if statuses.allSatisfy({ $0.isTask || $0.health?.isHealthy != false }) { ServiceManager.report(.alive) }
      reportAlive(every: interval)
    }
  }

  /// Attaches the signals to the host. If too few descriptors are free, the logs give up theirs.
  private func attach(_ signals: SignalEventSource, to host: LifecycleHost) throws {
    do {
      try host.attach(signals)
    } catch let error as SystemCallFailed where error.isShortage {
      guard let logs else { throw error }
      try logs.withFilesClosed { try host.attach(signals) }
    }
  }

  /// Makes a second signal end the app at once, while its services stop after a failed launch.
  ///
  /// Returns false if the signals cannot be handled.
  private func watchEnd() -> Bool {
    state.withLock { $0.termination = supervisor.termination }
    var handlers: [Int32: @Sendable () -> Void] = [:]
    for signal in Signals.terminating { handlers[signal] = { [self] in terminate(by: signal) } }
    let signals = SignalEventSource(handlers: handlers)
    signals.begin(with: nil, from: supervisor.pipe)
    state.withLock { $0.signals = signals }
    return (try? signals.start { _ in }) != nil
  }

  private var handlers: [Int32: @Sendable () -> Void] {
    var handlers: [Int32: @Sendable () -> Void] = [:]
    for signal in [Signals.terminate, Signals.interrupt, Signals.quit] {
      handlers[signal] = { [self] in terminate(by: signal) }
    }
    for signal in Signals.explaining { handlers[signal] = { [self] in explain() } }
    handlers[Signals.terminalStop] = { [self] in
      state.withLock { state in
        state.suspensions += 1
        state.suspension = state.suspensions
      }
    }
    // A CONT before the stop would be lost: it cancels the pending suspension.
    handlers[Signals.resume] = { [self] in state.withLock { $0.suspension = nil } }
    return handlers
  }

  /// Handles a signal that asks the app to end.
  private func terminate(by signal: Int32) {
    let now = MonotonicClock.now()
    let effect = state.withLock { state in
      // It takes precedence over a pending suspension.
      state.suspension = nil
      return state.termination.receive(signal, at: now)
    }
    switch effect {
    case .end:
      tool.hurry()
      showInterruption()
      beginToEnd(by: Signals.name(signal))
      // The source of signals sends the event for a TERM.
      if signal != Signals.terminate { sendLastEvent() }
    case .nothing: break
    case .endAtOnce: endAtOnce(signal)
    }
  }

  /// Makes the app end for a reason other than a signal, unless a signal ends it.
  ///
  /// - Parameter isPatient: True to wait for the handlers of the events of the launch; false to cancel those that run.
  func requestEnd(isPatient: Bool = false) {
    if isPatient, let host = state.withLock(\.host) {
      // The event `didBecomeActive` and those that steps emitted follow the current one.
      return host.afterEvents { host.afterEvents { [self] in requestLastEvent(cancels: false) } }
    }
    requestLastEvent(cancels: true)
  }

  private func requestLastEvent(cancels: Bool) {
    let isEnding = state.withLock { state in
      if state.signal == nil { state.end(by: .requested) }
      return state.signal != nil
    }
    if isEnding { return }
    tool.acceptAll()
    if cancels { beginToEnd(by: "the request to end the app") }
    sendLastEvent()
  }

  /// Calls a function when the events of services so far are handled.
  func afterServiceEvents(_ body: @escaping @Sendable () -> Void) {
    guard let host = state.withLock(\.host) else { return body() }
    host.afterServiceEvents(body)
  }

  private func sendLastEvent() { state.withLock(\.host)?.receive(.willTerminate) { _ in } }

  /// Cancels the running handlers, so that `willTerminate` begins soon.
  private func beginToEnd(by reason: String) {
    services?.expectEnds()
    schedule(after: Self.endingTimeout) { [self] in
      end(after: Self.endingTimeout, reason) { $0 < .ending }
    }
    session.cancel(reason)
  }

  /// Schedules the end of an app that hangs. Without a thread for the timer the call is made at once: it has no effect.
  private func schedule(after time: Int64, _ end: @escaping @Sendable () -> Void) {
    let due = MonotonicClock.deadline(after: time)
    ThreadTimer.shared.schedule(after: time) { if MonotonicClock.now() >= due { end() } }
  }

  /// The nanoseconds after a signal within which `willTerminate` must begin.
  private static let endingTimeout: Int64 = 10_000_000_000
  /// The nanoseconds after the timeout of `willTerminate` until the app ends. They are more than the default grace
  /// period of the handlers.
  private static let lastGrace: Int64 = 4_000_000_000

  /// Starts the timeout of `willTerminate`. It is called before the first handler of `willTerminate`.
  func beginToEnd() {
    state.withLock { $0.advance(to: .ending) }
    services?.expectEnds()
    if followUp.notifiesManager { ServiceManager.report(.stopping) }
    // The session cancels the handlers at the timeout. The process ends if they still run after the grace.
    let timeout = session.lastTimeout
    schedule(after: timeout.addingClamped(Self.lastGrace)) { [self] in
      let words = DurationText.exact(.nanoseconds(timeout))
      end(after: Self.lastGrace, "the \(words) timeout of willTerminate") { $0 < .stopping }
    }
  }

  /// Ends the app by TERM if its current event hangs.
  ///
  /// - Parameters:
  ///   - time: The nanoseconds that the event had to end.
  ///   - words: The words for the start of that time in the warning.
  ///   - isHung: A function that returns whether the event hangs.
  private func end(after time: Int64, _ words: String, where isHung: (Phase) -> Bool) {
    let isHung = state.withLock { state in
      defer { if isHung(state.phase) { state.advance(to: .over) } }
      return isHung(state.phase)
    }
    guard isHung else { return }
    let place = currentEvent.map { "the handlers of \($0)" } ?? "an event"
    let timeText = DurationText.exact(.nanoseconds(time))
    tool.warn("\(place) did not end within \(timeText) after \(words); ending the app")
    tool.settle(within: StandardOutput.patience)
    leave()
    logs?.settle(within: StandardOutput.patience)
    endAtOnce(Signals.terminate)
  }

  /// Ends the app when its launch or `willTerminate` hangs and its timeout has passed.
  func endHung(_ record: LaunchRecord) -> Never {
    state.withLock { $0.advance(to: .over) }
    leave()
    ending.endProcess(of: record)
  }

  /// Kills the services, removes the control socket, and saves the final status.
  private func leave() {
    services?.killAll()
    state.withLock { $0.server }?.remove()
    saveStatus()
  }

  private func endAtOnce(_ signal: Int32) {
    let server = state.withLock { state in
      state.end(by: .killed(by: signal))
      state.advance(to: .over)
      return state.server
    }
    server?.remove()
    services?.killAll()
    session.endProcesses()
    let name = tool.errorStyle.visible(plan.name)
    let isShown = services != nil && !followUp.isQuiet
    tool.endErrors(with: isShown ? "\(tool.name): \(name) was ended at once by \(Signals.name(signal))" : nil)
    Subreaper.endDescendants()
    // A disk that stalls must not keep the process from ending.
    let saving = BackgroundJob(name: "appboot-status")
    saving.request { [self] in saveStatus() }
    saving.settle(within: StandardOutput.patience)
    Signals.raiseDefault(signal)
  }

  private func explain() {
    guard
      let status = try? JSONDocument(
        parsing: SourceText(name: "status", text: status(isAnswer: true).json)
      ).root
    else {
      return
    }
    tool.errors.offer(StatusText(status: status, style: tool.errorStyle).text)
  }

  /// Saves the status after an event. After `willTerminate`, also ends the main loop.
  func finish(_ event: LifecycleEvent) {
    saveStatus()
    if event != .willTerminate { endIfIdle() }
    if event == .didReceiveReload, followUp.notifiesManager { ServiceManager.report(.ready) }
    if event == .willTerminate {
      // No event follows it: neither a waiting one, nor one that its handlers emitted.
      state.withLock { $0.host }?.end()
      loop.stop()
    }
  }

  /// The maximum nanoseconds until a TSTP stops the process. Handlers run meanwhile; iOS gives an app about as much
  /// time.
  private static let suspensionTimeout: Int64 = 5_000_000_000

  /// Handles a TSTP after its events were sent: stops the process when they are handled, or after
  /// ``suspensionTimeout``.
  private func passed(_ signal: Int32) {
    guard signal == Signals.terminalStop else { return }
    let (host, number) = state.withLock { ($0.host, $0.suspensions) }
    host?.afterEvents { [self] in suspend(number) }
    ThreadTimer.shared.schedule(after: Self.suspensionTimeout) { [self] in suspend(number) }
  }

  private func suspend(_ number: Int) {
    guard state.withLock({ $0.suspension == number }) else { return }
    // A CONT that is still in the pipe cancels the suspension.
    supervisor.pipe.waitUntilRead()
    let isDue = state.withLock { state in
      guard state.suspension == number else { return false }
      state.suspension = nil
      return true
    }
    guard isDue else { return }
    // A stopped process writes nothing: what was printed before comes out before.
    tool.settle(within: 100_000_000)
    SignalEventSource.suspend()
  }

  // MARK: - Answers

  /// Carries out a request, and calls `reply` with the answer.
  private func answer(_ request: ControlRequest, _ reply: @escaping @Sendable (String) -> Void) {
    switch request {
    // The server begins to watch without a reply.
    case .status, .watch: reply(statusAnswer())
    case .end: end(reply)
    case .service(let action, let id): perform(action, on: id, reply)
    case .emit(let name, let payload, let url, let scene):
      do throws(LifecycleEventError) {
        let event = try LifecycleEvent(
          name: name, payload: payload, url: url, scene: scene.map { SceneID($0) },
          declared: tool.registry.events + plan.codedEvents)
        answer(event, reply)
      } catch {
        reply(ControlError.usage(plan.environment.secrets.masking(error.description)).json)
      }
    }
  }

  /// Ends the app, or cancels its launch, and replies when it has ended.
  private func end(_ reply: @escaping @Sendable (String) -> Void) {
    let isFirst = state.withLock { state in
      defer { state.end(by: .requested) }
      state.endReplies.append(reply)
      return !state.isEnding
    }
    if isFirst { tool.inform("stopping, as requested") }
    if session.record == nil { supervisor.cancel("a request to end the app") } else { requestEnd() }
  }

  private func answer(_ event: LifecycleEvent, _ reply: @escaping @Sendable (String) -> Void) {
    // The host would refuse it only after the handlers of willTerminate.
    guard let host = state.withLock({ $0.phase == .running ? $0.host : nil }) else {
      return reply(ControlError.ending.json)
    }
    host.receive(event) { outcome in
      if let refusal = outcome.refusal { return reply(ControlError.refused(refusal.description).json) }
      reply(Control.answer("outcome", outcome.json(upTo: Control.limit)))
    }
  }

  private func statusAnswer() -> String {
    let answer = Control.answer("status", status(isAnswer: true).json)
    guard answer.utf8.count >= Control.limit else { return answer }
    let size = "the status has \(answer.utf8.count) bytes, more than the limit of \(Control.limit)"
    return ControlError.refused("\(size): read \(Control.stateName) in the state directory").json
  }

  // MARK: - Status

  /// - Parameter isAnswer: True for an answer, which also has the memory of the services and what they need.
  func status(isAnswer: Bool = false) -> AppStatus {
    let state = lifecycle.store.state
    var services = serviceStatuses(measuresMemory: isAnswer)
    let needs = isAnswer ? plan.serviceNeeds : [:]
    for index in services.indices { services[index].needs = needs[services[index].id] ?? [] }
    return AppStatus(
      name: plan.name, manifest: plan.outline.manifestName, process: Host.processIdentifier,
      startedAt: startedAt, state: state,
      listeners: lifecycle.mediator.listenerNames, handlers: plan.events.keys.sorted(),
      safeMode: session.safeMode?.reason ?? "off",
      services: services,
      currentEvent: currentEvent)
  }

  /// The name of the event whose handlers run now, with its scene or its service; `nil` if no handlers run.
  private var currentEvent: String? {
    session.currentEvent.map { EventRecord.name($0.name, in: $0.scene?.name, for: $0.service?.id) }
  }

  /// Saves the status. The subcommand `status` can then show it even after a crash.
  private func saveStatus() {
    var status = status()
    let (phase, end) = state.withLock { ($0.phase, $0.end) }
    if phase == .over { status.endedAt = WallClock.timestamp() }
    if case .killed(let signal) = end { status.endedBy = Signals.name(signal) }
    try? store.write(Control.stateName, Array("\(status.json)\n".utf8))
    if phase == .over { removeOldStatus() }
  }

  /// Removes the stored status if it is an earlier one of this app, because the last one could not be saved. `status`
  /// would report a crash.
  private func removeOldStatus() {
    guard let directory = launch.request.stateDirectory,
      let bytes = try? DirectoryStateStore(path: directory).read(Control.stateName),
      let status = try? JSONDocument(parsing: SourceText(name: Control.stateName, bytes: bytes)).root,
      (try? status["process"]?.integer(as: Int32.self)) == Host.processIdentifier, status["endedAt"] == nil,
      (try? FileSystem.remove(FileSystem.join(directory, Control.stateName))) != nil
    else { return }
    tool.warn("the last status could not be saved, so `\(tool.name) status` does not show how the app ended")
  }
}
