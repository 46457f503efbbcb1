import AppBoot
import AppBootSystem

/// The wait of a step until the service that it has started is ready. The supervisor drives the service.
final class ServiceStart: PolledOperation {
  private struct State: Sendable {
    /// The end of the wait; `nil` before.
    var result: Result<Void, any Error>?
    /// The reason why the service cannot become ready, if that is known.
    var failure: ServiceError?
    /// True if the engine has asked the service to end.
    var isStopped = false
    /// True if the service has ended after it was ready. The success of the step is then final.
    var isOver = false
    /// The function that makes the engine look at ``ServiceStart/advance()``.
    var wake: (@Sendable () -> Void)?
  }

  private let service: Service
  private let supervisor: ServiceSupervisor
  private let state = Lock(State())

  /// Starts a service and returns the wait for it. If the service is already running or restarting, adds a note to the
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
      try service.start(isFirst: true)
    } catch {
      supervisor.forget(service)
      throw error
    }
    let start = ServiceStart(service, supervisor)
    // Before the supervisor can report that it is ready.
    supervisor.report(.changed(service.status))
    supervisor.keep(service)
    return start
  }

  /// Creates the wait for a service that has started, before the supervisor keeps it.
  init(_ service: Service, _ supervisor: ServiceSupervisor) {
    (self.service, self.supervisor) = (service, supervisor)
    service.step = self
  }

  // MARK: - The engine's side

  let descriptors: [Int32] = []
  var nextDeadline: Int64? { state.withLock { $0.result == nil ? nil : 0 } }
  var obstacle: String? { service.obstacle }
  var isConcluded: Bool { service.hasLeft }

  func advance() -> Result<Void, any Error>? { state.withLock(\.result) }

  func whenNews(_ wake: @escaping @Sendable () -> Void) {
    let hasNews = state.withLock { state in
      state.wake = wake
      return state.result != nil
    }
    if hasNews { wake() }
  }

  func release() { service.step = nil }

  func stop(isForced: Bool) {
    let now = MonotonicClock.now()
    state.withLock { state in
      state.isStopped = true
      // A service that became ready meanwhile still has to end.
      if case .success = state.result, !state.isOver { state.result = nil }
    }
    if isForced {
      if let time = service.killIfDue(at: now, isForced: true) { service.context.processKilled(after: time) }
      service.kill()
    } else {
      service.beginToStop(at: now)
    }
    supervisor.wake()
  }

  // MARK: - The supervisor's side

  /// True until the service is ready or has ended.
  var isWaiting: Bool { state.withLock { $0.result == nil } }

  /// Ends the wait for a service that is ready.
  ///
  /// - Parameter text: A sentence for the step's note, or an empty text.
  func succeed(_ text: String) {
    let facts = [text.isEmpty ? nil : text, service.ports.words, service.doubt?.words].compactMap(\.self)
    if !facts.isEmpty { service.context.note(facts.joined(separator: "; ")) }
    // The engine has asked the service to stop: its end is the result.
    end { $0.isStopped ? nil : .success(()) }
  }

  /// Notes the reason why the service can never be ready. The wait ends with the service.
  func reject(_ reason: String) { state.withLock { $0.failure = .neverReady(reason) } }

  /// Returns true if the end of the service is for the step to judge, because the service was not ready before it.
  func takesEnd() -> Bool {
    state.withLock { state in
      state.isOver = true
      return state.result == nil
    }
  }

  /// Ends the wait for a service that has ended, or that is abandoned.
  func fail(_ error: any Error) {
    end { .failure($0.isStopped ? CancellationError() : $0.failure ?? error) }
  }

  private func end(_ result: (State) -> Result<Void, any Error>?) {
    let wake = state.withLock { state -> (@Sendable () -> Void)? in
      state.result = state.result ?? result(state)
      return state.result == nil ? nil : state.wake
    }
    wake?()
  }
}
