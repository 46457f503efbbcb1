import AppBoot
import AppBootRecords
import AppBootCommands
import AppBootLifecycle
import AppBootSystem

/// The services of an app: their output, their end, and the end of the app because of a service.
extension AppRun {
  /// Prints an event of a service. Ends the launch or the app if the end of the service requires that.
  ///
  /// It is called on the thread of the services.
  func receive(_ event: ServiceEvent) {
    // The end of the process kills the services.
    if isKilled { return }
    // A line must not end up behind the live line.
    live.interrupting { show(event) }
    switch event {
    case .ended(_, _, .ignore, _, _), .killed: session.add(event)
    case .ended(let id, let end, let policy, _, _):
      // A service that fails after a signal does not make the launch fail.
      session.add(event, isVerdict: supervisor.signal == nil)
      services?.expectEnds()
      state.withLock { $0.end(by: policy == .fail ? .serviceFailed : .requested) }
      endLaunchOrApp("\(id) \(end)")
    case .output, .changed, .delayed, .abandoned, .health: break
    }
  }

  private func show(_ event: ServiceEvent) {
    followUp.showService(event, plan.outline.index(ofStep: event.id) ?? 0, plan.outline, serviceColumns)
    let message: String
    switch event {
    case .output: return
    case .changed(let status) where status.isReadyAgain:
      let process = status.pid.map { ", process \($0)" } ?? ""
      return tool.inform("\(status.id) is ready again\(process)")
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
        case .ignore: ""
        case .finish: "; stopping"
        case .fail: "; stopping, because its \"onExit\" is \"fail\""
        }
      let advice = isExhausted ? "; `\(tool.name) logs \(id)` shows its output" : ""
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
      services?.statuses(measuresMemory: false).filter { ![.stopped, .ended].contains($0.state) }.map(\.id)
      ?? []
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
    guard let services, let step = plan.outline.index(ofStep: id), known.contains(id) else {
      return reply(ControlError.usage(Self.noService(id, known: known)).json)
    }
    services.perform(action, on: id, limit: plan[step].timeoutTime) { [self] answer in
      live.interrupting { show(answer, to: action) }
      reply(Self.text(of: answer))
    }
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
      tool.inform("\(status.id) was \(verb) by a request")
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
      if let failure { writer.member("failure", failure.cut(to: Control.limit / 8)) }
      status.write(to: &writer)
    }
    return Control.answer("service", json)
  }

  /// Returns the states of all services in the plan.
  func serviceStatuses(measuresMemory: Bool) -> [ServiceStatus] {
    let started = services?.statuses(measuresMemory: measuresMemory) ?? []
    let record = session.record
    return serviceSteps.map { step in
      let id = plan[step].id
      if let status = started.last(where: { $0.id == id }) { return status }
      if case .skipped = record?[step].state { return ServiceStatus(id: id, state: .skipped, onExit: nil) }
      return ServiceStatus(
        id: id, state: record == nil ? .waiting : .failed,
        onExit: plan.onExit(ofService: step))
    }
  }

  // MARK: - The end

  private func endLaunchOrApp(_ reason: String) {
    // A launch that has ended, and has no record yet, cannot be cancelled any more: `takeOver` ends the app then.
    if session.record == nil { supervisor.cancel(reason) } else { requestEnd() }
  }

  /// Makes the app end, unless a signal has asked it to end.
  func requestEnd() {
    let isFirst = state.withLock { state in
      if state.signal == nil { state.end(by: .requested) }
      return state.signal == nil
    }
    if isFirst { sendTerm() }
  }

  /// Sends TERM to this process, unless the app did that before. It is not counted as a signal from outside.
  func sendTerm() {
    let isFirst = state.withLock { state in
      guard !state.hasSentTerm else { return false }
      state.hasSentTerm = true
      state.expectsTerm = true
      return true
    }
    if isFirst { Signals.send(Signals.terminate, to: Host.processIdentifier) }
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
