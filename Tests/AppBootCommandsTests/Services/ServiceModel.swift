import AppBoot

@testable import AppBootCommands

/// The rules of Docs/services.md in their plainest form: the states of services, and the answers to requests.
///
/// The model knows no threads, locks or descriptors. It takes one event after another, and each of them at its time.
struct ServiceModel {
  /// The reason for which a service stops without a request.
  private enum Cause: Equatable {
    /// Its process ended, and the processes that it left must end too.
    case left
    /// It was not ready in time, or its live probe failed. The text is how the service ended.
    case failure(String)
    /// Another service was restarted. The text is how this one ended.
    case together(String)
    /// A request started it, and it was not ready in time. The text is how it ended.
    case start(String)
  }

  /// An event of a service that time brings.
  private enum Event { case restart, ready, overdue, sick, processEnd, delay, kill, over }

  private struct Instance {
    let rules: SimulatedService
    var state = ServiceState.ready
    /// The number of starts, also of those that failed.
    var starts = 1
    var startedAt: Int64 = 0
    var readySince: Int64? = 0
    var askedAt: Int64?
    var killedAt: Int64?
    var cause: Cause?
    /// The reason to stop it for its restart as soon as it is ready.
    var delayed: Cause?
    var isSick = false
    var restartDue: Int64?
    var startDue: Int64?
    var delayDue: Int64?
    /// The restarts in a row, and the time of the end that led to the first of them.
    var row = 0
    var rowStart: Int64 = 0
    var restarts = 0
    var end: String?

    /// The requests that wait for the end of the service, that wait until it is ready, and that have failed.
    var stops: [Int] = []
    var starters: [Int] = []
    var failures: [(request: Int, reason: String)] = []
    /// True if a request starts the service again when it is down.
    var startsAgain = false
    /// True from a start by a request until the service is ready.
    var isRequested = false
    /// True if requests stop a process that runs.
    var stopsWork = false
    /// True if the process that requests stopped was killed.
    var wasKilled = false

    var life: SimulatedLife { rules.life(starts - 1) }
    var isDown: Bool { state == .stopped || state == .ended }
    var isRunning: Bool { !isDown && state != .restarting }
    var isJoined: Bool { !starters.isEmpty && !startsAgain && !isRequested }
    var hasRequests: Bool { !stops.isEmpty || !starters.isEmpty || !failures.isEmpty }

    /// The next event; `nil` if the service waits for one from outside.
    var next: (time: Int64, event: Event)? {
      let end = isRunning ? life.end(startedAt: startedAt, askedAt: askedAt, killedAt: killedAt) : nil
      let events: [(time: Int64?, event: Event)] =
        switch state {
        case .restarting: [(restartDue, .restart)]
        case .starting:
          [(life.ready.map { startedAt + $0 }, .ready), (startDue, .overdue), (end?.time, .processEnd)]
        case .ready:
          [(isSick ? nil : life.sick.map { (readySince ?? 0) + $0 }, .sick), (end?.time, .processEnd)]
        case .stopping:
          [
            (delayDue, .delay), (killedAt == nil ? askedAt.map { $0 + rules.grace } : nil, .kill),
            (end?.over, .over),
          ]
        default: []
        }
      return events.compactMap { event in event.time.map { (time: $0, event: event.event) } }.min {
        $0.time < $1.time
      }
    }
  }

  private let simulated: SimulatedServices
  private var services: [Instance]
  private var trace: SimulatedTrace
  private var now: Int64 = 0
  private var isEnding = false
  private var stopsAll = false
  /// The time at which all services stop because one of them has ended; `nil` if none has.
  private var endDue: Int64?

  /// Returns the trace of a run that keeps to the rules.
  static func trace(of simulated: SimulatedServices) -> SimulatedTrace {
    var model = ServiceModel(simulated)
    model.run()
    return model.trace
  }

  private init(_ simulated: SimulatedServices) {
    self.simulated = simulated
    services = simulated.services.map { Instance(rules: $0) }
    trace = SimulatedTrace(simulated)
  }

  private mutating func run() {
    var deeds = simulated.deeds[...]
    var request = 0
    while true {
      let next = services.indices.compactMap { index in
        services[index].next.map { ($0.time, $0.event, index) }
      }
      .min { $0.0 < $1.0 }
      guard let time = [next?.0, endDue, deeds.first?.time].compactMap(\.self).min() else { return }
      now = time
      if let next, next.0 == time {
        happen(next.1, next.2)
      } else {
        // Requests that arrive together take effect together.
        while let first = deeds.first, first.time == time {
          carryOut(deeds.removeFirst().deed, &request)
        }
        if endDue == time { stopAll() }
      }
      if stopsAll { stopNext() }
      for service in services.indices { settle(service) }
    }
  }

  // MARK: - The end of the app

  private mutating func carryOut(_ deed: SimulatedDeed, _ request: inout Int) {
    switch deed {
    case .expectEnds: expectEnds()
    case .stopAll: stopAll()
    case .request(let action, let service):
      take(request, action, service)
      request += 1
    }
  }

  /// Neither restarts nor `onExit` apply from now on.
  private mutating func expectEnds() {
    isEnding = true
    for service in services.indices where services[service].state == .restarting { stop(service) }
  }

  private mutating func stopAll() {
    expectEnds()
    (stopsAll, endDue) = (true, nil)
    for service in services.indices { fail(service, "the services are stopping") }
  }

  /// Stops the services whose dependents are down.
  private mutating func stopNext() {
    for service in services.indices where !services[service].isDown {
      if simulated.dependents[service].allSatisfy({ services[$0].isDown }) { stop(service) }
    }
  }

  // MARK: - One service

  private mutating func happen(_ event: Event, _ service: Int) {
    switch event {
    case .restart:
      if begin(service) {
        change(service, to: .starting)
      } else {
        decide(service, isFailure: true)
      }
    case .ready:
      services[service].readySince = now
      answer(\.starters, of: service, .done(.ready, wasKilled: services[service].wasKilled))
      change(service, to: .ready)
      if !services[service].isRequested { add(.isReadyAgain, service) }
      (services[service].isRequested, services[service].wasKilled) = (false, false)
      let id = services[service].rules.id
      if !isEnding, let reason = services[service].delayed { ask(service, reason) }
      for other in services.indices where services[other].rules.restart.with?.contains(id) == true {
        let reason = Cause.together("was stopped, because \(id) was restarted")
        if isEnding { continue }
        if services[other].state == .ready { ask(other, reason) }
        if services[other].state == .starting { services[other].delayed = reason }
      }
    case .overdue:
      let limit = DurationText.exact(.nanoseconds(services[service].rules.startLimit ?? 0))
      let reason = "was not ready within \(limit)"
      if services[service].isJoined { answer(\.starters, of: service, .failed(reason)) }
      let isRequested = services[service].isRequested
      fail(service, reason)
      ask(service, isRequested ? .start(reason) : .failure(reason))
    case .sick:
      services[service].isSick = true
      add(.unhealthy(SimulatedWork.sickness), service)
      if !isEnding, services[service].rules.restart.condition != .never {
        ask(service, .failure("was stopped: \(SimulatedWork.sickness)"))
      }
    case .processEnd:
      if services[service].life.linger == nil { over(service) } else { ask(service, .left) }
    case .delay:
      services[service].delayDue = nil
      let kill = (services[service].askedAt ?? 0) + services[service].rules.grace
      if kill > now { add(.delayed(killIn: kill - now), service) }
    case .kill:
      services[service].killedAt = now
      add(.killed(after: services[service].rules.grace), service)
    case .over: over(service)
    }
  }

  /// Begins the next life. Returns false if the start fails.
  private mutating func begin(_ service: Int) -> Bool {
    services[service].starts += 1
    if services[service].life.failsToStart {
      services[service].end = "could not be started again: out of paper"
      return false
    }
    services[service].startedAt = now
    services[service].startDue = services[service].rules.startLimit.map { now + $0 }
    (services[service].readySince, services[service].isSick, services[service].delayed) = (nil, false, nil)
    (services[service].askedAt, services[service].killedAt, services[service].cause) = (nil, nil, nil)
    services[service].restarts += 1
    return true
  }

  /// Sends the stop signal.
  private mutating func ask(_ service: Int, _ cause: Cause?) {
    (services[service].askedAt, services[service].cause) = (now, cause)
    services[service].delayDue = now + 1_000_000_000
    change(service, to: .stopping)
  }

  /// Stops a service for a request or for the end of the app. It then stays down.
  private mutating func stop(_ service: Int) {
    switch services[service].state {
    case .starting, .ready: ask(service, nil)
    case .stopping: services[service].cause = nil
    case .restarting: change(service, to: .stopped)
    default: break
    }
  }

  /// All processes of a service have ended.
  private mutating func over(_ service: Int) {
    let instance = services[service]
    let end = instance.life.end(
      startedAt: instance.startedAt, askedAt: instance.askedAt, killedAt: instance.killedAt)
    let words = end?.end.words ?? ""
    var isFailure = end?.end.isFailure(expecting: [0]) ?? false
    services[service].end = words
    switch instance.cause {
    case .together(let reason), .start(let reason): services[service].end = reason
    case .failure, .left, nil: break
    }
    if case .failure(let reason) = instance.cause { (services[service].end, isFailure) = (reason, true) }
    if let since = instance.readySince,
      (instance.askedAt ?? now) - since >= instance.rules.restart.resetAfter.nanoseconds
    {
      services[service].row = 0
    }
    if instance.isJoined { answer(\.starters, of: service, .failed(services[service].end ?? "")) }
    if instance.isRequested {
      fail(service, services[service].end ?? "")
      change(service, to: .ended)
    } else if isEnding || (instance.state == .stopping && instance.cause == nil) {
      change(service, to: .stopped)
    } else if case .start = instance.cause {
      change(service, to: .ended)
    } else if case .together = instance.cause {
      restart(service, after: 0)
    } else {
      decide(service, isFailure: isFailure)
    }
  }

  /// Applies `restart` or `onExit`.
  private mutating func decide(_ service: Int, isFailure: Bool) {
    let rules = services[service].rules
    let wants =
      switch rules.restart.condition {
      case .never: false
      case .onFailure: isFailure
      case .always: true
      }
    let row = services[service].row
    if row == 0 { services[service].rowStart = now }
    if wants, row < rules.restart.attempts {
      let doubled = (0..<row).reduce(rules.restart.backoff) { pause, _ in pause * 2 }
      services[service].row += 1
      return restart(service, after: min(doubled, rules.restart.maxBackoff).nanoseconds)
    }
    change(service, to: .ended)
    let exhaustion = rules.restart.exhaustion(of: row, in: now - services[service].rowStart)
    add(
      .ended(
        (services[service].end ?? "") + (wants ? "; \(exhaustion)" : ""), rules.onExit, isExhausted: wants),
      service)
    if rules.onExit != .ignore {
      expectEnds()
      if !stopsAll { endDue = min(endDue ?? .max, now + simulated.endDelay) }
    }
  }

  private mutating func restart(_ service: Int, after pause: Int64) {
    services[service].restartDue = now + pause
    change(service, to: .restarting)
  }

  // MARK: - Requests

  private mutating func take(_ request: Int, _ action: ServiceAction, _ service: Int) {
    let instance = services[service]
    if stopsAll { return trace.answer(request, .refused("the services are stopping"), at: now) }
    switch (action, instance.state) {
    case (.stop, .stopped), (.stop, .ended):
      guard instance.hasRequests else { return trace.answer(request, .unchanged(instance.state), at: now) }
      fail(service, "another request stopped it")
      services[service].stops.append(request)
    case (.stop, _):
      fail(service, "another request stopped it")
      services[service].stops.append(request)
      services[service].stopsWork = instance.isRunning
      stop(service)
    case (.start, .ready): trace.answer(request, .unchanged(.ready), at: now)
    case (.start, .starting) where !instance.hasRequests: services[service].starters.append(request)
    default:
      services[service].starters.append(request)
      if instance.startsAgain || instance.isRequested || instance.isJoined { return }
      services[service].startsAgain = true
      services[service].stopsWork = instance.isRunning
      stop(service)
    }
  }

  /// Makes the requests fail that wait until the service is ready. Their answer comes when it is down.
  private mutating func fail(_ service: Int, _ reason: String) {
    services[service].failures += services[service].starters.map { ($0, reason) }
    services[service].starters = []
    (services[service].startsAgain, services[service].isRequested) = (false, false)
  }

  /// Continues the requests for a service that is down.
  private mutating func settle(_ service: Int) {
    guard services[service].isDown, services[service].hasRequests else { return }
    if services[service].stopsWork { services[service].wasKilled = services[service].killedAt != nil }
    services[service].stopsWork = false
    let wasKilled = services[service].wasKilled
    for (request, reason) in services[service].failures { trace.answer(request, .failed(reason), at: now) }
    services[service].failures = []
    let state = services[service].startsAgain ? .stopped : services[service].state
    answer(\.stops, of: service, .done(state, wasKilled: wasKilled))
    guard services[service].startsAgain else {
      services[service].wasKilled = false
      return
    }
    services[service].startsAgain = false
    services[service].row = 0
    guard begin(service) else {
      (services[service].wasKilled, services[service].killedAt) = (false, nil)
      change(service, to: .ended)
      return answer(\.starters, of: service, .failed("out of paper"))
    }
    services[service].isRequested = true
    change(service, to: .starting)
  }

  // MARK: - The trace

  private mutating func answer(
    _ requests: WritableKeyPath<Instance, [Int]>, of service: Int, _ kind: SimulatedFact.Kind
  ) {
    for request in services[service][keyPath: requests] { trace.answer(request, kind, at: now) }
    services[service][keyPath: requests] = []
  }

  private mutating func change(_ service: Int, to state: ServiceState) {
    services[service].state = state
    let instance = services[service]
    let startsAgain = instance.isDown && instance.startsAgain
    add(
      .changed(
        startsAgain ? .restarting : state, restarts: instance.restarts,
        pause: state == .restarting ? instance.restartDue.map { $0 - now } : nil,
        wasKilled: instance.killedAt != nil, end: instance.end), service)
  }

  private mutating func add(_ kind: SimulatedFact.Kind, _ service: Int) {
    trace.add(kind, of: service, at: now)
  }
}
