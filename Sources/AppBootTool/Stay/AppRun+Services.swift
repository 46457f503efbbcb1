import AppBoot
import AppBootRecords
import AppBootCommands
import AppBootLifecycle
import AppBootSystem

/// The services of an app: their output, their end, and the end of the app because of a service.
extension AppRun {
  /// Prints an event of a service. Ends the launch or the app if the end of the service requires that.
  ///
  /// It is called on the thread of the services, and for the first start of a service on a thread of the launch.
  func receive(_ event: ServiceEvent) {
    // The end of the process kills the services.
    if isKilled { return }
    // A line must not end up behind the live line.
    live.interrupting { show(event) }
    switch event {
    case .killed: session.add(event)
    case .changed(let status) where status.shutdownFailure != nil: session.add(event)
    case .ended(_, _, .ignore, _, _):
      session.add(event)
      endIfIdle()
    // No event of its end follows.
    case .changed(let status) where status.state == .failed: endIfIdle()
    case .ended(let id, let end, let policy, _, _):
      // A service that fails after a signal does not make the launch fail.
      session.add(event, isVerdict: supervisor.signal == nil)
      services?.expectEnds()
      state.withLock { $0.end(by: policy == .fail ? .serviceFailed : .requested) }
      endLaunchOrApp(with: id, "\(id) \(end)")
    case .output where followUp.staysForServices && tool.output.isClosed: endWithReader()
    case .output, .changed, .delayed, .abandoned, .health: break
    }
  }

  private func show(_ event: ServiceEvent) {
    watched.write(event, step: plan.outline.index(ofStep: event.id) ?? 0, in: plan.outline)
    followUp.showService(event, plan.outline.index(ofStep: event.id) ?? 0, plan.outline, serviceColumns)
    let message: String
    switch event {
    case .output: return
    case .changed(let status) where status.isReadyAgain:
      let process = status.pid.map { ", process \($0)" } ?? ""
      return tool.inform("\(status.id) is ready again\(process)")
    case .changed(let status) where status.shutdownFailure != nil:
      message = "\(status.id) \(status.shutdownFailure ?? "")"
    case .changed(let status) where status.state == .stopped && showsEnd:
      let end = status.end.map { " (\($0))" } ?? ""
      return tool.inform("\(status.id) has stopped\(end)")
    case .changed(let status):
      guard let pause = status.pause, let end = status.end else { return }
      guard pause > 0 else {
        return tool.inform("\(status.id) \(end); starting it again")
      }
      message = "\(status.id) \(end); restarting in \(DurationText.brief(nanoseconds: pause))"
    case .health(let id, let health):
      let words = "\(id) is \(health.words)"
      if health.isHealthy { return tool.inform(words) }
      message = words
    case .abandoned(let id): message = "\(id) ignores its cancellation, and still runs"
    case .delayed(let id, let time, let signal):
      return tool.inform(delay(of: id, time, "\(signal == nil ? "cancel" : "KILL") in"))
    case .killed(let id, let signal, let time):
      let time = DurationText.brief(nanoseconds: time)
      message =
        signal.map { "\(id) did not stop within \(time) of \(Signals.name($0)), and was killed" }
        ?? "\(id) did not shut down within \(time), and was cancelled"
    case .ended(let id, let end, let policy, let isExhausted, _):
      let effect =
        switch policy {
        case .ignore: services?.isWatched(id) == true ? "; it starts again after the next change" : ""
        case .finish: "; stopping"
        case .fail: "; stopping the app: \"onExit\" is \"fail\", the default"
        }
      let advice =
        isExhausted && logs != nil
        ? "; `\(tool.name) logs \(StepArgument.operand(id))` shows its output" : ""
      message = "\(id) \(end)\(effect)\(advice)"
      if policy == .fail { return tool.report(ToolError(message)) }
    }
    tool.warn(message)
  }

  private var isKilled: Bool { state.withLock(\.isKilled) || supervisor.isKilled }

  /// True if the end of the app is printed, because a signal requests it.
  private var showsEnd: Bool { !followUp.isQuiet && state.withLock { $0.signal != nil && !$0.isKilled } }

  /// Prints which services a signal stops.
  func showInterruption() {
    guard showsEnd else { return }
    let ids =
      services?.statuses(measuresMemory: false).filter { $0.uptime != nil }.map(\.id) ?? []
    guard !ids.isEmpty else { return }
    tool.inform("stopping \(ids.joined(separator: ", "))")
  }

  /// Returns a message about a service that is slow to stop. The first one explains how to end the app at once.
  private func delay(of id: String, _ time: Int64, _ effect: String) -> String {
    let (seconds, rest) = time.quotientAndRemainder(dividingBy: 1_000_000_000)
    let kill = DurationText.exact(.seconds(rest > 0 ? seconds + 1 : seconds))
    let message = "stopping \(id) (\(effect) \(kill))"
    let (isFirst, signal) = state.withLock { state in
      let signal = supervisor.signal ?? state.signal
      guard state.phase >= .stopping || signal != nil else { return (false, signal) }
      defer { state.hasShownDelay = true }
      return (!state.hasShownDelay, signal)
    }
    guard isFirst else { return message }
    let times = signal == nil ? "twice " : signal == Signals.interrupt ? "again " : ""
    return "\(message); Control-C \(times)ends it at once"
  }

  // MARK: - Requests

  /// Carries out a request for one service. Calls `reply` when the service is stopped or ready, or when the request has
  /// failed.
  func perform(_ action: ServiceAction, on id: String, _ reply: @escaping @Sendable (String) -> Void) {
    let known = serviceSteps.map { plan[$0].id }
    guard let services, known.contains(id) else {
      let problem = plan.environment.secrets.masking(Self.noService(id, known: known))
      return reply(ControlError.usage(problem).json)
    }
    let changed: LaunchPlan?
    do {
      // Before the request, because the thread of the services must not wait for the disk.
      changed = [.start, .restart].contains(action) ? try changedPlan(for: id) : nil
    } catch {
      let advice = error is PlanError ? ": `\(tool.name) validate` shows the mistakes" : ""
      let problem = plan.environment.secrets.masking(error.reportable.message + advice)
      return reply(ControlError.refused(problem).json)
    }
    services.perform(action, on: id, renewing: changed) { [self] answer in
      live.interrupting { show(answer, to: action) }
      reply(Self.text(of: answer))
    }
  }

  /// Reads the manifest and its environment files again. Returns the plan if it may have changed since the launch.
  ///
  /// - Throws: An error of the manifest; ``ToolError`` if its steps or their order have changed.
  private func changedPlan(for id: String) throws -> LaunchPlan? {
    let path = launch.request.manifest
    // A pipe cannot be read again, and would block the app.
    guard path != "-", let text = plan.outline.manifest?.text, FileSystem.kind(of: path) != .other else {
      return nil
    }
    let manifest = try Manifest(reading: path)
    let isSame = manifest.source == text && !state.withLock { $0.renewed.contains(id) }
    let new: LaunchPlan
    do {
      new = try launch.request.plan(manifest, tool.registry, state: store)
    } catch {
      if isSame { return nil }
      throw error
    }
    if isSame, new.environment.fileVariables == plan.environment.fileVariables,
      new.environment.stepVariables == plan.environment.stepVariables
    {
      return nil
    }
    guard new.outline.hasSameSteps(as: plan.outline), let step = new.outline.index(ofStep: id) else {
      throw ToolError("the steps of \(path) or their order have changed: restart the app")
    }
    guard new.serviceMaker(step) != nil else {
      throw ToolError("the entry \"\(id)\" of \(path) is no longer a service: restart the app")
    }
    state.withLock { _ = $0.renewed.insert(id) }
    return new
  }

  private static func noService(_ id: String, known: [String]) -> String {
    let problem = "there is no service \"\(id)\""
    if known.isEmpty { return "\(problem); the app has no services" }
    if let close = ClosestName.to(id, among: known) { return "\(problem); did you mean \"\(close)\"?" }
    return "\(problem); the services are \(known.joined(separator: ", "))"
  }

  private func show(_ answer: ServiceAnswer, to action: ServiceAction) {
    let verb =
      switch action {
      case .stop: "stopped"
      case .restart: "restarted"
      case .start: "started"
      case .kill(let signal): "sent \(Signals.name(signal))"
      }
    switch answer {
    case .done(let status):
      tool.inform("\(status.id) was \(verb), as requested\(status.isRenewed ? ", \(Control.renewed)" : "")")
      if let doubt = status.doubt { tool.warn("\(status.id): \(doubt.words)") }
    case .failed(let status, let reason):
      tool.warn("\(status.id) was not \(verb): \(reason)", keepsLines: true)
    case .unchanged, .refused: break
    }
  }

  private static func text(of answer: ServiceAnswer) -> String {
    let status: ServiceStatus
    var failure: String?
    var isUnchanged = false
    switch answer {
    case .done(let done): status = done
    case .unchanged(let ready): (status, isUnchanged) = (ready, true)
    case .failed(let failed, let reason): (status, failure) = (failed, reason)
    case .refused(let reason): return ControlError.refused(reason).json
    }
    let json = JSONWriter.object { writer in
      writer.member("id", status.id)
      writer.member("succeeded", failure == nil)
      if isUnchanged { writer.member("unchanged", true) }
      if status.isRenewed { writer.member("renewed", true) }
      if let failure { writer.member("failure", failure.cut(to: Control.limit / 8)) }
      status.write(to: &writer)
    }
    return Control.answer("service", json)
  }

  /// Returns the states of all services in the plan.
  func serviceStatuses(measuresMemory: Bool) -> [ServiceStatus] {
    // Before the statuses: a service that is ready when the launch ends is then among them.
    let record = session.record
    let started = services?.statuses(measuresMemory: measuresMemory) ?? []
    return serviceSteps.map { step in
      let id = plan[step].id
      if let status = started.last(where: { $0.id == id }) { return status }
      let state: ServiceState =
        switch record?[step].state {
        case nil: .waiting
        case .skipped, .cancelled: .skipped
        case .waiting, .ready, .running, .succeeded, .failed, .timedOut: .failed
        }
      return ServiceStatus(
        id: id, state: state, onExit: state == .skipped ? nil : plan.onExit(ofService: step))
    }
  }

  // MARK: - The end

  /// Ends the app when the reader of its standard output has ended, for example `head`, as a program in a pipe ends.
  func watchReader() {
    guard followUp.staysForServices, FileSystem.isPipe(tool.output.descriptor) else { return }
    // Without a thread, the next line of output shows it.
    _ = try? Thread.start(name: "appboot-reader", stackSize: 1 << 18) { [self] in
      while state.withLock({ $0.phase == .running }) {
        let deadline = MonotonicClock.now() + Self.readerInterval
        if tool.output.isClosed || tool.output.waitForReaderEnd(until: deadline) { return endWithReader() }
      }
    }
  }

  /// The nanoseconds after which the thread that watches the reader looks whether the app ends.
  private static let readerInterval: Int64 = 10_000_000_000

  private func endWithReader() {
    guard session.record != nil, !state.withLock(\.isEnding) else { return }
    tool.inform("standard output was closed; stopping")
    requestEnd()
  }

  /// Ends the app if it stays only because of services, and none is left. A running event handler may start one.
  func endIfIdle() {
    // When the launch has ended, and after each event, this is checked again.
    guard isIdle, let host = state.withLock(\.host) else { return }
    // The events that wait, and those that handlers emitted, come first: their handlers may start a service.
    host.afterServiceEvents { [self] in
      host.whenIdle { [self] in
        guard isIdle else { return }
        if !followUp.isQuiet { tool.inform("no service is left; stopping") }
        requestEnd()
      }
    }
  }

  private var isIdle: Bool {
    session.record?.succeeded == true && session.currentEvent == nil && hasNoService
      && !state.withLock(\.isEnding)
  }

  /// True if the app stays only because of services, and none of them can become ready again without a request.
  ///
  /// A service that a request stopped can be started again.
  var hasNoService: Bool {
    let others = services?.statuses(measuresMemory: false) ?? []
    return followUp.staysForServices
      && (serviceStatuses(measuresMemory: false) + others).allSatisfy(\.isOver)
  }

  private func endLaunchOrApp(with service: String, _ reason: String) {
    guard session.record == nil else { return afterServiceEvents { [self] in requestEnd() } }
    // A launch that has ended, or whose last step is that of the service, has nothing to cancel: `takeOver` ends the
    // app then.
    if supervisor.hasUnfinishedSteps(besides: service) { supervisor.cancel(reason) }
  }

  /// Stops all services. A service is stopped after all services that depend on it.
  func stopServices() {
    guard let services else { return }
    defer {
      if showsEnd {
        let signal = state.withLock(\.signal) ?? Signals.terminate
        let isInterrupted = signal == Signals.interrupt
        let cause = isInterrupted ? "interrupted by Control-C" : "ended by \(Signals.name(signal))"
        tool.inform("\(plan.name) has stopped: \(cause)")
      }
    }
    // A service may print while it stops, even if a reader is slow.
    tool.acceptAll()
    let dependents = plan.serviceDependents
    guard tool.runsCodeOfApp else {
      return services.stopAll(dependents: dependents)
    }
    // The shutdown of a service in Swift may use the main actor.
    let loop = MainLoop()
    Thread.detach(name: "appboot-shutdown") { [dependents] in
      services.stopAll(dependents: dependents)
      loop.stop()
    }
    loop.run()
  }
}
