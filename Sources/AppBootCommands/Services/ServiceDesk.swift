import AppBoot
import AppBootSystem

/// The action of a request for one service.
package enum ServiceAction: String, Sendable, Hashable {
  /// Stops it. It stays down, and its `onExit` does not apply.
  case stop
  /// Stops it if it runs, starts it again, and waits until it is ready.
  case restart
}

/// The answer to a request for one service.
package enum ServiceAnswer: Sendable, Hashable {
  /// The service is stopped, or ready again.
  case done(ServiceStatus)
  /// The service did not become ready, and is down; with the reason.
  case failed(ServiceStatus, reason: String)
  /// The request was refused, with the reason.
  case refused(String)

  /// The reason for which a request fails at the end of the app.
  static let stopping = "the services are stopping"
}

/// A request for one service that waits for the supervisor's thread.
struct ServiceRequest: Sendable {
  let action: ServiceAction
  let service: Service
  /// The nanoseconds until the service must be ready; `nil` for no limit.
  let limit: Int64?
  let reply: @Sendable (ServiceAnswer) -> Void
}

/// Carries out the requests for single services, on the supervisor's thread.
///
/// Requests for the same service join: a second `restart` waits for the first. A `stop` or the end of the app makes a
/// pending restart fail.
struct ServiceDesk {
  private struct Job {
    var stops: [@Sendable (ServiceAnswer) -> Void] = []
    var restarts: [@Sendable (ServiceAnswer) -> Void] = []
    /// True until the service is down and starts again.
    var startsAgain = false
    /// True from the start until the service is ready or has ended.
    var isStarting = false
    /// The limit until ready, in nanoseconds, and the time at which it is exceeded.
    var limit: Int64?
    var deadline: Int64?
    /// The failed restarts, with their reason. They are answered when the service is down.
    var failed: [(reply: @Sendable (ServiceAnswer) -> Void, reason: String)] = []
    /// True if the requests stopped a process, and if it needed SIGKILL.
    var (stopsProcess, wasKilled) = (false, false)

    /// Makes the pending restarts fail once the service is down.
    mutating func fail(_ reason: String) {
      failed += restarts.map { ($0, reason) }
      (restarts, startsAgain, isStarting, deadline) = ([], false, false, nil)
    }
  }

  private unowned let supervisor: ServiceSupervisor
  private var jobs: [String: Job] = [:]

  init(supervisor: ServiceSupervisor) { self.supervisor = supervisor }

  /// The time at which a start exceeds its limit.
  var deadline: Int64? { jobs.values.compactMap(\.deadline).min() }

  /// Starts handling requests.
  mutating func take(_ requests: [ServiceRequest]) {
    for request in requests {
      switch request.action {
      case .stop: stop(request)
      case .restart: restart(request)
      }
    }
  }

  /// Refuses new requests and ends pending ones, because all services stop.
  mutating func refuse(_ requests: [ServiceRequest]) {
    for request in requests { request.reply(.refused(ServiceAnswer.stopping)) }
    for id in jobs.keys { jobs[id]?.fail(ServiceAnswer.stopping) }
  }

  private mutating func stop(_ request: ServiceRequest) {
    let service = request.service
    var job = jobs[service.id] ?? Job()
    job.fail("another request stopped it")
    job.stops.append(request.reply)
    job.stopsProcess = job.stopsProcess || service.pid != nil
    jobs[service.id] = job
    supervisor.stop(service)
  }

  private mutating func restart(_ request: ServiceRequest) {
    let service = request.service
    var job = jobs[service.id] ?? Job()
    job.restarts.append(request.reply)
    let isUnderWay = job.startsAgain || job.isStarting
    if !isUnderWay {
      job.limit = request.limit
      job.startsAgain = true
      job.stopsProcess = job.stopsProcess || service.pid != nil
    }
    jobs[service.id] = job
    if !isUnderWay { supervisor.stop(service) }
  }

  /// True if a request started the service, and it is not ready yet.
  func isStarting(_ service: Service) -> Bool { jobs[service.id]?.isStarting ?? false }

  /// Answers the requests to restart a service that is ready.
  mutating func becameReady(_ service: Service) {
    guard let job = jobs[service.id], job.isStarting else { return }
    let status = service.status(wasKilled: job.wasKilled)
    for reply in job.restarts { reply(.done(status)) }
    jobs[service.id] = nil
  }

  /// Makes a start fail once the service is down.
  mutating func fail(_ service: Service, _ reason: String) {
    if isStarting(service) { jobs[service.id]?.fail(service.context.secrets.masking(reason)) }
  }

  /// Continues the requests for a service when its state has changed.
  mutating func settle(_ service: Service) {
    guard let job = jobs[service.id] else { return }
    if let deadline = job.deadline, MonotonicClock.now() >= deadline {
      let words = "was not ready within \(DurationText.exact(.nanoseconds(job.limit ?? 0)))"
      fail(service, words + (service.obstacle.map { ": \($0)" } ?? ""))
      supervisor.stop(service)
    }
    guard service.phase == .down else { return }
    if job.stopsProcess { jobs[service.id]?.wasKilled = service.status.wasKilled }
    jobs[service.id]?.stopsProcess = false
    answer(service)
    if job.startsAgain { start(service) } else { jobs[service.id] = nil }
  }

  /// Answers the requests that wait until the service is down.
  private mutating func answer(_ service: Service) {
    guard let job = jobs[service.id] else { return }
    let status = service.status(wasKilled: job.wasKilled)
    for reply in job.stops { reply(.done(status)) }
    for (reply, reason) in job.failed { reply(.failed(status, reason: reason)) }
    jobs[service.id]?.stops = []
    jobs[service.id]?.failed = []
  }

  private mutating func start(_ service: Service) {
    guard var job = jobs[service.id] else { return }
    job.startsAgain = false
    do {
      try service.startAfresh()
      job.isStarting = true
      job.deadline = job.limit.map(MonotonicClock.deadline)
      jobs[service.id] = job
      supervisor.report(.changed(service.status))
    } catch {
      let reason = service.context.secrets.masking("\(error)")
      let status = service.status(wasKilled: job.wasKilled)
      for reply in job.restarts { reply(.failed(status, reason: reason)) }
      jobs[service.id] = nil
    }
  }
}

extension Service {
  /// Returns the status in the answer to a request.
  ///
  /// - Parameter wasKilled: True if the process that ran at the request needed SIGKILL.
  fileprivate func status(wasKilled: Bool) -> ServiceStatus {
    var status = status
    status.wasKilled = wasKilled
    return status
  }
}
