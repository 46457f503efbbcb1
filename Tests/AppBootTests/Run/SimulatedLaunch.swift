import AppBootTestSupport

@testable import AppBoot
@testable import AppBootAnalysis

/// A random launch under a virtual clock: the real coordinator, driven by the library's simulation.
struct SimulatedLaunch {
  struct Failed: Error {}

  private static let grace: Int64 = 15
  /// More moments than any launch here has: one that goes on past them does not end.
  private static let mostMoments = 100_000

  let record: LaunchRecord
  let events: [LaunchEvent]
  private let plan: LaunchPlan
  private let jobs: Int
  private let highestLoad: Simulation.Load

  /// Runs the launch to its end.
  init(_ simulated: SimulatedPlan) throws {
    plan = simulated.plan
    var simulation = Simulation(
      Coordinator(plan: plan, jobs: simulated.jobs, grace: Self.grace, ranks: simulated.ranks),
      cancelTime: simulated.cancelTime
    ) { simulated.behaviours[$0.step].work($0) }
    var events: [LaunchEvent] = []
    var moments = 0
    while !simulation.isFinished {
      moments += 1
      guard moments < Self.mostMoments else { throw Simulation.Stuck(time: events.last?.moment ?? 0) }
      events += try simulation.advance()
    }
    self.events = events
    jobs = simulated.jobs
    highestLoad = simulation.highestLoad
    record = LaunchRecord(folding: events, plan: plan)
  }

  /// Returns the rules that the launch breaks; its record is a replay of its events.
  func problems() -> [String] {
    LaunchCheck(
      plan: plan, record: record, events: events, jobs: jobs, mostAtOnce: highestLoad.workers,
      usedMainLaneTwice: highestLoad.main > 1
    ).problems(replays: false)
  }
}

extension SimulatedBehaviour {
  /// Returns how one attempt or the undo goes.
  fileprivate func work(_ work: EngineWork) -> Simulation.Work {
    let failure = Result<Void, any Error>.failure(SimulatedLaunch.Failed())
    if work.isUndo {
      return Simulation.Work(
        duration: undoDuration, result: undoFails ? failure : .success(()), stopsWhenTold: listens)
    }
    return switch end(ofAttempt: work.attempt) {
    case .success: Simulation.Work(duration: duration, stopsWhenTold: listens)
    case .failure: Simulation.Work(duration: duration, result: failure, stopsWhenTold: listens)
    case .cancelsItself:
      Simulation.Work(duration: duration, result: .failure(CancellationError()), stopsWhenTold: listens)
    case .never: Simulation.Work(duration: .max / 2, stopsWhenTold: listens)
    }
  }
}
