@testable import AppBoot

/// Drives the real coordinator under a virtual clock: no thread, no waiting, the same outcome every time.
struct Simulation {
  /// What went wrong with the engine itself.
  struct Stuck: Error { let time: Int64 }

  private struct Running {
    let work: EngineWork
    var end: Int64
    var result: Result<Void, any Error>
  }

  private struct Mishap: Error {}

  let simulated: SimulatedPlan
  private var coordinator: Coordinator
  private var running: [Running] = []
  private var time: Int64 = 0
  private var isCancelled = false
  private(set) var events: [StartupEvent] = []
  /// The most steps beside the main lane that ran at once, drained processes included.
  private(set) var mostAtOnce = 0
  private(set) var usedMainLaneTwice = false
  static let grace: Int64 = 15

  init(_ simulated: SimulatedPlan) {
    self.simulated = simulated
    coordinator = Coordinator(
      plan: simulated.plan, jobs: simulated.jobs, grace: Self.grace, ranks: simulated.ranks)
  }

  var stages: [Coordinator.Stage] { coordinator.stages }

  /// Runs to the end.
  mutating func run() throws -> StartupRecord {
    coordinator.begin(at: 0)
    collect()
    var rounds = 0
    while !coordinator.isFinished {
      rounds += 1
      startWhatCanStart()
      if coordinator.isFinished { break }
      guard let next = nextMoment(), rounds < 100_000 else { throw Stuck(time: time) }
      time = max(time, next)
      cancelIfDue()
      finishWhatIsDone()
      let interruptions = coordinator.expire(at: time)
      collect()
      interrupt(interruptions)
    }
    return Self.fold(events, plan: simulated.plan)
  }

  static func fold(_ events: [StartupEvent], plan: StartupPlan) -> StartupRecord {
    var record = StartupRecord(outline: plan.outline, startedAt: "")
    for event in events { record.apply(event) }
    return record
  }

  private mutating func collect() { events += coordinator.takeEvents() }

  private mutating func startWhatCanStart() {
    while let work = coordinator.takeMain(at: time) { start(work, onMainLane: true) }
    while let work = coordinator.takeOther(at: time) { start(work, onMainLane: false) }
    collect()
    mostAtOnce = max(mostAtOnce, coordinator.othersRunning)
  }

  private mutating func start(_ work: EngineWork, onMainLane: Bool) {
    let plan = simulated.plan
    if onMainLane, !work.isUndo,
      running.contains(where: { plan[$0.work.step].lane == .main && !$0.work.isUndo && isTracked($0.work) })
    {
      usedMainLaneTwice = true
    }
    running.append(Running(work: work, end: time + duration(of: work), result: result(of: work)))
  }

  private func isTracked(_ work: EngineWork) -> Bool { coordinator.mainStep == work.step }

  private func duration(of work: EngineWork) -> Int64 {
    let behaviour = simulated.behaviours[work.step]
    if work.isUndo { return behaviour.undoDuration }
    return behaviour.end(ofAttempt: work.attempt) == .never ? .max / 2 : behaviour.duration
  }

  private func result(of work: EngineWork) -> Result<Void, any Error> {
    let behaviour = simulated.behaviours[work.step]
    if work.isUndo { return behaviour.undoFails ? .failure(Mishap()) : .success(()) }
    switch behaviour.end(ofAttempt: work.attempt) {
    case .success, .never: return .success(())
    case .failure: return .failure(Mishap())
    case .cancelsItself: return .failure(CancellationError())
    }
  }

  private func nextMoment() -> Int64? {
    let cancel = isCancelled ? nil : simulated.cancelTime
    return [running.map(\.end).min(), coordinator.nextDeadline, cancel].compactMap(\.self).min()
  }

  private mutating func cancelIfDue() {
    guard let cancelTime = simulated.cancelTime, !isCancelled, cancelTime <= time else { return }
    isCancelled = true
    let interruptions = coordinator.cancel(.requested("test"), at: time)
    collect()
    interrupt(interruptions)
  }

  private mutating func finishWhatIsDone() {
    for item in running.filter({ $0.end <= time }).sorted(by: { $0.work.step < $1.work.step }) {
      running.removeAll { $0.work == item.work }
      coordinator.finish(item.work, item.result, at: time)
      collect()
    }
  }

  /// What listens ends soon after it was told; a process also ends when it is forced to.
  private mutating func interrupt(_ interruptions: [Interruption]) {
    for interruption in interruptions {
      let work = interruption.work
      guard let index = running.firstIndex(where: { $0.work == work }) else { continue }
      let isMain = work.kind == .synchronous && simulated.plan[work.step].lane == .main
      let stops = simulated.behaviours[work.step].listens && !isMain
      guard stops || (interruption.isForced && work.kind == .polled) else { continue }
      running[index].end = min(running[index].end, time + 3)
      running[index].result = .failure(CancellationError())
    }
  }
}
