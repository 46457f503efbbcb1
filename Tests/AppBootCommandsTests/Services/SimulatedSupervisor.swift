import AppBoot
import AppBootSystem
import AppBootTestSupport

@testable import AppBootCommands

/// A run of simulated services: the real supervisor without its thread, under a virtual clock.
struct SimulatedSupervisor {
  /// An error of a run that does not end.
  struct Stuck: Error {}

  private struct State: Sendable {
    var trace: SimulatedTrace
    /// The time at which all services stop because one of them has ended; `nil` if none has.
    var endDue: Int64?
    /// True if the supervisor was woken since its last turn.
    var isWoken = false
  }

  /// More moments than a run has that ends.
  private static let mostMoments = 10_000
  private static let context = LaunchPlan(sequence: [FakeService { _ in }]).detachedContexts()(0)

  private let simulated: SimulatedServices
  private let clock = VirtualClock()
  private let state: Lock<State>
  private let supervisor: ServiceSupervisor
  private var steps: [ServiceStart] = []

  /// Returns the trace of a run.
  ///
  /// - Throws: ``Stuck`` if the services do not all stop at the end.
  static func trace(of simulated: SimulatedServices) throws -> SimulatedTrace {
    let run = try SimulatedSupervisor(simulated)
    try run.run()
    return run.state.withLock(\.trace)
  }

  private init(_ simulated: SimulatedServices) throws {
    self.simulated = simulated
    state = Lock(State(trace: SimulatedTrace(simulated)))
    let receiver = Lock<(@Sendable (ServiceEvent) -> Void)?>(nil)
    let supervisor = try ServiceSupervisor { event in receiver.withLock(\.self)?(event) }
    self.supervisor = supervisor
    receiver.withLock { receiver in
      receiver = { [simulated, clock, state, weak supervisor] event in
        Self.receive(event, of: simulated, at: clock.now, state)
        if case .ended(_, _, let policy, _, _) = event, policy != .ignore { supervisor?.expectEnds() }
      }
    }
    _ = supervisor.begin()
    steps = try simulated.services.map(start)
  }

  /// Starts a service as its step does.
  private func start(_ simulated: SimulatedService) throws -> ServiceStart {
    let starts = Lock(0)
    let service = Service(
      id: simulated.id, restart: simulated.restart, grace: .nanoseconds(simulated.grace),
      stopSignal: Signals.terminate, onExit: ServiceExitRule(failure: simulated.onExit),
      startLimit: simulated.startLimit,
      context: Self.context
    ) { [clock] in
      let number = starts.withLock { starts in
        defer { starts += 1 }
        return starts
      }
      return try SimulatedWork(simulated.life(number), clock)
    }
    try service.start(isFirst: true, at: clock.now)
    let step = ServiceStart(service, supervisor)
    supervisor.keep(service)
    return step
  }

  private func run() throws {
    var desk = ServiceDesk(supervisor: supervisor)
    var deeds = simulated.deeds[...]
    var request = 0
    var isUp = supervisor.turn(&desk, at: 0)
    for step in steps {
      guard case .success = step.advance() else { throw Stuck() }
      step.release()
    }
    for _ in 0..<Self.mostMoments {
      let due = isUp ? [supervisor.nextDeadline, state.withLock(\.endDue)] : []
      guard let next = (due + [deeds.first?.time]).compactMap(\.self).min() else { return }
      let now = max(next, clock.now)
      clock.set(now)
      while let (time, deed) = deeds.first, time <= now {
        deeds.removeFirst()
        carryOut(deed, &request)
      }
      if let due = state.withLock(\.endDue), due <= now { carryOut(.stopAll, &request) }
      while isUp {
        state.withLock { $0.isWoken = false }
        isUp = supervisor.turn(&desk, at: now)
        if !state.withLock(\.isWoken) { break }
      }
    }
    throw Stuck()
  }

  private func carryOut(_ deed: SimulatedDeed, _ request: inout Int) {
    switch deed {
    case .expectEnds: supervisor.expectEnds()
    case .stopAll:
      state.withLock { $0.endDue = nil }
      supervisor.beginToStopAll(dependents: dependents)
    case .request(let action, let service):
      supervisor.perform(action, on: simulated.services[service].id) { [state, clock, request] answer in
        state.withLock { $0.trace.answer(request, answer.kind, at: clock.now) }
      }
      request += 1
    }
  }

  private var dependents: [String: Set<String>] {
    var dependents: [String: Set<String>] = [:]
    for (service, later) in zip(simulated.services, simulated.dependents) {
      dependents[service.id] = Set(later.map { simulated.services[$0].id })
    }
    return dependents
  }

  private static func receive(
    _ event: ServiceEvent, of simulated: SimulatedServices, at now: Int64, _ state: Lock<State>
  ) {
    guard let service = simulated.services.firstIndex(where: { $0.id == event.id }) else { return }
    state.withLock { state in
      for kind in event.kinds { state.trace.add(kind, of: service, at: now) }
      guard case .ended(_, _, let policy, _, _) = event, policy != .ignore else { return }
      state.isWoken = true
      state.endDue = min(state.endDue ?? .max, now + simulated.endDelay)
    }
  }
}

extension ServiceEvent {
  /// The facts of the event that a trace has.
  fileprivate var kinds: [SimulatedFact.Kind] {
    switch self {
    case .changed(let status):
      let change = SimulatedFact.Kind.changed(
        status.state, restarts: status.restarts, pause: status.pause, wasKilled: status.wasKilled,
        end: status.end)
      return status.isReadyAgain ? [change, .isReadyAgain] : [change]
    case .ended(_, let end, let policy, let isExhausted, _):
      // Without the advice about standard input.
      let words = end.split(separator: "; if it ends").first.map(String.init) ?? end
      return [.ended(words, policy, isExhausted: isExhausted)]
    case .delayed(_, let time, _): return [.delayed(killIn: time)]
    case .killed(_, _, let time): return [.killed(after: time)]
    case .health(_, let health): return [.unhealthy(health.text)]
    case .output, .abandoned: return []
    }
  }
}

extension ServiceAnswer {
  fileprivate var kind: SimulatedFact.Kind {
    switch self {
    case .done(let status): .done(status.state, wasKilled: status.wasKilled)
    case .unchanged(let status): .unchanged(status.state)
    case .failed(_, let reason): .failed(reason)
    case .refused(let reason): .refused(reason)
    }
  }
}
