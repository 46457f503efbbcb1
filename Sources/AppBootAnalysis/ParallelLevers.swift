import AppBoot
import AppBootSystem

/// The changes with which more of a launch would run at the same time, with the time that the launch would save.
///
/// The processors limit each gain. So there are no gains if the number of processors is unknown. A step whose CPU time
/// is unknown counts as computing all the time.
package struct ParallelLevers: Sendable {
  /// More slots.
  package struct Jobs: Sendable, Hashable {
    /// The number of slots. It is the smallest one found with 90 % of the gain of any number.
    package let count: Int
    /// The number of slots that the launch had.
    package let recorded: Int
    /// The nanoseconds that the launch would save.
    package let gain: Int64
    /// The gain as a part of the launch's duration, from 0 to 1.
    package let share: Double
  }

  /// A step that could start together with one of its predecessors, if it needs nothing of it.
  package struct Order: Sendable, Hashable {
    /// The index of the step.
    package let step: Int
    /// The index of the predecessor.
    package let predecessor: Int
    /// The changed predecessors of steps, by step index. Steps after the step also come after the predecessor.
    package let predecessors: [Int: [Int]]
    /// The nanoseconds that the launch would save.
    package let gain: Int64
    /// The gain as a part of the launch's duration, from 0 to 1.
    package let share: Double
  }

  /// The part of the largest gain that a number of slots needs.
  private static let enough = 0.9
  /// The minimum number of simulations for the slots, also if the launch has many steps.
  private static let fewest = 4

  /// The gain of more slots; `nil` if they did not limit the launch.
  package private(set) var jobs: Jobs?
  /// The orders with the largest gains, largest first.
  package private(set) var orders: [Order] = []

  private let total: Int64
  private let least: Int64

  /// Finds no changes.
  init() { (total, least) = (0, 0) }

  /// Finds the changes by simulations. The orders and the slots may each use half as many as ``Levers`` may.
  ///
  /// - Parameters:
  ///   - least: The smallest gain that counts, in nanoseconds.
  ///   - limit: The maximum number of orders.
  init(of replay: LaunchReplay, least: Int64, atMost limit: Int) {
    (total, self.least) = (replay.record.elapsedTime, least)
    guard replay.processors != nil, replay.isComplete, replay.work <= CPUFit.budget else { return }
    findOrders(of: replay, atMost: limit)
    findJobs(of: replay)
  }

  /// Finds the orders of a launch whose steps ran one after the other, without a simulation.
  ///
  /// Two steps side by side take as long as the longer one, or as their CPU time on all processors.
  init(ofSequence record: StartupRecord, least: Int64, atMost limit: Int) {
    (total, self.least) = (record.elapsedTime, least)
    guard let processors = record.header.processors ?? record.header.host?.cores else { return }
    for step in record.indices.dropFirst() {
      guard Self.canOverlap(step, step - 1, in: record, jobs: record.header.jobs ?? 1) else { continue }
      let pair = [step - 1, step]
      let times = pair.map { record.executions[$0].runningTime }
      let computing = pair.reduce(0.0) {
        $0 + Double(record.details[$1]?.processorTime ?? record.executions[$1].runningTime)
      }
      let together = max(times[0], times[1], Int64(clamping: computing / Double(max(1, processors))))
      let gain = times[0].addingClamped(times[1]) - together
      let full = orders.count >= limit
      guard gain >= least, !full || gain > (orders.last?.gain ?? 0) else { continue }
      insert(step, after: step - 1, Self.alongside(step, step - 1, in: record.outline), gain, atMost: limit)
    }
  }

  // MARK: - Slots

  private mutating func findJobs(of replay: LaunchReplay) {
    guard replay.waitsForSlots else { return }
    let largest = max(replay.jobs + 1, replay.maximumJobs)
    let work = 2 * replay.attempts.all.count * largest
    var remaining = max(
      Self.fewest, Levers.simulations(steps: replay.record.count, sharedWork: work) / 2)
    func outcome(_ jobs: Int) -> (gain: Int64, slots: Int) {
      remaining -= 1
      var changes = LaunchChanges()
      changes.jobs = jobs
      changes.countsUnknownAsComputing = true
      let outcome = replay.outcome(with: changes)
      return (total - outcome.duration, outcome.slots)
    }
    let most = outcome(largest)
    guard most.gain >= least, most.slots > replay.jobs else { return }
    var (low, high, gain) = (replay.jobs, most.slots, most.gain)
    let needed = Int64(clamping: Self.enough * Double(most.gain))
    // Computing steps gain most with a slot for each processor: more slots may gain less.
    if let processors = replay.processors, low < processors, processors < high {
      let found = outcome(processors).gain
      if found >= needed { (high, gain) = (processors, found) }
    }
    while high - low > 1, remaining > 0 {
      let middle = low + (high - low) / 2
      let found = outcome(middle).gain
      if found >= needed { (high, gain) = (middle, found) } else { low = middle }
    }
    guard gain >= least else { return }
    jobs = Jobs(count: high, recorded: replay.jobs, gain: gain, share: Double(gain) / Double(total))
  }

  // MARK: - Orders

  private mutating func findOrders(of replay: LaunchReplay, atMost limit: Int) {
    let record = replay.record
    var remaining = Levers.simulations(steps: record.count, sharedWork: replay.work) / 2
    // A step gains at most its own time, and at most the time of its predecessor.
    func bound(_ pair: (step: Int, predecessor: Int)) -> Int64 {
      min(record.executions[pair.step].runningTime, record.executions[pair.predecessor].runningTime)
    }
    let candidates = Self.criticalPairs(of: replay).filter { bound($0) >= least }
      .sorted { (bound($1), $0.step) < (bound($0), $1.step) }
    for pair in candidates {
      if orders.count >= limit, let last = orders.last, last.gain >= bound(pair) { break }
      guard remaining > 0 else { break }
      remaining -= 1
      var changes = LaunchChanges()
      changes.predecessors = Self.alongside(pair.step, pair.predecessor, in: record.outline)
      changes.countsUnknownAsComputing = true
      let gain = total - replay.outcome(with: changes).duration
      guard gain >= least else { continue }
      insert(pair.step, after: pair.predecessor, changes.predecessors, gain, atMost: limit)
    }
  }

  /// Returns the steps that waited for a predecessor on the chain that decided when the launch ended.
  private static func criticalPairs(of replay: LaunchReplay) -> [(step: Int, predecessor: Int)] {
    let record = replay.record
    return (StartChain(critical: record)?.links ?? []).compactMap { link in
      guard case .after(let predecessor) = link.reason,
        canOverlap(link.step, predecessor, in: record, jobs: replay.jobs),
        record.outline.graph.predecessors(of: link.step).contains(Int32(predecessor))
      else { return nil }
      return (step: link.step, predecessor: predecessor)
    }
  }

  /// Returns whether a step may need nothing of its predecessor, and the lanes and slots let both run at once.
  ///
  /// A predecessor that only waits is there for the steps after it.
  private static func canOverlap(
    _ step: Int, _ predecessor: Int, in record: StartupRecord, jobs: Int
  ) -> Bool {
    let steps = record.outline.steps
    guard !steps[predecessor].takesNoSlot else { return false }
    let values = record.details[predecessor]?.provides ?? []
    guard record.details[step]?.reads.contains(where: { values.contains($0) }) != true else { return false }
    if steps[step].usesMainLane { return !steps[predecessor].usesMainLane }
    return jobs > 1 || !steps[step].takesSlot || !steps[predecessor].takesSlot
  }

  /// Returns the predecessors with which a step starts when one of its predecessors starts.
  ///
  /// It then comes after the steps before that predecessor. The steps after it still come after both.
  private static func alongside(_ step: Int, _ predecessor: Int, in outline: LaunchOutline) -> [Int: [Int]] {
    let graph = outline.graph
    func joined(_ old: ArraySlice<Int32>, without left: Int? = nil, _ new: [Int32]) -> [Int] {
      var known = Set(old.map { Int($0) })
      let added = new.map { Int($0) }.filter { known.insert($0).inserted }
      return old.map { Int($0) }.filter { $0 != left } + added
    }
    var changes = [
      step: joined(
        graph.predecessors(of: step), without: predecessor, Array(graph.predecessors(of: predecessor)))
    ]
    for next in graph.successors(of: step).lazy.map({ Int($0) }) {
      changes[next] = joined(graph.predecessors(of: next), [Int32(predecessor)])
    }
    return changes
  }

  private mutating func insert(
    _ step: Int, after predecessor: Int, _ predecessors: [Int: [Int]], _ gain: Int64, atMost limit: Int
  ) {
    let order = Order(
      step: step, predecessor: predecessor, predecessors: predecessors, gain: gain,
      share: Double(gain) / Double(total))
    orders.insert(order, at: orders.firstIndex { $0.gain < gain } ?? orders.count)
    if orders.count > limit { orders.removeLast() }
  }
}
