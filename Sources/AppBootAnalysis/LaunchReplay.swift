package import AppBoot
import AppBootRecords

/// A recorded launch that can be simulated as it was or with changes.
///
///     guard let replay = LaunchReplay(of: record) else { return }
///     var changes = LaunchChanges()
///     changes.times[3] = .scaled(0.5)
///     let duration = replay.predictedDuration(with: changes)
///
/// The real ``Coordinator`` decides which step starts when, on a virtual clock. A step keeps the time between its
/// earliest possible start and its recorded start.
package struct LaunchReplay: Sendable {
  /// The launch as it was recorded.
  package let record: LaunchRecord
  /// The number of slots for steps off the main lane.
  package let jobs: Int
  /// The number of processors that the launch could use; `nil` if it is unknown.
  package let processors: Int?
  /// The duration of the simulated launch without changes, in nanoseconds.
  package private(set) var duration: Int64 = 0
  /// True if steps can delay each other by more than their order: they waited for a slot, the main lane or a processor.
  let hasLimits: Bool

  /// The demands of the attempts for processors.
  private let fit: CPUFit
  let attempts: RecordedAttempts
  private let plan: LaunchPlan
  /// The rank of each step; `nil` for manifest order. Of two ready steps, the one with the lower rank starts first.
  private var ranks: [Int32]?
  /// True if the ranks come from the steps' remaining paths.
  private var followsPaths = false
  /// The nanoseconds from the earliest possible start to the recorded start, by attempt.
  private let delays: [Int64]
  /// The nanoseconds from the end of the last step to the end of the launch.
  private let tail: Int64

  /// Creates a replay. Returns `nil` if the launch did not succeed: a successful launch would have taken longer.
  package init?(of record: LaunchRecord) {
    guard record.succeeded, let plan = LaunchPlan(replaying: record) else { return nil }
    let attempts = RecordedAttempts(of: record)
    let starts = StartTimes(of: attempts, in: record)
    let processors = record.header.processors ?? record.header.host?.cores
    let fit = CPUFit(of: attempts, in: record, processors: processors)
    self.record = record
    self.plan = plan
    self.attempts = attempts
    self.processors = processors
    jobs = starts.jobs
    delays = zip(attempts.all, starts.starts).map { max(0, $0.start - $1.time) }
    self.fit = fit
    hasLimits = starts.hasWaits || fit.isShort
    tail = max(0, record.elapsedTime - (attempts.all.lazy.map(\.end).max() ?? 0))
    findRanks()
  }

  /// False if too many steps ran at once to find out whether they waited for a processor.
  var isComplete: Bool { fit.isComplete }

  /// True if steps waited for a processor.
  var waitsForProcessors: Bool { fit.isShort }

  /// The steps whose attempts computed for a part of their time, and waited for something else as far as the record
  /// shows. If other work kept the processors busy, they waited for one.
  var partlyComputing: Set<Int> {
    let indices = attempts.all.indices.filter { index in
      guard let demand = fit.demands[index] else { return false }
      return (0.2...0.8).contains(demand.share) && demand.duration > 0.05 * Double(record.elapsedTime)
    }
    return Set(indices.map { attempts.all[$0].step })
  }

  /// The work of a simulation with shared processors (``CPUFit/work``); 0 if no step waited for a processor.
  var sharedWork: Int { fit.isShort ? fit.work : 0 }

  /// Sets the ranks and the duration.
  ///
  /// A record does not have the rule for the start order. The rules of real launches come first, because a changed
  /// launch also follows its rule. The order of the recorded starts remains if each rule gives other start times.
  private mutating func findRanks() {
    let starts = record.executions.map { $0.startTime ?? .max }
    let byStart = starts.indices.sorted { (starts[$0], $0) < (starts[$1], $1) }
    let tolerance = record.elapsedTime.magnitude / 1000
    var tried: [(error: UInt64, ranks: [Int32]?, duration: Int64)] = []
    for ranks in [nil, pathRanks(plan.graph), ShuffledOrder.ranks(of: byStart)] {
      self.ranks = ranks
      let simulated = simulated(with: LaunchChanges())
      tried.append((error(of: simulated), ranks, simulated.elapsedTime))
      if tried.last?.error ?? .max <= tolerance { break }
    }
    let least = tried.lazy.map(\.error).min() ?? 0
    guard let place = tried.firstIndex(where: { $0.error - least <= tolerance }) else { return }
    ranks = tried[place].ranks
    followsPaths = place == 1
    duration = tried[place].duration
  }

  /// Returns the mean difference of the start times from the recorded ones, or that of the durations if it is larger.
  private func error(of simulated: LaunchRecord) -> UInt64 {
    var (sum, count) = (0.0, 0.0)
    for (new, old) in zip(simulated.executions, record.executions) {
      guard let start = new.startTime, let recorded = old.startTime else { continue }
      sum += Double((start - recorded).magnitude)
      count += 1
    }
    return max(UInt64(sum / max(1, count)), (simulated.elapsedTime - record.elapsedTime).magnitude)
  }

  /// Returns the ranks for starting the step with the longest remaining path first.
  private func pathRanks(_ graph: DependencyGraph) -> [Int32] {
    let paths = LongestPath.remainingPaths(graph, record.executions.map(\.runningTime))
    return ShuffledOrder.ranks(of: paths.indices.sorted { (paths[$1], $0) < (paths[$0], $1) })
  }

  // MARK: - Predictions

  /// Returns the duration of the launch with changes, in nanoseconds.
  ///
  /// It is the recorded duration multiplied by the ratio of the simulated ones.
  package func predictedDuration(with changes: LaunchChanges) -> Int64 {
    var base = LaunchChanges()
    base.freeProcessors = changes.freeProcessors
    let duration = base == LaunchChanges() ? self.duration : simulatedDuration(with: base)
    guard duration > 0 else { return 0 }
    let changed = Double(simulatedDuration(with: changes))
    return Int64(clamping: (Double(record.elapsedTime) * changed / Double(duration)).rounded())
  }

  /// Returns the record of the simulated launch with changes.
  package func simulated(with changes: LaunchChanges) -> LaunchRecord {
    let plan = changed(changes)
    var simulated = LaunchRecord(outline: plan.outline, startedAt: record.startedAt)
    simulated.header = record.header
    simulated.header.jobs = changes.jobs ?? jobs
    if changes.jobs != nil { simulated.header.isSerial = false }
    for event in run(plan, with: changes) { simulated.apply(event) }
    simulated.elapsedTime = simulated.elapsedTime.addingClamped(tail)
    return simulated
  }

  /// Returns the steps that would come after themselves with the changes; `nil` for none.
  package func circle(with changes: LaunchChanges) -> [Int]? {
    plan.graph.changed(changes.predecessors).cycles(atMost: 1).first
  }

  /// Returns whether an attempt of a step exceeds a timeout in a simulated launch, but not in the record.
  ///
  /// The delay before an attempt does not count. A single simulated attempt is compared with the last recorded one.
  func exceeds(_ timeout: Int64, inStep step: Int, of simulated: RecordedAttempts) -> Bool {
    let recorded = attempts.indices(ofStep: step)
    guard let last = recorded.last else { return false }
    let indices = simulated.indices(ofStep: step)
    return indices.contains { index in
      let attempt = simulated.all[index]
      let place = min(recorded.lowerBound + attempt.number - 1, last)
      let original = attempts.all[indices.count == 1 ? last : place]
      let time = attempt.end - attempt.start - delays[place]
      return time > timeout && original.end - original.start <= timeout
    }
  }

  private func simulatedDuration(with changes: LaunchChanges) -> Int64 {
    (run(changed(changes), with: changes).last?.moment ?? 0).addingClamped(tail)
  }

  /// Simulates a launch, and returns its events.
  private func run(_ plan: LaunchPlan, with changes: LaunchChanges) -> [LaunchEvent] {
    let ranks = followsPaths && !changes.predecessors.isEmpty ? pathRanks(plan.graph) : ranks
    let coordinator = Coordinator(
      plan: plan, jobs: changes.jobs ?? jobs, grace: 0, ranks: ranks,
      isSerial: record.header.isSerial && changes.jobs == nil)
    let processors = (canShare(changes) ? changes.processors ?? processors : nil)
      .map { Double($0) * changes.freeProcessors }
    var simulation = Simulation(coordinator, processors: processors) {
      work(of: $0, with: changes)
    }
    var events: [LaunchEvent] = []
    while !simulation.isFinished, let next = try? simulation.advance() { events += next }
    return events
  }

  /// Returns whether steps can wait for processors. If none did, changed times alone make little difference.
  private func canShare(_ changes: LaunchChanges) -> Bool {
    fit.isShort || changes.jobs != nil || !changes.predecessors.isEmpty || !changes.removed.isEmpty
  }

  private func changed(_ changes: LaunchChanges) -> LaunchPlan {
    var plan = plan
    // A step with a given time runs in one attempt.
    for case (let step, .exactly) in changes.times { plan.outline.steps[step].retry = nil }
    for step in changes.removed { plan.outline.steps[step].skip = .excluded("removed") }
    if !changes.predecessors.isEmpty { plan.outline.graph = plan.outline.graph.changed(changes.predecessors) }
    return plan
  }

  // MARK: - The work of a step

  private func work(of work: EngineWork, with changes: LaunchChanges) -> Simulation.Work {
    let indices = attempts.indices(ofStep: work.step)
    guard let last = indices.last else { return Simulation.Work(duration: 0) }
    let attempt = min(indices.lowerBound + work.attempt - 1, last)
    switch changes.times[work.step] {
    case nil: return self.work(ofAttempt: attempt, factor: 1, changes)
    case .scaled(let factor):
      return self.work(ofAttempt: attempt, factor: factor, changes)
    case .exactly(let time):
      let recorded = attempts.all[last].end - attempts.all[last].start
      let delay = delays[indices.lowerBound]
      guard recorded > 0 else {
        return Simulation.Work(duration: delay.addingClamped(time), result: result(of: attempts.all[last]))
      }
      return self.work(
        ofAttempt: last, factor: Double(time) / Double(recorded), delay: delay, changes)
    }
  }

  /// Returns the work of an attempt that takes its recorded time multiplied by a factor, at most ten years.
  ///
  /// - Parameter delay: The nanoseconds before the attempt begins; `nil` for the recorded ones.
  private func work(
    ofAttempt index: Int, factor: Double, delay: Int64? = nil, _ changes: LaunchChanges
  ) -> Simulation.Work {
    let delay = delay ?? delays[index]
    let attempt = attempts.all[index]
    let result = result(of: attempt)
    let running = attempt.end - attempt.start
    let factor = min(factor, Double(LaunchRecord.longestTime) / Double(max(1, running)))
    if canShare(changes), let demand = fit.demands[index] {
      return Simulation.Work(duration: delay, demand: demand.scaled(by: factor), result: result)
    }
    let time = factor == 1 ? running : Int64(clamping: (Double(running) * factor).rounded())
    return Simulation.Work(duration: delay.addingClamped(time), result: result)
  }

  private func result(of attempt: RecordedAttempts.Attempt) -> Result<Void, any Error> {
    if attempt.hasFailed { return .failure(RecordedFailure()) }
    switch record.executions[attempt.step].state {
    case .skipped(let reason): return .failure(Unnecessary(reason: reason.text(in: record.outline)))
    case .cancelled: return .failure(CancellationError())
    case .waiting, .ready, .running, .succeeded, .failed, .timedOut: return .success(())
    }
  }
}

/// The failure of a simulated attempt that also failed in the record.
private struct RecordedFailure: Error {}

/// The command of each step in a replay. It never runs.
private struct SimulatedCommand: Command {
  func execute(in context: LaunchContext) {}
}

extension LaunchPlan {
  /// Creates a plan of a recorded launch for a simulation. It has no timeouts: the recorded times decide.
  fileprivate init?(replaying record: LaunchRecord) {
    var outline = record.outline
    outline.timeoutTime = nil
    for step in outline.indices {
      outline.steps[step].timeout = nil
      // A simulation has no processes. Their work takes the same slot as that of a thread.
      if outline.steps[step].kind == .polled { outline.steps[step].kind = .synchronous }
      guard record.executions[step].startTime == nil else { continue }
      switch record.executions[step].state {
      case .skipped(.dependency), .skipped(.stopped): continue
      case .skipped(let reason): outline.steps[step].skip = reason
      case .waiting, .ready, .running, .succeeded, .failed, .timedOut, .cancelled: return nil
      }
    }
    self.init(
      outline: outline, commands: [any Command](repeating: SimulatedCommand(), count: outline.count),
      environment: LaunchEnvironment())
  }
}

extension DependencyGraph {
  /// Returns the graph with other predecessors for some steps.
  fileprivate func changed(_ changes: [Int: [Int]]) -> DependencyGraph {
    DependencyGraph(
      predecessors: (0..<count).map { changes[$0] ?? Array(predecessors(of: $0)) })
  }
}

/// Changes of a launch whose effect a ``LaunchReplay`` predicts. Steps are named by index.
package struct LaunchChanges: Sendable, Hashable {
  /// A change of a step's running time.
  package enum Time: Sendable, Hashable {
    /// The step takes this many nanoseconds, in one attempt.
    case exactly(Int64)
    /// Each attempt takes its recorded time multiplied by this factor.
    case scaled(Double)
  }

  /// The changed running times.
  package var times: [Int: Time] = [:]
  /// The changed predecessors.
  package var predecessors: [Int: [Int]] = [:]
  /// The steps that are left out. Steps after them wait for the steps before them.
  package var removed: Set<Int> = []
  /// The new number of slots; `nil` for the recorded one.
  package var jobs: Int?
  /// The new number of processors; `nil` for the recorded one.
  package var processors: Int?
  /// The part of the processors that other work leaves to the launch, with and without the changes.
  package var freeProcessors = 1.0

  /// Creates no changes.
  package init() {}
}
