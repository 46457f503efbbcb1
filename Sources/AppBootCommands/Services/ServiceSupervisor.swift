package import AppBoot
package import AppBootLifecycle
package import AppBootSystem

/// A supervisor for the services of a launch. It reads their output, restarts them, and stops them at the end.
///
/// Its thread starts with the first service, and ends when all services have been stopped. It drives them from their
/// start on, and carries out the requests of other threads.
package final class ServiceSupervisor: ServiceHost, PortReserving, LifecycleEventSource {
  private struct State: Sendable {
    /// The ids of the services that steps start at this moment.
    var claims: Set<String> = []
    var services: [Service] = []
    /// The ids of the services that start again after changes of their files.
    var restartsAfterChanges: Set<String> = []
    var watched: [ObjectIdentifier: [Int32]] = [:]
    /// The requests that the supervisor's thread has not taken yet.
    var requests: [ServiceRequest] = []
    /// For each service's id, the ids of the services to stop before it; `nil` until all services must stop.
    var dependents: [String: Set<String>]?
    /// True if the app ends, although its services may still run.
    var expectsEnds = false
    var isRunning = false
    var isOver = false
    /// True if the thread must look at every service: a request came, or a service was added.
    var mustLook = false

    var isEnding: Bool { expectsEnds || dependents != nil }
  }

  private let poller: Poller
  private let state = Condition(State())
  /// The ports of the services, which stay reserved until the app ends.
  let ports = PortReservations()
  /// The nanoseconds from the cancellation of a service's task until it is abandoned.
  let cancellationGrace: Int64
  let report: @Sendable (ServiceEvent) -> Void
  /// The function that receives the lifecycle events of services; `nil` without a host for them.
  private let receiver = Lock<(@Sendable (LifecycleEvent) -> Void)?>(nil)

  /// Creates a supervisor without a thread.
  ///
  /// - Parameters:
  ///   - cancellationGrace: The nanoseconds from the cancellation of a service's task until it is abandoned.
  ///   - report: A function that receives the events. It is called on the supervisor's thread, and for the first start
  ///     of a service on the engine's.
  package init(
    cancellationGrace: Int64 = LaunchRunner.Configuration.defaultGrace,
    report: @escaping @Sendable (ServiceEvent) -> Void
  ) throws(SystemError) {
    poller = try Poller()
    (self.cancellationGrace, self.report) = (cancellationGrace, report)
  }

  /// Starts sending the lifecycle events of services.
  package func start(_ receive: @escaping @Sendable (LifecycleEvent) -> Void) {
    receiver.withLock { $0 = receive }
  }

  /// Stops sending events.
  package func stop() { receiver.withLock { $0 = nil } }

  /// Sends an event of a service, unless the app ends.
  func send(_ event: (ServiceChange) -> LifecycleEvent, of service: Service) {
    guard let receive = receiver.withLock(\.self), !isEnding else { return }
    receive(event(service.change))
  }

  /// Sends the event of a service that is down.
  private func sendEnd(of service: Service) {
    send(service.hasFailed ? LifecycleEvent.serviceFailed : LifecycleEvent.serviceStopped, of: service)
  }

  // MARK: - Keeping

  /// Claims the start of a service, so that no other caller starts it. Returns `nil` if the caller must start it, or a
  /// note if it is already running or restarting.
  ///
  /// Starts the supervisor's thread for the first service, and for one that starts after the others were stopped.
  ///
  /// - Throws: ``ServiceError`` if the services stop, or if an earlier start of the service has not ended; the system's
  ///   error if there is no thread.
  func claim(_ service: Service) throws -> String? {
    let note = try state.withLock { state throws(ServiceError) -> String? in
      if state.dependents != nil { throw .stopping }
      if state.claims.contains(service.id) { throw .busy(.starting) }
      // A service that is down can remain in the list after a later start.
      let last = state.services.last { $0.id == service.id }
      switch last?.phase {
      case .abandoned: throw .stillRuns
      case .stopping: throw .busy(.stopping)
      case .starting where last?.hasBeenReady == false: throw .busy(.starting)
      case .ready: return "already running"
      case .starting, .waiting: return "already running, and restarting"
      case .down, nil:
        state.claims.insert(service.id)
        return nil
      }
    }
    if note != nil { return note }
    do {
      try startThread()
      return nil
    } catch {
      forget(service)
      throw error
    }
  }

  /// Claims the restart of a kept service that is down, so that no step starts it at the same time.
  ///
  /// - Parameter old: The kept service, which the other one replaces; `nil` to start the same one again.
  /// - Throws: ``ServiceError`` if a step starts it.
  func claimAgain(_ service: Service, replacing old: Service? = nil) throws(ServiceError) {
    try state.withLock { state throws(ServiceError) in
      let kept = old ?? service
      let isTaken =
        state.claims.contains(kept.id) || state.services.contains { $0.id == kept.id && $0 !== kept }
      if isTaken { throw .busy(.starting) }
      if let old, let index = state.services.firstIndex(where: { $0 === old }) {
        service.replace(old)
        state.services[index] = service
        state.mustLook = true
      }
      service.beginStart()
    }
  }

  /// Ends the claim of a service whose start failed.
  func forget(_ service: Service) {
    state.withLock { state in
      state.claims.remove(service.id)
      guard !service.context.hasFurtherAttempt else { return }
      // Requests that wait for the next attempt fail now.
      state.services.last { $0.id == service.id }?.nextStart = nil
      state.mustLook = true
    }
    wake()
  }

  private func startThread() throws {
    guard begin() else { return }
    do {
      try Thread.start(name: "appboot-services") { [self] in watch() }
    } catch {
      state.withLock { ($0.isRunning, $0.isOver) = (false, true) }
      state.broadcast()
      throw error
    }
  }

  /// Notes that the services are driven from now on. Returns true if they were not.
  func begin() -> Bool {
    state.withLock { state in
      defer { (state.isRunning, state.isOver) = (true, false) }
      return !state.isRunning
    }
  }

  /// Drives a service that has started from now on.
  func keep(_ service: Service) {
    state.withLock { state in
      state.claims.remove(service.id)
      // An earlier start of the step has failed, or it was abandoned and its task has ended since.
      state.services.removeAll { $0.id == service.id && $0.phase.isDown }
      service.isWatched = state.restartsAfterChanges.contains(service.id)
      state.services.append(service)
    }
    wake()
  }

  /// Returns the service with an id that is driven now; `nil` if there is none.
  func kept(_ id: String) -> Service? { state.withLock { $0.services.last { $0.id == id } } }

  /// Returns the status of each service that was started.
  package func statuses(measuresMemory: Bool) -> [ServiceStatus] {
    var statuses = state.withLock(\.services).map(\.status)
    guard measuresMemory else { return statuses }
    let usage = ProcessUsage.ofTrees(statuses.compactMap(\.pid))
    for index in statuses.indices {
      let used = statuses[index].pid.flatMap { usage[$0] }
      (statuses[index].memory, statuses[index].cpu) = (used?.memory, used?.cpu)
    }
    return statuses
  }

  /// The states of the services that were started, by id.
  var states: [String: ServiceState] {
    Dictionary(statuses(measuresMemory: false).map { ($0.id, $0.state) }) { first, _ in first }
  }

  /// Returns the state of a service; `nil` before its first start.
  package func state(of id: String) -> ServiceState? { kept(id)?.status.state }

  /// Notes which services start again after changes of their files, also for those that run already.
  package func watchFiles(of ids: [String]) {
    state.withLock { state in
      state.restartsAfterChanges = Set(ids)
      for service in state.services { service.isWatched = state.restartsAfterChanges.contains(service.id) }
    }
  }

  /// Returns whether a service starts again after a change of its files.
  package func isWatched(_ id: String) -> Bool { state.withLock { $0.restartsAfterChanges.contains(id) } }

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
    wake()
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
    if isRunning { wake() }
    return isRunning
  }

  /// Stops all services at the same time, and cancels the tasks of services in Swift without their grace periods.
  package func cancelAll() {
    let services = state.withLock { state in
      state.dependents = state.dependents ?? [:]
      return state.services
    }
    wake()
    for service in services where service.stopSignal == nil { service.kill() }
  }

  /// Kills the processes of all services at once. Use it before the program exits.
  package func killAll() {
    for service in state.withLock(\.services) { service.kill() }
  }

  /// Carries out a request for one service. `reply` is called on the supervisor's thread; if the request is refused, at
  /// once.
  ///
  /// - Parameters:
  ///   - plan: The plan of the changed manifest for a start or restart; `nil` to keep the current service.
  ///   - keepsStopped: True for a restart that fails if the service was stopped on request.
  package func perform(
    _ action: ServiceAction, on id: String, renewing plan: LaunchPlan? = nil, keepsStopped: Bool = false,
    reply: @escaping @Sendable (ServiceAnswer) -> Void
  ) {
    guard let service = kept(id) else {
      let isStopping = state.withLock { $0.isOver || $0.dependents != nil }
      let refusal = isStopping ? ServiceAnswer.stopping : "\"\(id)\" was not started in this launch"
      return reply(.refused(refusal))
    }
    var request = ServiceRequest(action: action, service: service, keepsStopped: keepsStopped, reply: reply)
    do {
      // Without the lock: it runs code of the app, and may wait for ports.
      request.replacement = try plan.map { plan in
        guard let (context, command) = try service.context.renewed(by: plan),
          let maker = _CommandExecution.polledCommand(command) as? any ServiceMaker
        else { throw ServiceError.otherPlan }
        return try maker.service(in: context, with: self)
      }
    } catch {
      return reply(.refused(service.context.secrets.masking("\(error)")))
    }
    let isTaken = state.withLock { state in
      guard state.isRunning, !state.isOver, state.dependents == nil else { return false }
      state.requests.append(request)
      return true
    }
    if isTaken { wake() } else { reply(.refused(ServiceAnswer.stopping)) }
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
      supervisor.perform(.stop, on: context.stepID) { continuation.resume(returning: $0) }
    }
    // A refusal says that all services are stopping anyway.
    if case .failed(_, let reason) = answer { throw ServiceError.notStopped(reason) }
  }

  private func isStarted(in context: LaunchContext) -> Bool {
    let service = state.withLock { $0.services.first { $0.id == context.stepID } }
    return service?.context.session.recorder === context.session.recorder
  }

  // MARK: - The thread

  /// Makes the thread look at every service.
  func wake() {
    state.withLock { $0.mustLook = true }
    poller.wake()
  }

  private func watch() {
    var desk = ServiceDesk(supervisor: self)
    var ready: Set<UInt64> = []
    while turn(&desk, at: MonotonicClock.now(), ready: ready) {
      // The poller had no room for a descriptor.
      let retry = state.withLock(\.mustLook) ? MonotonicClock.now() + PolledOperations.pause : nil
      ready = Set((try? poller.wait(deadline: [nextDeadline, retry].compactMap(\.self).min())) ?? [])
    }
  }

  /// The time at which a service needs a turn, even if no descriptor is readable; `nil` for none.
  var nextDeadline: Int64? { state.withLock(\.services).compactMap(\.nextDeadline).min() }

  /// Carries out what is due at a time: the requests, and the next step of each service.
  ///
  /// Returns false if the services stop and all are down. The thread then ends.
  ///
  /// - Parameter ready: The tokens of the services that have a readable descriptor.
  func turn(_ desk: inout ServiceDesk, at now: Int64, ready: Set<UInt64> = []) -> Bool {
    let (services, requests, isStopping, looksAtAll) = state.withLock { state in
      defer { (state.requests, state.mustLook) = ([], false) }
      return (state.services, state.requests, state.dependents != nil, state.mustLook)
    }
    let due =
      looksAtAll
      ? services : services.filter { ready.contains($0.token) || $0.nextDeadline.map { $0 <= now } == true }
    if isStopping { desk.refuse(requests) } else { desk.take(requests, at: now) }
    for service in due { step(service, at: now, &desk) }
    while stopNext(at: now) {}
    for service in services { desk.settle(service, at: now) }
    if isStopping, end() { return false }
    let isWatched = (looksAtAll ? services : due).map { updateDescriptors(of: $0) }.allSatisfy(\.self)
    if !isWatched { state.withLock { $0.mustLook = true } }
    return true
  }

  /// Notes the end of the thread if all services are down. Returns false if one is up, for example because it was
  /// started in the meantime.
  private func end() -> Bool {
    let requests = state.withLock { state -> [ServiceRequest]? in
      guard state.claims.isEmpty, state.services.allSatisfy(\.phase.isOver) else { return nil }
      (state.isRunning, state.isOver) = (false, true)
      defer { state.requests = [] }
      return state.requests
    }
    guard let requests else { return false }
    ports.release()
    for request in requests { request.reply(.refused(ServiceAnswer.stopping)) }
    state.broadcast()
    return true
  }

  /// True if the app ends: after a call of ``expectEnds()`` or ``stopAll(dependents:)``.
  private var isEnding: Bool { state.withLock(\.isEnding) }

  private func step(_ service: Service, at now: Int64, _ desk: inout ServiceDesk) {
    if case .waiting(_, let until, _) = service.phase, isEnding || now >= until {
      if isEnding { stop(service, at: now) } else { restart(service, at: now) }
    }
    let step = service.step.flatMap { $0.isWaiting ? $0 : nil }
    if let time = service.killIfDue(at: now) {
      if step != nil {
        service.context.processKilled(after: time)
      } else {
        report(.killed(id: service.id, signal: service.stopSignal, after: time))
      }
    }
    defer {
      if let time = service.takeDelay(at: now) {
        report(.delayed(id: service.id, killIn: time, signal: service.stopSignal))
      }
    }
    let (progress, lines) = service.advance(at: now)
    if let reason = service.stopIfOverdue(at: now) {
      if desk.isStarting(service) {
        desk.fail(service, reason)
        service.failStart(reason, at: now)
      } else {
        desk.failJoined(service, reason)
      }
      report(.changed(service.status))
    }
    // What came before the service was ready is output of its step.
    let isReady = if case .ready = progress { true } else { false }
    if isReady { send(LifecycleEvent.serviceReady, of: service) }
    let early = step == nil ? 0 : isReady ? service.linesBeforeReady ?? lines.count : lines.count
    if step != nil { service.context.output(Array(lines.prefix(early))) }
    if step == nil { show(lines[...], of: service) }
    switch progress {
    case .nothing: break
    case .waiting(let answer):
      if step != nil { service.context.note(answer) }
    case .left: report(.changed(service.status))
    case .ready(let text) where step != nil:
      desk.becameReady(service)
      report(.changed(service.status))
      step?.succeed(text)
      show(lines.dropFirst(early), of: service)
      restartIfDelayed(service, at: now)
    case .ready:
      var status = service.status
      status.isReadyAgain = !desk.isStarting(service)
      desk.becameReady(service)
      report(.changed(status))
      restartIfDelayed(service, at: now)
      restartOthers(with: service, at: now)
    case .impossible(let reason):
      if desk.isStarting(service) {
        desk.fail(service, reason)
        service.failStart(reason, at: now)
        didBeginToStop(service)
      }
      step?.reject(reason)
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
      step?.fail(CancellationError())
    case .ended(let end): finish(service, end, at: now, &desk)
    }
  }

  private func show(_ lines: ArraySlice<OutputLine>, of service: Service) {
    guard !lines.isEmpty else { return }
    report(.output(id: service.id, attempt: service.context.attempt, Array(lines)))
  }

  /// Restarts a service that became ready, if another one was restarted while it started.
  private func restartIfDelayed(_ service: Service, at now: Int64) {
    if !isEnding, service.beginDelayedRestart(at: now) { didBeginToStop(service) }
  }

  /// Restarts the services whose `restart.with` names a service that is ready again after a restart.
  ///
  /// Does nothing while the app ends.
  private func restartOthers(with service: Service, at now: Int64) {
    if isEnding { return }
    for other in state.withLock(\.services) where other.restart.with?.contains(service.id) == true {
      guard other.beginToStop(for: .restarted(service.id), at: now) else { continue }
      didBeginToStop(other)
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
      sendEnd(of: service)
      return report(.changed(service.status))
    }
    if let step = service.step, step.takesEnd() {
      // The step has its own rules: "retry" and "onFailure".
      service.stayDown(hasFailed: !isEnding)
      // Requests that joined the start wait for the next attempt.
      if service.nextStart != .attempt { desk.failJoined(service, "\(error)") }
      report(.changed(service.status))
      return step.fail(error)
    }
    desk.failJoined(service, "\(error)")
    let effect = service.decide(after: end, at: now, isEnding: isEnding)
    var status = service.status
    if status.state == .stopped, case .threw = end, !(error is CancellationError) {
      status.shutdownFailure = "\(words), during the shutdown"
    }
    // The event comes first, because the app may end with the report.
    if effect != .restart, service.nextStart != .request { sendEnd(of: service) }
    report(.changed(status))
    guard effect == .end else { return }
    let (raw, secrets) = (Failure(describing: error), service.context.secrets)
    // Of a service that must not end.
    let isSurprising = end == .exited(0) && service.exitPolicy == .fail && service.exhaustion == nil
    reportEnd(
      of: service, words + (isSurprising ? service.adviceAfterSuccess : ""),
      Failure(
        message: secrets.masking(raw.message), type: raw.type, causes: raw.causes.map { secrets.masking($0) })
    )
  }

  private func restart(_ service: Service, at now: Int64) {
    do {
      try service.start(at: now)
      report(.changed(service.status))
      send(LifecycleEvent.serviceRestarted, of: service)
    } catch {
      service.release()
      let effect = service.decide(after: .exited(-1), at: now, isEnding: isEnding)
      if effect == .end { sendEnd(of: service) }
      report(.changed(service.status))
      guard effect == .end else { return }
      let words = service.status.end ?? "could not be started again"
      reportEnd(of: service, words, Failure(message: words, type: Failure(describing: error).type))
    }
  }

  private func reportEnd(of service: Service, _ words: String, _ failure: Failure) {
    let end = words + (service.exhaustion.map { "; \($0)" } ?? "")
    report(
      .ended(
        id: service.id, end: end, policy: service.exitPolicy, isExhausted: service.exhaustion != nil,
        failure: failure))
  }

  /// Stops every service whose dependents are down. Returns true if one of the stopped services is down at once.
  private func stopNext(at now: Int64) -> Bool {
    let ready = state.withLock { state -> [Service] in
      guard let dependents = state.dependents else { return [] }
      let up = Set(state.services.filter { !$0.phase.isOver }.map(\.id))
      return state.services.filter {
        up.contains($0.id) && dependents[$0.id, default: []].isDisjoint(with: up)
      }
    }
    return ready.map { stop($0, at: now) }.contains(true)
  }

  /// Asks a service to stop. Returns true if the call made the service go down at once.
  @discardableResult
  func stop(_ service: Service, at now: Int64) -> Bool {
    let before = service.phase
    let isDown = service.beginToStop(at: now)
    if before.stop == nil, !before.isDown { didBeginToStop(service) }
    return isDown
  }

  private func didBeginToStop(_ service: Service) {
    // The program that stops it has a descriptor to watch.
    state.withLock { $0.mustLook = true }
    report(.changed(service.status))
  }

  // MARK: - Descriptors

  /// Watches the descriptors of a service. Returns false if the poller has no room for one at the moment.
  private func updateDescriptors(of service: Service) -> Bool {
    let wanted = service.descriptors
    var watched = state.withLock { $0.watched[ObjectIdentifier(service)] ?? [] }
    for descriptor in watched where !wanted.contains(descriptor) { poller.remove(descriptor) }
    watched.removeAll { !wanted.contains($0) }
    for descriptor in wanted where !watched.contains(descriptor) {
      if (try? poller.add(descriptor, token: service.token)) != nil { watched.append(descriptor) }
    }
    state.withLock { $0.watched[ObjectIdentifier(service)] = watched }
    return watched.count == wanted.count
  }

  private func unwatch(_ service: Service) {
    let watched = state.withLock { $0.watched.removeValue(forKey: ObjectIdentifier(service)) ?? [] }
    for descriptor in watched { poller.remove(descriptor) }
  }
}

extension Service {
  /// The number with which the supervisor's poller reports a descriptor of the service.
  fileprivate var token: UInt64 { UInt64(UInt(bitPattern: ObjectIdentifier(self))) }
}
