import AppBoot
import AppBootSystem
import AppBootTestSupport

@testable import AppBootCommands

/// A simulated service: its rules, and the life that each start begins.
struct SimulatedService: Sendable, CustomStringConvertible {
  let id: String
  var restart: RestartPolicy
  var grace: Int64
  var onExit: ServiceExitPolicy
  /// The nanoseconds within which a restart must be ready; `nil` for no limit.
  var startLimit: Int64?
  /// The first life is ready at once. After the last one the first follows again.
  var lives: [SimulatedLife]

  func life(_ number: Int) -> SimulatedLife { lives[number % lives.count] }

  var description: String {
    let with = restart.with.map { " with \($0.joined(separator: " "))" } ?? ""
    let limits = [
      ("backoff", restart.backoff.nanoseconds), ("most", restart.maxBackoff.nanoseconds),
      ("reset", restart.resetAfter.nanoseconds), ("grace", grace), ("limit", startLimit ?? 0),
    ]
    let times = limits.map { " \($0.0) \(DurationText.exact(.nanoseconds($0.1)))" }.joined()
    return "\(id) \(restart.condition)\(with) \(restart.attempts) times\(times) \(onExit)"
      + lives.map { "\n    \($0)" }.joined()
  }
}

/// An event from outside of the services.
enum SimulatedDeed: Sendable {
  /// A request for the service with this index.
  case request(ServiceAction, of: Int)
  /// The app begins to end. Its services continue to run.
  case expectEnds
  /// All services stop.
  case stopAll
}

/// Random services and the events of their app: all of it from one seed.
struct SimulatedServices: Sendable {
  let seed: UInt64
  let services: [SimulatedService]
  /// For each service, the services that stop before it.
  let dependents: [Set<Int>]
  /// The deeds in their order. Those of one time arrive together.
  let deeds: [(time: Int64, deed: SimulatedDeed)]
  /// The time from the end of a service that ends the app until all services stop.
  let endDelay: Int64

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    self.seed = seed
    let count = Int.random(in: 2...4, using: &random)
    services = (0..<count).map { Self.service($0, &random) }
    var dependents = [Set<Int>](repeating: [], count: count)
    for service in (0..<count).reversed() {
      for later in service + 1..<count where random.chance(50) {
        dependents[service].formUnion(dependents[later].union([later]))
      }
    }
    self.dependents = dependents
    deeds = Self.deeds(for: count, &random)
    endDelay = random.time(0.01, 1)
  }

  private static func service(_ index: Int, _ random: inout SeededGenerator) -> SimulatedService {
    let condition = RestartPolicy.Condition.allCases.randomElement(using: &random)
    let earlier = (0..<index).filter { _ in random.chance(40) }.map(name)
    var restart = RestartPolicy(
      condition ?? .never, attempts: Int.random(in: 1...4, using: &random),
      backoff: random.chance(10) ? .zero : .nanoseconds(random.time(0.1, 1)),
      with: earlier.isEmpty ? nil : earlier)
    restart.maxBackoff = restart.backoff + .nanoseconds(random.time(0, 3))
    restart.resetAfter = .nanoseconds(random.time(1, 5))
    let isCrashy = random.chance(60)
    var lives = (0...Int.random(in: 1...5, using: &random)).map { _ in life(isCrashy: isCrashy, &random) }
    (lives[0].ready, lives[0].failsToStart) = (0, false)
    return SimulatedService(
      id: name(index), restart: restart, grace: random.time(0.3, 4),
      onExit: random.chance(60) ? .ignore : random.chance(60) ? .fail : .finish,
      startLimit: random.chance(60) ? random.time(0.5, 2) : nil, lives: lives)
  }

  private static func name(_ index: Int) -> String { ["a", "b", "c", "d"][index] }

  private static func life(isCrashy: Bool, _ random: inout SeededGenerator) -> SimulatedLife {
    let ignored: Int64 = 3_600_000_000_000
    var life = SimulatedLife(kill: random.time(0.001, 0.05))
    life.failsToStart = random.chance(10)
    if random.chance(85) { life.ready = random.time(0.01, 2) }
    if random.chance(isCrashy ? 80 : 10) { life.end = random.time(0.05, 6) }
    life.code = random.chance(65) ? 7 : 0
    if random.chance(80) { life.stop = random.time(0.01, 2) }
    if random.chance(15) { life.linger = random.chance(80) ? random.time(0.05, 3) : ignored }
    if random.chance(15) { life.sick = random.time(0.2, 4) }
    return life
  }

  private static func deeds(
    for count: Int, _ random: inout SeededGenerator
  ) -> [(time: Int64, deed: SimulatedDeed)] {
    let actions: [ServiceAction] = [.stop, .restart, .start]
    let end = random.time(4, 30)
    var deeds: [(time: Int64, deed: SimulatedDeed)] = [(end, .stopAll)]
    if random.chance(30) { deeds.append((random.time(1, 30), .expectEnds)) }
    for _ in 0..<Int.random(in: 0...8, using: &random) {
      let time = random.time(0.1, 25)
      let service = Int.random(in: 0..<count, using: &random)
      for _ in 0..<(random.chance(40) ? 3 : 1) {
        let action = actions.randomElement(using: &random) ?? .stop
        deeds.append((time, .request(action, of: service)))
      }
    }
    return deeds.sorted { $0.time < $1.time }
  }
}

extension SeededGenerator {
  /// Returns a time between two numbers of seconds, in nanoseconds. Two of them are almost never the same.
  fileprivate mutating func time(_ least: Double, _ most: Double) -> Int64 {
    Int64.random(in: Int64(least * 1e9)...Int64(most * 1e9), using: &self)
  }
}

/// A fact that a supervisor reports about a service or about a request, at its time.
struct SimulatedFact: Equatable, CustomStringConvertible {
  enum Kind: Equatable {
    case changed(ServiceState, restarts: Int, pause: Int64?, wasKilled: Bool, end: String?)
    case isReadyAgain
    case unhealthy(String)
    case delayed(killIn: Int64)
    case killed(after: Int64)
    case ended(String, ServiceExitPolicy, isExhausted: Bool)
    case done(ServiceState, wasKilled: Bool)
    case unchanged(ServiceState)
    case failed(String)
    case refused(String)
  }

  let time: Int64
  let kind: Kind

  var description: String { "\(DurationText.exact(.nanoseconds(time))) \(words)" }

  private var words: String {
    let exact = { (time: Int64) in DurationText.exact(.nanoseconds(time)) }
    return switch kind {
    case .changed(let state, let restarts, let pause, let wasKilled, let end):
      "\(state), \(restarts) restarts" + (pause.map { ", after \(exact($0))" } ?? "")
        + (wasKilled ? ", killed" : "") + (end.map { " (\($0))" } ?? "")
    case .isReadyAgain: "is ready again"
    case .unhealthy(let text): "unhealthy: \(text)"
    case .delayed(let time): "KILL in \(exact(time))"
    case .killed(let time): "KILL after \(exact(time))"
    case .ended(let words, let policy, let isExhausted):
      "ended: \(words) (\(policy)\(isExhausted ? ", no restart left" : ""))"
    case .done(let state, let wasKilled): "done: \(state)\(wasKilled ? ", killed" : "")"
    case .unchanged(let state): "unchanged: \(state)"
    case .failed(let reason): "failed: \(reason)"
    case .refused(let reason): "refused: \(reason)"
    }
  }
}

/// The facts of a run, for each service and for each request.
struct SimulatedTrace: Equatable, Sendable {
  var services: [[SimulatedFact]]
  /// For each request in the order of the deeds, its answers.
  var requests: [[SimulatedFact]]

  init(_ simulated: SimulatedServices) {
    services = simulated.services.map { _ in [] }
    requests = simulated.deeds.compactMap { if case .request = $0.deed { [] } else { nil } }
  }

  /// Adds a fact. A change to the state that the service already has is not a fact.
  mutating func add(_ kind: SimulatedFact.Kind, of service: Int, at time: Int64) {
    if case .changed = kind {
      let last = services[service].last { if case .changed = $0.kind { true } else { false } }
      if kind == last?.kind ?? .changed(.ready, restarts: 0, pause: nil, wasKilled: false, end: nil) {
        return
      }
    }
    services[service].append(SimulatedFact(time: time, kind: kind))
  }

  mutating func answer(_ request: Int, _ kind: SimulatedFact.Kind, at time: Int64) {
    requests[request].append(SimulatedFact(time: time, kind: kind))
  }
}
