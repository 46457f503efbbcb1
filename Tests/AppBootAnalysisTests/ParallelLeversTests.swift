import Testing

@testable import AppBoot
@testable import AppBootAnalysis

@Suite("The gains of more steps at once")
struct ParallelLeversTests {
  private typealias Step = ReplaySample.Step
  private let ms = ReplaySample.millisecond

  private func levers(
    _ steps: [Step], jobs: Int, processors: Int? = 2, _ change: (inout StartupRecord) -> Void = { _ in }
  ) throws -> ParallelLevers {
    var record = try ReplaySample.record(steps, jobs: jobs, processors: processors)
    change(&record)
    return try #require(Levers(of: record)).parallel
  }

  private func orders(_ levers: ParallelLevers) -> [String] {
    levers.orders.map { "s\($0.step) alongside s\($0.predecessor) \($0.gain / ms)" }
  }

  @Test("The number of slots is the smallest one with nearly all of the gain")
  func slots() throws {
    let equal = (0..<6).map { _ in Step(attempts: [30], cpuTime: 1) }
    let jobs = try #require(try levers(equal, jobs: 2, processors: 8).jobs)
    #expect(jobs.count == 6 && jobs.recorded == 2 && jobs.gain == 60 * ms)
    let long = [Step(attempts: [60], cpuTime: 1)] + (0..<5).map { _ in Step(attempts: [20], cpuTime: 1) }
    #expect(try levers(long, jobs: 2).jobs?.count == 3)
  }

  @Test("More slots gain nothing if no step waited for a slot, or if the processors are the limit")
  func processors() throws {
    let waiting = (0..<6).map { _ in Step(attempts: [30], cpuTime: 1) }
    #expect(try levers(waiting, jobs: 6).jobs == nil)
    let computing = (0..<8).map { _ in Step(attempts: [30], cpuTime: 30) }
    #expect(try levers(computing, jobs: 2).jobs == nil)
    #expect(try levers(computing, jobs: 2, processors: 4).jobs?.count == 4)
  }

  @Test("A step with unknown CPU time counts as computing, and unknown processors give no gain")
  func unknown() throws {
    let steps = (0..<6).map { _ in Step(attempts: [30]) }
    #expect(try levers(steps, jobs: 2).jobs == nil)
    #expect(try levers(steps, jobs: 2, processors: 3).jobs?.count == 3)
    #expect(try levers(steps, jobs: 2, processors: nil).jobs == nil)
  }

  @Test("A step of a sequence gains the shorter of its own time and its predecessor's time")
  func sequence() throws {
    let steps = [
      Step(attempts: [20], cpuTime: 1), Step(after: [0], attempts: [30], cpuTime: 1),
      Step(after: [1], attempts: [10], cpuTime: 1),
    ]
    let found = try levers(steps, jobs: 2)
    #expect(orders(found) == ["s1 alongside s0 20", "s2 alongside s1 10"])
    #expect(found.orders.map(\.predecessors) == [[1: [], 2: [1, 0]], [2: [0]]])
    #expect(orders(try levers(steps, jobs: 1)).isEmpty)
    #expect(orders(try levers(steps, jobs: 2, processors: nil)).isEmpty)
    // Both compute all the time, and share one processor.
    let computing = steps.map { Step(after: $0.after, attempts: $0.attempts, cpuTime: $0.attempts[0]) }
    #expect(orders(try levers(computing, jobs: 2, processors: 1)).isEmpty)
  }

  @Test("A step of a graph starts with its predecessor, and the steps after it still come after both")
  func graph() throws {
    let steps = [
      Step(attempts: [10], cpuTime: 1), Step(after: [0], attempts: [40], cpuTime: 1),
      Step(after: [0], attempts: [5], cpuTime: 1), Step(after: [1, 2], attempts: [30], cpuTime: 1),
      Step(after: [3], attempts: [20], cpuTime: 1),
    ]
    let found = try levers(steps, jobs: 4)
    #expect(orders(found) == ["s3 alongside s1 30", "s4 alongside s3 20", "s1 alongside s0 10"])
    #expect(found.orders.first?.predecessors == [3: [2, 0], 4: [3, 1]])
  }

  @Test("A step that needs its predecessor, or its lane, cannot start alongside it")
  func needs() throws {
    func steps(_ lane: Lane, onlyWaits: Bool = false) -> [Step] {
      [
        Step(lane: lane, attempts: [20], onlyWaits: onlyWaits, cpuTime: 1),
        Step(lane: lane, after: [0], attempts: [20], cpuTime: 1),
      ]
    }
    #expect(orders(try levers(steps(.background), jobs: 2)) == ["s1 alongside s0 20"])
    #expect(orders(try levers(steps(.main), jobs: 2)).isEmpty)
    #expect(orders(try levers(steps(.background, onlyWaits: true), jobs: 2)).isEmpty)
    let reading = try levers(steps(.background), jobs: 2) { record in
      record.details[0]?.provides = ["port"]
      record.details[1]?.reads = ["port"]
    }
    #expect(orders(reading).isEmpty)
  }

  @Test("The gain of an order is the one that whatif predicts", arguments: 0..<UInt64(20))
  func prediction(seed: UInt64) throws {
    let steps = ReplaySample.random(40, isChain: false, seed: seed)
      .map { Step(lane: $0.lane, after: $0.after, attempts: $0.attempts, cpuTime: 1) }
    let record = try ReplaySample.record(steps, jobs: 3, processors: 8)
    let replay = try #require(LaunchReplay(of: record))
    let parallel = try #require(Levers(of: record)).parallel
    for order in parallel.orders {
      var changes = LaunchChanges()
      changes.predecessors = order.predecessors
      #expect(record.elapsedTime - replay.predictedDuration(with: changes) == order.gain)
      #expect(replay.circle(with: changes) == nil)
    }
    if let jobs = parallel.jobs {
      var changes = LaunchChanges()
      changes.jobs = jobs.count
      #expect(record.elapsedTime - replay.predictedDuration(with: changes) == jobs.gain)
    }
  }

  @Test("The slots of a launch with many steps are bounded, and so is the work of a simulation")
  func bounds() throws {
    for (count, most) in [(40, 40), (5000, 15)] {
      let steps = (0..<count).map { _ in Step(attempts: [1], cpuTime: 1) }
      let record = try ReplaySample.record(steps, jobs: 2, processors: 2)
      let replay = try #require(LaunchReplay(of: record))
      #expect(replay.maximumJobs == most)
      #expect(replay.work == 2 * count * 2)
    }
  }
}
