import AppBoot
import AppBootLifecycle
import AppBootSystem

/// An action on one service that a request asks for.
package enum ServiceAction: Sendable, Hashable {
  /// Stops the service. The service stays down, and its `onExit` does not apply.
  case stop
  /// Stops the service if it runs, starts it again, and waits until it is ready.
  case restart
  /// Starts the service if it does not run, and waits until it is ready.
  case start
  /// Sends a signal to the service's process. Its end counts like any other.
  case kill(Int32)

  /// True if the action is possible while the step of the service still starts it.
  var leavesStart: Bool {
    switch self {
    case .stop, .restart: false
    case .start, .kill: true
    }
  }

  /// The name of the request and of the subcommand.
  package var name: String {
    switch self {
    case .stop: "stop"
    case .restart: "restart"
    case .start: "start"
    case .kill: "kill"
    }
  }
}

/// The answer to a request for one service.
package enum ServiceAnswer: Sendable, Hashable {
  /// The service was stopped, is ready after its start, or received the signal.
  case done(ServiceStatus)
  /// The service was ready before the start, or down before the stop.
  case unchanged(ServiceStatus)
  /// The service could not be stopped or restarted. `reason` says why.
  case failed(ServiceStatus, reason: String)
  /// The request was refused. The text is the reason.
  case refused(String)

  /// The reason for a request that fails because the old task still runs. Only one task of a service may run at a time.
  static let abandoned = "its task ignores its cancellation, and still runs"
  /// The reason that is given for a request which cannot be carried out because the app ends.
  static let stopping = "the services are stopping"
  /// Returns the reason for a request that is refused because the step of the service still starts it.
  static func starting(_ id: String) -> String {
    "the step \"\(id)\" is still starting it: wait until it is ready, or the step has failed"
  }
  /// The reason for a request to start that fails because of a stop.
  static let stopped = "another request stopped it"
}

/// A request for one service. It waits until the supervisor's thread takes it.
struct ServiceRequest: Sendable {
  let action: ServiceAction
  var service: Service
  /// The service that starts in its place; `nil` for the same one.
  var replacement: Service?
  /// True for a restart that fails if the service was stopped on request.
  var keepsStopped = false
  let reply: @Sendable (ServiceAnswer) -> Void
}

/// A desk that carries out the requests for single services, on the supervisor's thread.
///
/// Requests for the same service are combined: a second `restart` or `start` waits for the first. A `stop` or the end
/// of the app makes a pending restart fail.
struct ServiceDesk {
  private struct Job {
    var stops: [@Sendable (ServiceAnswer) -> Void] = []
    var restarts: [@Sendable (ServiceAnswer) -> Void] = []
    /// The service that starts in place of the one that is down; `nil` for the same one.
    var replacement: Service?
    /// True if the service that starts has replaced the one before.
    var hasReplaced = false
    /// True from the start of the service until it is ready or has ended.
    var isStarting = false
    /// True if the requests joined a start by the service's own policy, which decides what its end has for an effect.
    var joinsStart = false
    /// The failed requests to restart, each with its reason. They are answered when the service is down.
    var failed: [(reply: @Sendable (ServiceAnswer) -> Void, reason: String)] = []
    /// The flags of the stop: `stopsWork` if the requests stopped a running service, `wasKilled` if it was ended by
    /// force.
    var (stopsWork, wasKilled) = (false, false)

    /// Moves the pending requests to restart to ``failed``.
    mutating func fail(_ service: Service?, _ reason: String) {
      failed += restarts.map { ($0, reason) }
      (restarts, isStarting, joinsStart) = ([], false, false)
      if service?.nextStart == .request { service?.nextStart = nil }
    }
  }

  private unowned let supervisor: ServiceSupervisor
  private var jobs: [String: Job] = [:]

  init(supervisor: ServiceSupervisor) { self.supervisor = supervisor }

  /// Begins to carry out the requests.
  mutating func take(_ requests: [ServiceRequest], at now: Int64) {
    for var request in requests {
      // A restart may have replaced the service since the request.
      request.service = supervisor.kept(request.service.id) ?? request.service
      if isStartedByStep(request.service), !request.action.leavesStart {
        request.reply(.refused(ServiceAnswer.starting(request.service.id)))
        continue
      }
      switch request.action {
      case .stop: stop(request, at: now)
      case .restart: restart(request, at: now)
      case .start: start(request, at: now)
      case .kill(let signal): Self.kill(request, signal)
      }
    }
  }

  /// True if the step of the service still starts it, or will try so again.
  private func isStartedByStep(_ service: Service) -> Bool {
    service.step?.isWaiting == true || service.nextStart == .attempt
  }

  /// Refuses new requests and makes pending restarts fail, because all services stop.
  mutating func refuse(_ requests: [ServiceRequest]) {
    for request in requests { request.reply(.refused(ServiceAnswer.stopping)) }
    for id in jobs.keys { jobs[id]?.fail(supervisor.kept(id), ServiceAnswer.stopping) }
  }

  private mutating func stop(_ request: ServiceRequest, at now: Int64) {
    let service = request.service
    if service.phase.isDown, jobs[service.id] == nil {
      // A change of its files does not start it again, either.
      if service.isWatched { service.stayDownOnRequest() }
      return request.reply(.unchanged(service.status(wasKilled: false)))
    }
    var job = jobs[service.id] ?? Job()
    job.fail(service, ServiceAnswer.stopped)
    job.stops.append(request.reply)
    job.stopsWork = job.stopsWork || service.work != nil
    jobs[service.id] = job
    if supervisor.stop(service, at: now) { supervisor.send(LifecycleEvent.serviceStopped, of: service) }
  }

  private mutating func restart(_ request: ServiceRequest, at now: Int64) {
    let service = request.service
    var job = jobs[service.id] ?? Job()
    let startsAgain = service.nextStart == .request
    if request.keepsStopped, !startsAgain {
      if case .down(.stopped, _) = service.phase {
        return request.reply(.failed(service.status, reason: ServiceAnswer.stopped))
      }
      if !job.stops.isEmpty {
        jobs[service.id]?.failed.append((request.reply, ServiceAnswer.stopped))
        return
      }
    }
    job.restarts.append(request.reply)
    // A service that starts is stopped for one with a changed entry.
    let isUnderWay = startsAgain || (job.isStarting && request.replacement == nil)
    if !isUnderWay {
      (job.isStarting, job.joinsStart, service.nextStart) = (false, false, .request)
      job.replacement = request.replacement
      job.stopsWork = job.stopsWork || service.work != nil
    } else if startsAgain, let replacement = request.replacement {
      job.replacement = replacement
    }
    jobs[service.id] = job
    if !isUnderWay { supervisor.stop(service, at: now) }
  }

  private mutating func start(_ request: ServiceRequest, at now: Int64) {
    let service = request.service
    switch service.phase {
    case .ready: request.reply(.unchanged(service.status))
    case .starting where jobs[service.id] == nil, .down where service.nextStart == .attempt:
      var job = jobs[service.id] ?? Job()
      job.restarts.append(request.reply)
      (job.isStarting, job.joinsStart) = (true, true)
      jobs[service.id] = job
    case .starting, .waiting, .stopping, .abandoned, .down: restart(request, at: now)
    }
  }

  private static func kill(_ request: ServiceRequest, _ signal: Int32) {
    let service = request.service
    let isTask = service.stopSignal == nil
    guard let process = service.pid, !isTask else {
      let reason = isTask ? "it is a service in Swift, which has no process" : "it does not run"
      return request.reply(.failed(service.status, reason: reason))
    }
    Signals.send(signal, to: process)
    request.reply(.done(service.status))
  }

  /// True if a request has started the service and the service is not ready yet.
  func isStarting(_ service: Service) -> Bool {
    jobs[service.id].map { $0.isStarting && !$0.joinsStart } ?? false
  }

  /// Makes the requests that joined a start by the service's own policy fail. The policy continues.
  mutating func failJoined(_ service: Service, _ reason: String) {
    guard let job = jobs[service.id], job.joinsStart else { return }
    jobs[service.id] = nil
    let reason = service.context.secrets.masking(reason)
    for reply in job.restarts { reply(.failed(service.status, reason: reason)) }
  }

  /// Answers the requests to restart a service, which is now ready.
  mutating func becameReady(_ service: Service) {
    guard let job = jobs[service.id], job.isStarting else { return }
    var status = service.status(wasKilled: job.wasKilled)
    status.isRenewed = job.hasReplaced
    for reply in job.restarts { reply(.done(status)) }
    jobs[service.id] = nil
  }

  /// Makes the requests that started the service fail. They are answered when the service is down.
  mutating func fail(_ service: Service, _ reason: String) {
    if isStarting(service) { jobs[service.id]?.fail(service, service.context.secrets.masking(reason)) }
  }

  /// Continues the requests for a service after a change of its phase.
  mutating func settle(_ service: Service, at now: Int64) {
    guard let job = jobs[service.id] else { return }
    if case .abandoned = service.phase { return abandon(service) }
    guard service.phase.isDown, service.nextStart != .attempt else { return }
    if job.joinsStart { return failJoined(service, service.status.end ?? ServiceAnswer.stopped) }
    if job.stopsWork { jobs[service.id]?.wasKilled = service.status.wasKilled }
    jobs[service.id]?.stopsWork = false
    answer(service)
    if service.nextStart == .request { start(service, at: now) } else { jobs[service.id] = nil }
  }

  /// Makes all requests for a service fail, because its task ignores its cancellation.
  private mutating func abandon(_ service: Service) {
    jobs[service.id]?.fail(service, ServiceAnswer.abandoned)
    guard let job = jobs.removeValue(forKey: service.id) else { return }
    let failed = job.stops.map { ($0, ServiceAnswer.abandoned) } + job.failed
    for (reply, reason) in failed { reply(.failed(service.status, reason: reason)) }
  }

  /// Answers the requests to stop a service that is now down, and the failed requests to restart it.
  private mutating func answer(_ service: Service) {
    guard let job = jobs[service.id] else { return }
    var status = service.status(wasKilled: job.wasKilled)
    // Also if a later request starts it again.
    if status.state == .restarting { status.state = .stopped }
    for (reply, reason) in job.failed { reply(.failed(status, reason: reason)) }
    for reply in job.stops { reply(.done(status)) }
    jobs[service.id]?.stops = []
    jobs[service.id]?.failed = []
  }

  private mutating func start(_ service: Service, at now: Int64) {
    guard var job = jobs[service.id] else { return }
    let old = service
    old.nextStart = nil
    let service = job.replacement ?? old
    do {
      try supervisor.claimAgain(service, replacing: job.replacement.map { _ in old })
      try service.startAfresh(at: now)
      (job.isStarting, job.hasReplaced, job.replacement) = (true, job.replacement != nil, nil)
      jobs[service.id] = job
      supervisor.report(.changed(service.status))
      supervisor.send(LifecycleEvent.serviceRestarted, of: service)
    } catch {
      let reason = service.context.secrets.masking("\(error)")
      let status = service.status(wasKilled: job.wasKilled)
      if supervisor.kept(service.id) === service { supervisor.report(.changed(service.status)) }
      for reply in job.restarts { reply(.failed(status, reason: reason)) }
      jobs[service.id] = nil
      supervisor.send(LifecycleEvent.serviceFailed, of: service)
    }
  }
}

extension Service {
  /// Returns the status for the answer to a request.
  ///
  /// - Parameter wasKilled: True if the request stopped a running service, and that was ended by force.
  fileprivate func status(wasKilled: Bool) -> ServiceStatus {
    var status = status
    status.wasKilled = wasKilled
    return status
  }
}
