/// The times of a head and of one session of a base, with the slowdown that the machine explains.
///
/// A slowdown that all steps share comes from the machine. A step's CPU time must rise by more than the CPU times of
/// the other computing steps. Its elapsed time must rise by more than the time for which other steps waited.
struct SessionTimes {
  let base: LaunchSet
  let head: LaunchSet
  let matching: StepMatching
  let hostsDiffer: Bool
  /// The steps that both sides have, with their changes.
  private let changes: [Change]
  /// The ratios of the CPU times, for steps whose CPU times are known, and of the elapsed times, for all others.
  private let paces: (known: OtherSteps, unknown: OtherSteps)
  /// The extra waits of the steps, in nanoseconds.
  private let extraWaits: OtherSteps
  /// The extra waits of computing steps as shares of their computing.
  private let contentions: OtherSteps
  /// The nanoseconds by which launches became longer while no step was running.
  private let extraGap: Double

  /// The maximum growth of the median step on an idle machine.
  static let idleLimit = 1.05
  /// The factor by which a machine can slow a step that no other step can be compared with.
  private static let aloneLimit = 1.6
  /// The maximum factor by which a machine can make a step longer.
  private static let mostSlowdown = 50.0
  /// The number of other steps from which their median counts in place of their maximum.
  private static let fewest = 3
  /// The minimum time in nanoseconds from which a machine's speed can be derived.
  private static let leastTime: Int64 = 50_000

  /// The share of its time that a step computes, from which its CPU time is tested.
  private static let computingShare = 0.5
  /// The share of its time that a step computes, from which it shows the machine's speed.
  private static let leastShare = 0.2

  init(base: LaunchSet, head: LaunchSet) {
    self.init(base: base, head: head, matching: StepMatching(base: base, head: head))
  }

  private init(base: LaunchSet, head: LaunchSet, matching: StepMatching) {
    self.base = base
    self.head = head
    self.matching = matching
    hostsDiffer = !base.hosts.isEmpty && !head.hosts.isEmpty && base.hosts != head.hosts
    let changes = matching.pairs.compactMap { Change($0, base, head) }
    self.changes = changes
    paces = (
      OtherSteps(changes) { $0.isKnown ? $0.pace : nil }, OtherSteps(changes) { $0.isKnown ? nil : $0.pace }
    )
    extraWaits = OtherSteps(changes) { $0.extraWait }
    contentions = OtherSteps(changes) { $0.cpu == nil ? nil : $0.extraWait / max(1, $0.computing) }
    extraGap = max(0, Double(head.gaps.median) - Double(base.gaps.median))
  }

  /// The same times with base and head exchanged. The tests still use the ids of this head.
  var exchanged: SessionTimes {
    SessionTimes(base: head, head: base, matching: matching.exchanged)
  }

  /// The change of a step between base and head.
  private struct Change {
    let id: String
    let base: [Int64]
    let head: [Int64]
    /// The CPU times of both sides; `nil` unless the step computes at least half of its time.
    let cpu: (base: [Int64], head: [Int64])?
    /// True if CPU times are known.
    let isKnown: Bool
    /// The CPU times of both sides if they show the machine's speed; otherwise `nil`.
    let paceTimes: (base: [Int64], head: [Int64])?
    /// The ratio of the CPU times, or of the elapsed times if CPU times are unknown; `nil` for a step that mainly
    /// waits.
    let pace: Double?
    /// The median CPU time of the base in nanoseconds; the elapsed time if it is unknown.
    let computing: Double
    /// The extra nanoseconds that the head waits; 0 if CPU times are unknown.
    let extraWait: Double

    init?(_ pair: StepMatching.Pair, _ before: LaunchSet, _ now: LaunchSet) {
      id = pair.id
      let (base, head) = (before.running(pair.base), now.running(pair.head))
      guard !base.isEmpty, !head.isEmpty else { return nil }
      (self.base, self.head) = (base, head)
      var known: (base: [Int64], head: [Int64])?
      if let former = before.cpuTimes(pair.base), let present = now.cpuTimes(pair.head) {
        known = (former, present)
      }
      isKnown = known != nil
      let times = known ?? (base, head)
      let share = known.map { Double($0.base.min() ?? 0) / Double(max(1, base.min() ?? 1)) }
      cpu = share ?? 0 >= SessionTimes.computingShare ? known : nil
      computing = Double(times.base.median)
      let showsPace =
        share ?? 1 >= SessionTimes.leastShare && times.base.median >= SessionTimes.leastTime
      paceTimes = showsPace ? known : nil
      pace = showsPace ? RatioEstimate(times.base, times.head).ratio : nil
      let waits = [(head, times.head), (base, times.base)].map { elapsed, busy in
        zip(elapsed, busy).map { max(0, $0 - $1) }.median
      }
      extraWait = max(0, Double(waits[0] - waits[1]))
    }
  }

  // MARK: - The machine

  /// The values of the steps in order, without the value of one step.
  private struct OtherSteps: Sendable {
    private let sorted: [Double]
    /// The place of each step's value in ``sorted``; `nil` for a step without a value.
    private let places: [Int?]

    init(_ changes: [Change], _ value: (Change) -> Double?) {
      let values = changes.map(value)
      let order = values.indices.filter { values[$0] != nil }.sorted { (values[$0] ?? 0) < (values[$1] ?? 0) }
      var places = [Int?](repeating: nil, count: changes.count)
      for (place, step) in order.enumerated() { places[step] = place }
      (sorted, self.places) = (order.compactMap { values[$0] }, places)
    }

    /// Returns the largest value of the other steps; `nil` if there is none.
    func largest(without step: Int) -> Double? {
      places[step] == sorted.count - 1 ? sorted.dropLast().last : sorted.last
    }

    /// Returns the factor that the other steps share: their median on an idle machine, and otherwise their maximum.
    ///
    /// - Parameter factor: A function that returns the factor of a value, and grows with it.
    func shared(without step: Int, as factor: (Double) -> Double = { $0 }) -> Double? {
      let count = sorted.count - (places[step] == nil ? 0 : 1)
      guard count > 0, let largest = largest(without: step) else { return nil }
      func value(_ place: Int) -> Double { sorted[place < places[step] ?? .max ? place : place + 1] }
      let median = (factor(value((count - 1) / 2)) + factor(value(count / 2))) / 2
      return count >= SessionTimes.fewest && median <= SessionTimes.idleLimit ? median : factor(largest)
    }
  }

  /// The smallest factor by which a computing step became slower; `nil` with fewer than two computing steps.
  var commonSlowdown: Double? {
    let paces = changes.compactMap(\.pace)
    return paces.count < 2 ? nil : paces.min()
  }

  /// Returns the factor by which the machine slows the computing of a step, from the other steps.
  private func pace(without index: Int) -> Double {
    let others = changes[index].isKnown ? paces.known : paces.unknown
    return max(1, others.shared(without: index) ?? Self.aloneLimit)
  }

  /// Returns the nanoseconds by which the machine makes a step longer, from the other steps.
  private func explained(_ index: Int) -> Double {
    let change = changes[index]
    let usual = max(1, Double(change.base.median))
    // Each step waits for a processor as often as it computes, and each start of a process waits once.
    let waits = max(
      extraWaits.shared(without: index) { 1 + $0 / usual } ?? Self.aloneLimit, 1 + extraGap / usual)
    let contention = contentions.largest(without: index) ?? 0
    let computing = change.pace == nil ? 0 : change.computing * (pace(without: index) - 1)
    let waiting = max((waits - 1) * usual, change.computing * contention)
    // Without CPU times the step's time is both.
    let machine = change.isKnown ? waiting + computing : max(waiting, computing)
    return min(machine, (Self.mostSlowdown - 1) * usual)
  }

  // MARK: - The tests

  /// The times of one subject by one clock, with the machine's slowdown.
  struct Sample {
    let subject: SlowdownTest.Subject
    let clock: SlowdownTest.Clock
    let session: SlowdownTest.Session
    let head: [Int64]
    /// A function that makes the controls from all other steps. Few samples need them.
    let controls: () -> [SlowControl]
  }

  /// The samples of each step by each suitable clock.
  var steps: [Sample] {
    let elapsed = changes.indices.map { index in
      let change = changes[index]
      return Sample(
        subject: .step(change.id), clock: .elapsed,
        session: .init(
          times: change.base, machineSlowdown: 1 + explained(index) / max(1, Double(change.base.median))),
        head: change.head, controls: { controls(without: index) { ($0.base, $0.head) } })
    }
    let cpu = changes.indices.compactMap { index in
      changes[index].cpu.map { times in
        Sample(
          subject: .step(changes[index].id), clock: .cpu,
          session: .init(times: times.base, machineSlowdown: pace(without: index)), head: times.head,
          controls: { controls(without: index, isComputing: true) { $0.paceTimes } })
      }
    }
    return elapsed + cpu
  }

  /// Returns the sample of the launch; `nil` if the sides ran on different machines.
  ///
  /// The growth of steps that are not slower themselves is the machine's.
  func launch(slower: Set<String>) -> Sample? {
    guard !hostsDiffer, !base.durations.isEmpty, !head.durations.isEmpty else { return nil }
    let blamed = changes.indices.filter { slower.contains(changes[$0].id) }
    let others = matching.pairs.filter { !slower.contains($0.id) }
    let former = base.sums(of: others.map(\.base))
    let present = head.sums(of: others.map(\.head))
    let growth = max(0, Double(present.median) - Double(former.median))
    let machine = growth + extraGap + blamed.reduce(0.0) { $0 + explained($1) }
    return Sample(
      subject: .launch, clock: .elapsed,
      session: .init(
        times: base.durations, machineSlowdown: 1 + machine / max(1, Double(base.durations.median))),
      head: head.durations,
      // A share of slow launches that the steps explain is theirs.
      controls: { [SlowControl(base: former, head: present)] })
  }

  private func controls(
    without index: Int, isComputing: Bool = false, _ times: (Change) -> (base: [Int64], head: [Int64])?
  ) -> [SlowControl] {
    changes.indices.filter { $0 != index }.compactMap { times(changes[$0]) }
      .map { SlowControl(base: $0.base, head: $0.head, isComputing: isComputing) }
  }
}
