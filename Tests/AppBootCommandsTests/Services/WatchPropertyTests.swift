import AppBoot
import AppBootSystem
import AppBootTestSupport
import Testing

@testable import AppBootCommands

/// The rules of `watch`, held over random runs of the real supervisor under a virtual clock: the last change always
/// takes effect, and never two restarts happen at once.
@Suite("Simulated changes of files", .ownThread)
struct WatchPropertyTests {
  private static let seeds: [UInt64] = {
    let wanted = ProcessEnvironment.value(of: "APPBOOT_SEED").flatMap { UInt64($0) }
    return wanted.map { [$0] } ?? Array(0..<1000)
  }()

  @Test("The last change always takes effect, and never two restarts happen at once", arguments: 0..<2)
  func rules(part: Int) throws {
    for (index, seed) in Self.seeds.enumerated() where index % 2 == part {
      var run = try SimulatedWatch(seed: seed)
      let problem = try run.problem()
      #expect(problem == nil, "seed \(seed): \(problem ?? "")")
      if problem != nil { return }
    }
  }

  @Test("The random runs have restarts, crashes, refusals and changes during a restart")
  func coverage() throws {
    var facts = (restarts: 0, crashes: 0, merged: 0, failed: 0)
    for seed in UInt64(0)..<200 {
      var run = try SimulatedWatch(seed: seed)
      _ = try run.problem()
      facts.restarts += run.served
      facts.merged += run.merged
      facts.crashes += run.crashes
      facts.failed += run.failures.withLock(\.self)
    }
    #expect(facts.restarts > 400 && facts.merged > 50 && facts.crashes > 50 && facts.failed > 20, "\(facts)")
  }
}

/// A watched service that ends and starts at random, with random writes of its files. A seed repeats it.
private struct SimulatedWatch {
  private static let context = LaunchPlan(sequence: [FakeService { _ in }]).detachedContexts()(0)

  private let clock = VirtualClock()
  private let supervisor: ServiceSupervisor
  private let service: Service
  /// The times at which processes of the service started, the newest last.
  private let starts = Lock<[Int64]>([])
  private let finished = Lock<[ServiceAnswer]>([])
  let failures = Lock(0)
  private var writes: [Int64]
  private var changes: WatchedChanges
  private(set) var served = 0
  /// The number of changes that came while a restart was under way.
  private(set) var merged = 0
  private(set) var crashes = 0
  private var isServing = false

  init(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let count = Int.random(in: 1...10, using: &random)
    var time: Int64 = 0
    writes = (0..<count).map { _ in
      time += Int64.random(
        in: 0...(Bool.random(using: &random) ? 300_000_000 : 3_000_000_000), using: &random)
      return time
    }
    changes = WatchedChanges(quiet: .milliseconds(Int.random(in: 0...200, using: &random)))
    let lives = (0...8).map { index in
      var life = SimulatedLife(kill: 1_000_000)
      // The first one is ready at once.
      life.failsToStart = index > 0 && Int.random(in: 0..<8, using: &random) == 0
      life.ready = index == 0 ? 0 : .random(in: 0...500_000_000, using: &random)
      life.end = Bool.random(using: &random) ? .random(in: 1_000_000...2_000_000_000, using: &random) : nil
      life.code = 1
      life.stop = .random(in: 0...400_000_000, using: &random)
      return life
    }
    let restart = RestartPolicy(
      RestartPolicy.Condition.allCases.randomElement(using: &random) ?? .never, attempts: 2,
      backoff: .milliseconds(200))
    supervisor = try ServiceSupervisor { _ in }
    _ = supervisor.begin()
    service = Service(
      id: "web", restart: restart, grace: .milliseconds(200), stopSignal: Signals.terminate,
      onExit: .fail.whileWatched, startLimit: 400_000_000, context: Self.context
    ) { [clock, starts] in
      let number = starts.withLock { starts in
        starts.append(clock.now)
        return starts.count - 1
      }
      return try SimulatedWork(lives[number % lives.count], clock)
    }
    try service.start(isFirst: true, at: 0)
    let step = ServiceStart(service, supervisor)
    supervisor.keep(service)
    var desk = ServiceDesk(supervisor: supervisor)
    _ = supervisor.turn(&desk, at: 0)
    step.release()
  }

  /// Runs until nothing is due. Returns the broken rule; `nil` if there is none.
  mutating func problem() throws -> String? {
    let last = writes.last ?? 0
    var desk = ServiceDesk(supervisor: supervisor)
    for _ in 0..<20_000 {
      let next = [writes.first, changes.deadline, supervisor.nextDeadline].compactMap(\.self).min()
      guard let next, next < last + 60_000_000_000 else {
        let newest = starts.withLock(\.last) ?? 0
        if isServing { return "a restart does not end" }
        return newest >= last ? nil : "the change at \(last) has no effect: the last start was at \(newest)"
      }
      clock.set(max(next, clock.now))
      while let write = writes.first, write <= clock.now {
        writes.removeFirst()
        if isServing { merged += 1 }
        changes.add(["a"], at: clock.now)
      }
      if let problem = serve() { return problem }
      if case .ended = supervisor.state(of: "web") { crashes += 1 }
      _ = supervisor.turn(&desk, at: clock.now)
      for _ in finished.withLock({ results in
        defer { results = [] }
        return results
      }) {
        isServing = false
        changes.finish(at: clock.now)
      }
    }
    return "the run does not end"
  }

  /// Does the work that is due, as the tool does. Returns the broken rule; `nil` if there is none.
  private mutating func serve() -> String? {
    guard case .serve = changes.take(at: clock.now, in: supervisor.state(of: "web")) else { return nil }
    if isServing { return "two restarts at once" }
    (isServing, served) = (true, served + 1)
    supervisor.perform(.restart, on: "web") { [finished, failures] answer in
      if case .failed = answer { failures.withLock { $0 += 1 } }
      finished.withLock { $0.append(answer) }
    }
    return nil
  }
}
