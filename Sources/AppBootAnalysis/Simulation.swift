package import AppBoot
import AppBootRecords

/// A simulation of a launch. It uses the coordinator of a real launch with a virtual clock, without threads or waiting.
///
/// The same plan and the same work always give the same events. Work that ends at the same time ends in the order of
/// its steps. Of steps that can start at the same time, those on the main lane start first.
package struct Simulation: Sendable {
  /// The simulated behaviour of one attempt of a step, or of its undo.
  struct Work: Sendable {
    /// The nanoseconds until the work returns.
    var duration: Int64
    /// The demand for processors after ``duration``, if the simulation has processors; `nil` for work that only waits.
    var demand: CPUDemand?
    var result: Result<Void, any Error> = .success(())
    /// True if the work ends early when it is cancelled. Synchronous work on the main lane never does.
    var stopsWhenTold = true
  }

  /// An error that reports that the launch cannot continue: no work runs, and no timer is set.
  package struct Stuck: Error {
    /// The nanoseconds from the start of the launch to the error.
    package let time: Int64
  }

  /// The number of steps that run at the same time, on the main lane and on workers.
  ///
  /// Processes that are stopping count. Tasks and steps that only wait do not count, nor do abandoned steps, for which
  /// the launch no longer waits.
  struct Load: Sendable, Hashable {
    var main = 0
    var workers = 0
  }

  private struct Running: Sendable {
    let work: EngineWork
    let isOnMainLane: Bool
    var end: Int64
    var result: Result<Void, any Error>
    let stopsWhenTold: Bool
    let demand: CPUDemand?
    /// True if the step timed out or was cancelled, and no longer waits for this work.
    var isAbandoned = false
  }

  /// The nanoseconds from a cancellation to the end of the work that it stops.
  private static let stoppingTime: Int64 = 3

  private var coordinator: Coordinator
  private let cancelTime: Int64?
  private let simulate: @Sendable (EngineWork) -> Work
  private var running: ArraySlice<Running> = []
  /// The processors that running work shares; `nil` if work never waits for a processor.
  private var processors: SharedProcessors<Running>?
  private var load = Load()
  private var isCancelled = false
  private var time: Int64 = 0
  /// The highest load so far, for each lane separately.
  private(set) var highestLoad = Load()

  /// Creates a simulated launch.
  ///
  /// - Parameters:
  ///   - coordinator: The coordinator of a launch that has not begun.
  ///   - cancelTime: The time at which the launch is cancelled, in nanoseconds; `nil` for no cancellation.
  ///   - processors: The number of processors; `nil` if work never waits for a processor. Work that needs processors
  ///     cannot be interrupted.
  ///   - simulate: A function that returns the behaviour of a unit of work. It is called when the work starts.
  init(
    _ coordinator: Coordinator, cancelTime: Int64? = nil, processors: Double? = nil,
    simulate: @escaping @Sendable (EngineWork) -> Work
  ) {
    self.coordinator = coordinator
    self.cancelTime = cancelTime
    self.processors = processors.map { SharedProcessors(count: $0) }
    self.simulate = simulate
  }

  /// Creates a simulated launch whose steps all succeed.
  ///
  /// - Parameters:
  ///   - jobs: The maximum number of steps that run at the same time off the main lane.
  ///   - durations: The durations of the steps in nanoseconds, by step index.
  ///   - history: The recorded durations of the steps in nanoseconds, by step id. They decide which ready step starts
  ///     first.
  package init(_ plan: LaunchPlan, jobs: Int, durations: [Int64], history: [String: Int64] = [:]) {
    let coordinator = Coordinator(
      plan: plan, jobs: jobs, grace: 0, ranks: LongestPath.ranks(of: plan.outline, history: history))
    self.init(coordinator) { Work(duration: durations[$0.step]) }
  }

  /// True if the launch has ended.
  package var isFinished: Bool { coordinator.isFinished }

  /// Runs the launch to its end, and returns its events.
  package mutating func run() throws(Stuck) -> [LaunchEvent] {
    var events: [LaunchEvent] = []
    while !isFinished { events += try advance() }
    return events
  }

  /// Continues to the next time at which something happens. Returns the events up to then.
  package mutating func advance() throws(Stuck) -> [LaunchEvent] {
    if !coordinator.hasBegun { coordinator.begin(at: time) }
    startWork()
    guard !coordinator.isFinished else { return coordinator.takeEvents() }
    guard let next = nextMoment else { throw Stuck(time: time) }
    time = max(time, next)
    cancelIfDue()
    finishWork()
    interrupt(coordinator.expire(at: time))
    return coordinator.takeEvents()
  }

  private var nextMoment: Int64? {
    var next = running.first?.end
    if let deadline = coordinator.nextDeadline { next = min(next ?? deadline, deadline) }
    if let end = processors?.nextEnd { next = min(next ?? end, end) }
    if let cancelTime, !isCancelled { next = min(next ?? cancelTime, cancelTime) }
    return next
  }

  // MARK: - Work

  private mutating func startWork() {
    while let work = coordinator.takeMain(at: time) { start(work, isOnMainLane: true) }
    while let work = coordinator.takeOther(at: time) { start(work, isOnMainLane: false) }
  }

  private mutating func start(_ work: EngineWork, isOnMainLane: Bool) {
    let simulated = simulate(work)
    let item = Running(
      work: work, isOnMainLane: isOnMainLane, end: time.addingClamped(simulated.duration),
      result: simulated.result,
      stopsWhenTold: simulated.stopsWhenTold, demand: simulated.demand)
    running.insert(item, at: running.index(forInserting: item, by: Self.precedes))
    change(work, isOnMainLane, by: 1)
    highestLoad.main = max(highestLoad.main, load.main)
    highestLoad.workers = max(highestLoad.workers, load.workers)
  }

  private mutating func finishWork() {
    while let first = running.first, first.end <= time {
      running.removeFirst()
      if let demand = first.demand, processors != nil {
        processors?.start(first, demand, at: time)
      } else {
        finish(first)
      }
    }
    for item in processors?.finish(at: time) ?? [] { finish(item) }
  }

  private mutating func finish(_ item: Running) {
    if !item.isAbandoned { change(item.work, item.isOnMainLane, by: -1) }
    coordinator.finish(item.work, item.result, at: time)
  }

  /// Updates the load for work that starts or ends. Undos do not count: they run one at a time after all steps.
  private mutating func change(_ work: EngineWork, _ isOnMainLane: Bool, by count: Int) {
    guard !work.isUndo, isOnMainLane || work.kind.takesSlot else { return }
    if isOnMainLane { load.main += count } else { load.workers += count }
  }

  private static func precedes(_ left: Running, _ right: Running) -> Bool {
    (left.end, left.work.step) < (right.end, right.work.step)
  }

  // MARK: - Interruptions

  private mutating func cancelIfDue() {
    guard let cancelTime, !isCancelled, cancelTime <= time else { return }
    isCancelled = true
    interrupt(coordinator.cancel(.requested("simulated"), at: time))
  }

  /// Applies interruptions to running work. Abandoned work no longer counts as load.
  private mutating func interrupt(_ interruptions: [Interruption]) {
    guard !interruptions.isEmpty else { return }
    for interruption in interruptions {
      guard let index = running.firstIndex(where: { $0.work == interruption.work }) else { continue }
      let item = running[index]
      if interruption.abandons, !item.work.kind.isPolled, !item.isAbandoned {
        running[index].isAbandoned = true
        change(item.work, item.isOnMainLane, by: -1)
      }
      guard stops(item, after: interruption) else { continue }
      running[index].end = min(item.end, time.addingClamped(Self.stoppingTime))
      running[index].result = .failure(CancellationError())
    }
    running.sort(by: Self.precedes)
  }

  /// Returns whether an interruption ends a unit of work.
  ///
  /// A process can be killed. A synchronous step of the main lane cannot be stopped.
  private func stops(_ item: Running, after interruption: Interruption) -> Bool {
    if item.work.kind.isPolled, interruption.isForced { return true }
    return item.stopsWhenTold && !(item.isOnMainLane && item.work.kind == .synchronous)
  }
}

extension BidirectionalCollection {
  /// Returns the index at which a sorted collection gets a new element. Elements with the same order keep the order in
  /// which they were added. Elements are usually added at the end, which is fast.
  func index(forInserting element: Element, by precedes: (Element, Element) -> Bool) -> Index {
    lastIndex { !precedes(element, $0) }.map { index(after: $0) } ?? startIndex
  }
}
