import AppBoot
package import AppBootSystem

/// A supervisor for the services of a launch. It reads their output, restarts them, and stops them at the end.
///
/// Its thread starts when the first service is ready, ends when none runs, and carries out the requests of other
/// threads.
package final class ServiceSupervisor: ServiceHost {
  private struct State: Sendable {
    /// The services that the engine has started and that are not ready yet.
    var starting: [Service] = []
    var services: [Service] = []
    var watched: [ObjectIdentifier: [Int32]] = [:]
    /// The requests that the supervisor's thread has not taken yet.
    var requests: [ServiceRequest] = []
    /// For each service's id, the ids of the services to stop before it; `nil` until all services must stop.
    var dependents: [String: Set<String>]?
    /// True if the app ends, although its services may still run.
    var expectsEnds = false
    var isRunning = false
    var isOver = false

    var isEnding: Bool { expectsEnds || dependents != nil }
  }

  private let poller: Poller
  private let state = Condition(State())
  /// The nanoseconds from the cancellation of a service's task until it is abandoned.
  let cancellationGrace: Int64
  let report: @Sendable (ServiceEvent) -> Void

  /// Creates a supervisor without a thread.
  ///
  /// - Parameters:
  ///   - cancellationGrace: The nanoseconds from the cancellation of a service's task until it is abandoned.
  ///   - report: A function that receives the events. It is called on the supervisor's thread, or on the engine's
  ///     thread if the supervisor's thread cannot start.
  package init(
    cancellationGrace: Int64 = StartupRunner.Configuration.defaultGrace,
    report: @escaping @Sendable (ServiceEvent) -> Void
  ) throws(SystemError) {
    poller = try Poller()
    (self.cancellationGrace, self.report) = (cancellationGrace, report)
  }

  // MARK: - Keeping

  /// Claims the start of a service, so that no other caller starts it. Returns `nil` if the caller must start it, or a
  /// note if it is already running or restarting.
  ///
  /// - Throws: ``ServiceError`` if the services stop, or if an earlier start of the service has not ended.
  func claim(_ service: Service) throws(ServiceError) -> String? {
    try state.withLock { state throws(ServiceError) -> String? in
      if state.dependents != nil { throw .stopping }
      if state.starting.contains(where: { $0.id == service.id }) { throw .busy(.starting) }
      // A service that is down can remain in the list after a later start.
      switch state.services.last(where: { $0.id == service.id })?.phase {
      case .abandoned: throw .stillRuns
      case .stopping: throw .busy(.stopping)
      case .ready: return "already running"
      case .starting, .waiting: return "already running, and restarting"
      case .down, nil:
        state.starting.append(service)
        return nil
      }
    }
  }

  /// Claims the restart of a kept service that is down, so that no step starts it at the same time.
  ///
  /// - Throws: ``ServiceError`` if a step starts it.
  func claimAgain(_ service: Service) throws(ServiceError) {
    try state.withLock { state throws(ServiceError) in
      let isTaken =
        state.starting.contains { $0.id == service.id }
        || state.services.contains { $0.id == service.id && $0 !== service }
      if isTaken { throw .busy(.starting) }
      service.beginStart()
    }
  }

  /// Removes a service that did not start, or that ended before it was ready.
  func forget(_ service: Service) { state.withLock { $0.starting.removeAll { $0 === service } } }

  /// Takes over a service that is ready, or whose task is abandoned. Starts the supervisor's thread for the first one,
  /// and for one that becomes ready after the others were stopped.
  func adopt(_ service: Service) {
    let mustStart = state.withLock { state in
      state.starting.removeAll { $0 === service }
      // An earlier start of the step was abandoned, and its task has ended since.
      state.services.removeAll { $0.id == service.id && $0.phase == .down }
      state.services.append(service)
      defer { (state.isRunning, state.isOver) = (true, false) }
      return !state.isRunning
    }
    guard mustStart else { return poller.wake() }
    do {
      try Thread.start(name: "appboot-services") { [self] in watch() }
    } catch {
      repeat {
        for service in state.withLock(\.services) where !service.phase.isOver {
          service.abandon()
          let words = "was killed: \(error)"
          report(
            .ended(
              id: service.id, end: words, policy: service.onExit,
              failure: Failure(message: words, type: Failure(describing: error).type)))
        }
      } while !end()
    }
  }

  /// Returns the status of each service that was started. Services that have been ready come first.
  package func statuses(measuresMemory: Bool) -> [ServiceStatus] {
    var statuses = state.withLock { $0.services + $0.starting }.map(\.status)
    guard measuresMemory else { return statuses }
    let memory = ProcessMemory.resident(ofTrees: statuses.compactMap(\.pid))
    for index in statuses.indices { statuses[index].memory = statuses[index].pid.flatMap { memory[$0] } }
    return statuses
  }

  /// The states of the services that were started, by id.
  var states: [String: ServiceState] {
    Dictionary(statuses(measuresMemory: false).map { ($0.id, $0.state) }) { first, _ in first }
  }

  /// The last reported health of the services that run, by id.
  var health: [String: ServiceHealth] {
    let reports = statuses(measuresMemory: false).compactMap { status in
      status.health.map { (status.id, $0) }
    }
    return Dictionary(reports) { first, _ in first }
  }

  // MARK: - Stopping

  /// Marks the app as ending. If a service ends from now on, neither `restart` nor `onExit` applies.
  ///
  /// Services continue to run, and requests for them are still carried out.
  package func expectEnds() {
    state.withLock { $0.expectsEnds = true }
    poller.wake()
  }

  /// Stops all services, and waits until all are down. A service is stopped after all services that depend on it.
  ///
  /// - Parameter dependents: For the id of each service, the ids of the services that depend on it.
  package func stopAll(dependents: [String: Set<String>]) {
    guard beginToStopAll(dependents: dependents) else { return }
    state.wait { $0.isOver ? () : nil }
  }

  /// Begins to stop all services, as ``stopAll(dependents:)`` does, without waiting. Returns false if none is up.
  @discardableResult
  func beginToStopAll(dependents: [String: Set<String>]) -> Bool {
    let isRunning = state.withLock { state in
      state.dependents = state.dependents ?? dependents
      return state.isRunning
    }
    if isRunning { poller.wake() }
    return isRunning
  }

  /// Stops all services at the same time, and cancels the tasks of services in Swift without their grace periods.
  package func cancelAll() {
    let services = state.withLock { state in
      state.dependents = state.dependents ?? [:]
      return state.services
    }
    poller.wake()
    for service in services where service.stopSignal == nil { service.kill() }
  }

  /// Kills the processes of all services that have been ready, at once. Use it before the program exits.
  package func killAll() {
    for service in state.withLock(\.services) { service.kill() }
  }

  /// Carries out a request for one service. `reply` is called on the supervisor's thread; if the request is refused, at
  /// once.
  ///
  /// - Parameter limit: The nanoseconds within which a restarted service must be ready; `nil` for no limit.
  package func perform(
    _ action: ServiceAction, on id: String, limit: Int64?,
    reply: @escaping @Sendable (ServiceAnswer) -> Void
  ) {
    let refusal = state.withLock { state -> String? in
      if state.isOver || state.dependents != nil { return ServiceAnswer.stopping }
      guard state.isRunning, let service = state.services.first(where: { $0.id == id }) else {
        return "\"\(id)\" has not been ready in this launch"
      }
      state.requests.append(
        ServiceRequest(action: action, service: service, limit: limit, reply: reply))
      return nil
    }
    if let refusal { reply(.refused(refusal)) } else { poller.wake() }
  }

  /// Undoes the start of a step's service: stops the service, and waits until it is down.
  ///
  /// A service that another launch or event started stays.
  ///
  /// - Throws: ``ServiceError`` if its task ignores its cancellation.
  static func undo(in context: LaunchContext) async throws {
    guard let supervisor = context.services as? ServiceSupervisor, supervisor.isStarted(in: context) else {
      return
    }
    let answer = await withCheckedContinuation { continuation in
      supervisor.perform(.stop, on: context.stepID, limit: nil) { continuation.resume(returning: $0) }
    }
    // A refusal says that all services are stopping anyway.
    if case .failed(_, let reason) = answer { throw ServiceError.notStopped(reason) }
  }

  private func isStarted(in context: LaunchContext) -> Bool {
    let service = state.withLock { $0.services.first { $0.id == context.stepID } }
    return service?.context.host === context.host
  }

  // MARK: - The thread

  private func watch() {
    var desk = ServiceDesk(supervisor: self)
    while true {
      let (services, requests, isStopping) = state.withLock { state in
        defer { state.requests = [] }
        return (state.services, state.requests, state.dependents != nil)
      }
      if isStopping { desk.refuse(requests) } else { desk.take(requests) }
      for service in services { step(service, &desk) }
      while stopNext() {}
      for service in services { desk.settle(service) }
      if isStopping, end() { return }
      for service in services { updateDescriptors(of: service) }
      let deadline = (services.compactMap(\.nextDeadline) + [desk.deadline].compactMap(\.self)).min()
      _ = try? poller.wait(deadline: deadline)
    }
  }

  /// Notes the end of the thread if all services are down. Returns false if one is up, for example because it was
  /// adopted in the meantime.
  private func end() -> Bool {
    let requests = state.withLock { state -> [ServiceRequest]? in
      guard state.services.allSatisfy(\.phase.isOver) else { return nil }
      (state.isRunning, state.isOver) = (false, true)
      defer { state.requests = [] }
      return state.requests
    }
    guard let requests else { return false }
    for request in requests { request.reply(.refused(ServiceAnswer.stopping)) }
    state.broadcast()
    return true
  }

  /// True if the app ends: after a call of ``expectEnds()`` or ``stopAll(dependents:)``.
  private var isEnding: Bool { state.withLock(\.isEnding) }

  private func step(_ service: Service, _ desk: inout ServiceDesk) {
    let now = MonotonicClock.now()
    if case .waiting(_, let until) = service.phase, isEnding || now >= until {
      if isEnding { stop(service) } else { restart(service) }
    }
    if let time = service.killIfDue(at: now) {
      report(.killed(id: service.id, signal: service.stopSignal, after: time))
    }
    defer {
      if let time = service.takeDelay(at: now) {
        report(.delayed(id: service.id, killIn: time, signal: service.stopSignal))
      }
    }
    let (progress, lines) = service.advance()
    if !lines.isEmpty { report(.output(id: service.id, attempt: service.context.attempt, lines)) }
    switch progress {
    case .nothing, .waiting: break
    case .ready:
      var status = service.status
      status.isReadyAgain = !desk.isStarting(service)
      desk.becameReady(service)
      report(.changed(status))
      restartOthers(with: service, at: now)
    case .impossible(let reason):
      let isRequested = desk.isStarting(service)
      desk.fail(service, reason)
      // Of a start on request, neither "restart" nor "onExit" applies.
      if isRequested { stop(service) }
      service.kill()
    case .health(let health):
      report(.health(id: service.id, health))
      report(.changed(service.status))
    case .notLive(let health):
      report(.health(id: service.id, health))
      if !isEnding { service.beginToStop(for: .notLive(health.text), at: now) }
      report(.changed(service.status))
    case .abandoned:
      report(.abandoned(id: service.id))
      report(.changed(service.status))
    case .ended(let end): finish(service, end, at: now, &desk)
    }
  }

  /// Restarts the services whose `restart.with` names a service that is ready again after a restart.
  ///
  /// Does nothing while the app ends.
  private func restartOthers(with service: Service, at now: Int64) {
    if isEnding { return }
    for other in state.withLock(\.services) where other.restart.with?.contains(service.id) == true {
      if other.beginToStop(for: .restarted(service.id), at: now) { report(.changed(other.status)) }
    }
  }

  private func finish(_ service: Service, _ end: ServiceEnd, at now: Int64, _ desk: inout ServiceDesk) {
    let words = service.words(for: end)
    let error = service.error(ending: end)
    unwatch(service)
    service.release()
    if desk.isStarting(service) {
      // The command that asked for the start reports its failure: neither "restart" nor "onExit" applies.
      service.stayDown()
      desk.fail(service, "\(error)")
      return report(.changed(service.status))
    }
    desk.failJoined(service, "\(error)")
    let effect = service.decide(after: end, at: now, isEnding: isEnding)
    report(.changed(service.status))
    guard effect == .end else { return }
    let (raw, secrets) = (Failure(describing: error), service.context.secrets)
    reportEnd(
      of: service, words,
      Failure(
        message: secrets.masking(raw.message), type: raw.type, causes: raw.causes.map { secrets.masking($0) })
    )
  }

  private func restart(_ service: Service) {
    do {
      try service.start()
      report(.changed(service.status))
    } catch {
      service.release()
      let effect = service.decide(after: .exited(-1), at: MonotonicClock.now(), isEnding: isEnding)
      report(.changed(service.status))
      guard effect == .end else { return }
      let reason = service.context.secrets.masking("\(error)")
      let words = "could not be started again: \(reason)"
      reportEnd(of: service, words, Failure(message: words, type: Failure(describing: error).type))
    }
  }

  private func reportEnd(of service: Service, _ words: String, _ failure: Failure) {
    let end = words + (service.exhaustion.map { "; \($0)" } ?? "")
    report(
      .ended(
        id: service.id, end: end, policy: service.onExit, isExhausted: service.exhaustion != nil,
        failure: failure))
  }

  /// Stops every service whose dependents are down. Returns true if one of the stopped services is down at once.
  private func stopNext() -> Bool {
    let ready = state.withLock { state -> [Service] in
      guard let dependents = state.dependents else { return [] }
      let up = Set(state.services.filter { !$0.phase.isOver }.map(\.id))
      return state.services.filter {
        up.contains($0.id) && dependents[$0.id, default: []].isDisjoint(with: up)
      }
    }
    return ready.map { stop($0) }.contains(true)
  }

  /// Asks a service to stop. Returns true if the call made the service go down at once.
  @discardableResult
  func stop(_ service: Service) -> Bool {
    let before = service.phase
    let isDown = service.beginToStop(at: MonotonicClock.now())
    if service.phase != before { report(.changed(service.status)) }
    return isDown
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
