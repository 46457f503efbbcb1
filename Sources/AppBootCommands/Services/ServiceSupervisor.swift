import AppBoot
package import AppBootSystem

/// A supervisor for the services of a launch: it reads their output, restarts them, and stops them at the end.
///
/// It has one thread, which starts with the first service.
package final class ServiceSupervisor: ServiceHost {
  /// The state of one service, for `appboot status`.
  package struct Status: Sendable, Hashable {
    package let id: String
    /// `starting`, `ready`, `restarting`, `stopping` or `down`.
    package let state: String
    package let pid: Int32?
    /// Nanoseconds since its process started.
    package let uptime: Int64?
    package let restarts: Int
  }

  /// An event in the life of a service.
  package enum Event: Sendable, Hashable {
    /// A service printed a line.
    case output(id: String, line: String)
    /// A process ended and is started again after a pause in nanoseconds.
    case restarting(id: String, end: String, pause: Int64)
    /// A service ended for good.
    case ended(id: String, end: String, policy: ServiceExitPolicy)
    /// A service did not stop within its grace, and was killed.
    case killed(id: String)
  }

  private struct State: Sendable {
    var services: [Service] = []
    var watched: [ObjectIdentifier: [Int32]] = [:]
    /// The ids of the services that must be down before a service is stopped.
    var dependents: [String: Set<String>]?
    var isRunning = false
    var isOver = false
  }

  private let poller: Poller
  private let state = Condition(State())
  private let report: @Sendable (Event) -> Void

  /// - Parameter report: Receives events, on the supervisor's thread.
  package init(report: @escaping @Sendable (Event) -> Void) throws(SystemError) {
    poller = try Poller()
    self.report = report
  }

  // MARK: - Keeping

  /// Takes over a service that is ready.
  func adopt(_ service: Service) {
    let mustStart = state.withLock { state in
      state.services.append(service)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    service.follow()
    guard mustStart else { return poller.wake() }
    do {
      try Thread.start(name: "appboot-services") { [self] in watch() }
    } catch {
      for service in state.withLock(\.services) { service.kill() }
      state.withLock { $0.isOver = true }
      state.broadcast()
    }
  }

  /// The states of the services, in the order in which they became ready.
  package var statuses: [Status] {
    let now = MonotonicClock.now()
    return state.withLock(\.services).map { service in
      let pid = service.pid
      return Status(
        id: service.id, state: service.phase.name, pid: pid, uptime: pid.map { _ in now - service.startedAt },
        restarts: service.restarts)
    }
  }

  // MARK: - Stopping

  /// Stops all services, each after the services that depend on it, and waits until all are down.
  ///
  /// - Parameter dependents: For the id of each service, the ids of the services that depend on it.
  package func stopAll(dependents: [String: Set<String>]) {
    let isRunning = state.withLock { state in
      state.dependents = dependents
      return state.isRunning
    }
    guard isRunning else { return }
    poller.wake()
    state.wait { $0.isOver ? () : nil }
  }

  /// Kills all processes at once, for a program that is about to exit.
  package func killAll() {
    for service in state.withLock(\.services) { service.kill() }
  }

  // MARK: - The thread

  private func watch() {
    while true {
      let services = state.withLock(\.services)
      for service in services { step(service) }
      while stopNext() {}
      if state.withLock({ $0.dependents != nil && $0.services.allSatisfy { $0.phase == .down } }) { break }
      for service in services { updateDescriptors(of: service) }
      _ = try? poller.wait(deadline: services.compactMap(\.nextDeadline).min())
    }
    state.withLock { $0.isOver = true }
    state.broadcast()
  }

  private func step(_ service: Service) {
    let now = MonotonicClock.now()
    if case .waiting(let until) = service.phase, now >= until { restart(service) }
    let wasKilled = service.wasKilled
    service.killIfDue(at: now)
    if service.wasKilled, !wasKilled { report(.killed(id: service.id)) }
    let (progress, lines) = service.advance()
    for line in lines { report(.output(id: service.id, line: line.text)) }
    switch progress {
    case .nothing, .ready: break
    case .impossible: service.kill()
    case .ended(let end): finish(service, end, at: now)
    }
  }

  private func finish(_ service: Service, _ end: ProcessEnd, at now: Int64) {
    let wasStopping = if case .stopping = service.phase { true } else { false }
    unwatch(service)
    service.release()
    if service.decide(after: end, at: now) {
      guard case .waiting(let until) = service.phase else { return }
      report(.restarting(id: service.id, end: end.words, pause: until - now))
    } else if !wasStopping {
      report(.ended(id: service.id, end: end.words, policy: service.onExit))
    }
  }

  private func restart(_ service: Service) {
    do {
      try service.start()
    } catch {
      service.release()
      if !service.decide(after: .exited(-1), at: MonotonicClock.now()) {
        let reason = service.context.secrets.masking("\(error)")
        report(.ended(id: service.id, end: "could not be started again: \(reason)", policy: service.onExit))
      }
    }
  }

  /// Stops every service whose dependents are down. Returns true if one of them is down at once.
  private func stopNext() -> Bool {
    let ready = state.withLock { state -> [Service] in
      guard let dependents = state.dependents else { return [] }
      let up = Set(state.services.filter { $0.phase != .down }.map(\.id))
      return state.services.filter {
        up.contains($0.id) && dependents[$0.id, default: []].isDisjoint(with: up)
      }
    }
    let now = MonotonicClock.now()
    return ready.map { $0.beginToStop(at: now) }.contains(true)
  }

  // MARK: - Descriptors

  private func updateDescriptors(of service: Service) {
    let wanted = service.descriptors
    let watched = state.withLock { state in
      defer { state.watched[ObjectIdentifier(service)] = wanted }
      return state.watched[ObjectIdentifier(service)] ?? []
    }
    for descriptor in watched where !wanted.contains(descriptor) { poller.remove(descriptor) }
    for descriptor in wanted where !watched.contains(descriptor) { try? poller.add(descriptor, token: 0) }
  }

  private func unwatch(_ service: Service) {
    let watched = state.withLock { $0.watched.removeValue(forKey: ObjectIdentifier(service)) ?? [] }
    for descriptor in watched { poller.remove(descriptor) }
  }
}

extension Service.Phase {
  /// The phase for `status`.
  fileprivate var name: String {
    switch self {
    case .starting: "starting"
    case .ready: "ready"
    case .waiting: "restarting"
    case .stopping: "stopping"
    case .down: "down"
    }
  }
}
