import AppBoot
import AppBootSystem

/// An operation that waits until a started service is ready or has ended. Then the supervisor takes over a ready
/// service.
final class ServiceStart: PolledOperation {
  private struct State: Sendable {
    var isReady = false
    var isStopped = false
    /// The error of a service that is being killed because it can never be ready; `nil` for other services.
    var failure: ServiceError?
  }

  private let service: Service
  private let supervisor: ServiceSupervisor
  private let state = Lock(State())

  /// Starts a service and returns its operation. If the service is already running or restarting, adds a note to the
  /// step and returns a finished operation.
  ///
  /// - Throws: ``ServiceError`` if the service is starting or stopping, or still runs after its cancellation; otherwise
  ///   the error of the start.
  static func start(_ service: Service, with supervisor: ServiceSupervisor) throws -> any PolledOperation {
    if let note = try supervisor.claim(service) {
      service.context.note(note)
      return FinishedOperation(.success(()))
    }
    do {
      try service.start()
    } catch {
      supervisor.forget(service)
      throw error
    }
    return ServiceStart(service, supervisor)
  }

  private init(_ service: Service, _ supervisor: ServiceSupervisor) {
    (self.service, self.supervisor) = (service, supervisor)
  }

  var descriptors: [Int32] { service.descriptors }
  var nextDeadline: Int64? { service.nextDeadline }
  var obstacle: String? { service.obstacle }

  func advance() -> Result<Void, any Error>? {
    killIfDue()
    let (progress, lines) = service.advance()
    service.context.output(lines)
    switch progress {
    case .nothing, .health, .notLive: return nil
    case .waiting(let answer):
      service.context.note(answer)
      return nil
    case .abandoned:
      supervisor.report(.abandoned(id: service.id))
      return .failure(CancellationError())
    case .ready(let text):
      // A service that was told to stop while it became ready still has to end.
      if state.withLock({ $0.isStopped }) { return nil }
      state.withLock { $0.isReady = true }
      let note = text + (service.doubt.map { "; \($0.words)" } ?? "")
      if !note.isEmpty { service.context.note(note) }
      return .success(())
    case .impossible(let reason):
      state.withLock { $0.failure = .neverReady(reason) }
      service.kill()
      return nil
    case .ended(let end):
      let (isStopped, failure) = state.withLock { ($0.isStopped, $0.failure) }
      if isStopped { return .failure(CancellationError()) }
      if let failure { return .failure(failure) }
      return .failure(service.error(ending: end))
    }
  }

  func release() {
    // The supervisor watches an abandoned task until it ends: the service must not start again before that.
    if state.withLock({ $0.isReady }) || service.phase == .abandoned {
      supervisor.adopt(service)
    } else {
      service.release()
      supervisor.forget(service)
    }
  }

  func stop(isForced: Bool) {
    state.withLock { $0.isStopped = true }
    guard isForced else { return _ = service.beginToStop(at: MonotonicClock.now()) }
    killIfDue(isForced: true)
    service.kill()
  }

  private func killIfDue(isForced: Bool = false) {
    if let time = service.takeDelay(at: MonotonicClock.now()) {
      supervisor.report(.delayed(id: service.id, killIn: time, signal: service.stopSignal))
    }
    if let time = service.killIfDue(at: MonotonicClock.now(), isForced: isForced) {
      service.context.processKilled(after: time)
    }
  }
}
