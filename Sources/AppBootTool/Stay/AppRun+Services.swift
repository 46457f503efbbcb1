import AppBoot
import AppBootCommands
import AppBootSystem

/// An app's services: their output, their end, and the app's end because of them.
extension AppRun {
  /// Prints an event of a service, and ends the launch or the app if its service's end requires that. Called on the
  /// services' own thread.
  func receive(_ event: ServiceSupervisor.Event) {
    // A line must not end up behind the live line.
    if let live { live.interrupting { show(event) } } else { show(event) }
    switch event {
    case .ended(let id, let end, .finish): endLaunchOrApp("\(id) \(end)")
    case .ended(let id, let end, .fail):
      state.withLock { $0.failedService = id }
      endLaunchOrApp("\(id) \(end)")
    case .output, .restarting, .killed, .ended(_, _, .ignore): break
    }
  }

  private func show(_ event: ServiceSupervisor.Event) {
    let message: String
    switch event {
    case .output(let id, let line):
      return followUp.showLine(line, plan.outline.index(ofStep: id) ?? 0, id, serviceColumns)
    case .restarting(let id, let end, let pause):
      message = "\(id) \(end); restarting in \(DurationText.brief(nanoseconds: pause))"
    case .killed(let id): message = "\(id) did not stop within its grace, and was killed"
    case .ended(let id, let end, .ignore): message = "\(id) \(end)"
    case .ended(let id, let end, .finish): message = "\(id) \(end); stopping"
    case .ended(let id, let end, .fail):
      message = "\(id) \(end); stopping, because its \"onExit\" is \"fail\""
    }
    launch.tool.warn(message, color: launch.color)
  }

  private func endLaunchOrApp(_ reason: String) {
    if state.withLock({ $0.record }) == nil { supervisor.cancel(reason) } else { requestEnd() }
  }

  /// Sends TERM to this process, so that the app ends. Returns false if a signal has asked it to end before.
  ///
  /// - Parameter signal: The signal by which the tool then exits; `nil` for a normal exit.
  @discardableResult
  func requestEnd(by signal: Int32? = nil) -> Bool {
    let isFirst = state.withLock { state in
      guard state.interruption == nil, state.termination.signal == nil else { return false }
      state.interruption = signal
      return true
    }
    if isFirst { Signals.send(Signals.terminate, to: Host.processIdentifier) }
    return isFirst
  }

  /// Stops the services, each after the services that depend on it.
  func stopServices() {
    guard let services else { return }
    var dependents: [String: Set<String>] = [:]
    for (step, others) in plan.dependents(among: serviceSteps) {
      dependents[plan[step].outline.id] = Set(others.map { plan[$0].outline.id })
    }
    services.stopAll(dependents: dependents)
  }
}
