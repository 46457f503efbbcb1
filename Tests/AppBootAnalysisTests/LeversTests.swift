import Testing
import AppBootTestSupport

@testable import AppBoot
@testable import AppBootAnalysis

@Suite("The levers of a launch", .ownThread)
struct LeversTests {
  private typealias Step = ReplaySample.Step
  private let ms = ReplaySample.millisecond

  private func levers(_ steps: [Step], jobs: Int = 8, limit: Int = 3) throws -> [String] {
    let record = try ReplaySample.record(steps, jobs: jobs)
    let levers = try #require(Levers(of: record, atMost: limit))
    #expect(levers.isComplete)
    return levers.all.map { "s\($0.step) \($0.gain * 5 / ms)" }
  }

  @Test("The levers are sorted by the time that the launch saves, not by the duration of the steps")
  func order() throws {
    // s1 and s2 run at the same time, and s1 takes 4 ms longer: it gains at most that.
    let steps = [
      Step(attempts: [30]), Step(after: [0], attempts: [60]), Step(after: [0], attempts: [56]),
      Step(after: [1, 2], attempts: [25]),
    ]
    #expect(try levers(steps) == ["s0 30", "s3 25", "s1 20"])
    #expect(try levers(steps, limit: 1) == ["s0 30"])
  }

  @Test("A step beside the critical path is a lever if others wait for its slot")
  func slots() throws {
    let steps = [Step(attempts: [30]), Step(attempts: [20])]
    #expect(try levers(steps, jobs: 1) == ["s0 30", "s1 20"])
    #expect(try levers(steps, jobs: 2) == ["s0 30"])
  }

  @Test("Each step of a sequence gains a part of its own time, without the pauses between its attempts")
  func sequence() throws {
    let steps = [
      Step(attempts: [20]), Step(after: [0], attempts: [20, 10]), Step(after: [1], attempts: [30]),
      Step(lane: .main, after: [2], attempts: [5]),
    ]
    #expect(try levers(steps) == ["s1 30", "s2 30", "s0 20"])
  }

  @Test("A launch of equal steps at the same time has no levers")
  func none() throws {
    #expect(try levers((0..<3).map { _ in Step(attempts: [30]) }).isEmpty)
  }

  @Test(
    "The levers of a random launch are those of a search through all its steps", arguments: 0..<UInt64(20))
  func exhaustive(seed: UInt64) throws {
    let jobs = seed.isMultiple(of: 2) ? 1 : 100
    let record = try ReplaySample.record(ReplaySample.random(40, isChain: false, seed: seed), jobs: jobs)
    let replay = try #require(LaunchReplay(of: record))
    let gains = record.indices.map { step in
      var changes = LaunchChanges()
      changes.times[step] = .scaled(0.8)
      return record.elapsedTime - replay.predictedDuration(with: changes)
    }
    let levers = try #require(Levers(of: record))
    #expect(levers.all.allSatisfy { gains[$0.step] == $0.gain })
    let found = Set(levers.all.map(\.step))
    let least = levers.all.count < 3 ? record.elapsedTime / 100 : levers.all[2].gain
    for step in record.indices where !found.contains(step) {
      // With a few slots, a step can by chance gain more than its own time. The search may miss that.
      #expect(gains[step] <= least || gains[step] > record.executions[step].runningTime / 5)
    }
  }

  @Test("The number of simulated steps is bounded")
  func budget() {
    #expect(Levers.simulations(steps: 40, sharedWork: 0) == 2500)
    #expect(Levers.simulations(steps: 30_000, sharedWork: 0) == 3)
    #expect(Levers.simulations(steps: 500, sharedWork: CPUFit.budget) == 7)
    #expect(Levers.simulations(steps: 1_000_000, sharedWork: 0) == 1)
  }

  @Test("The search is incomplete if too many steps shared the processors")
  func sharedProcessors() throws {
    for (count, isComplete) in [(20, true), (300, false)] {
      let steps = (0..<count).map { _ in Step(attempts: [10], cpuTime: 10) }
      let record = try ReplaySample.record(steps, jobs: count, processors: 2)
      let replay = try #require(LaunchReplay(of: record))
      #expect(replay.isComplete == isComplete)
      #expect((replay.sharedWork > 0) == isComplete)
      let levers = try #require(Levers(of: record))
      #expect(levers.isComplete == isComplete)
    }
  }

  @Test("Retries cost the failed attempts and the pauses, also if two steps retry at the same time")
  func retries() throws {
    let alone = [Step(attempts: [20, 40, 30]), Step(after: [0], attempts: [10])]
    let cost = try #require(RetryCost(of: try ReplaySample.record(alone, jobs: 1)))
    #expect(cost.steps == [0])
    // A pause becomes twice as long each time.
    #expect(cost.gain == (20 + 7 + 40 + 14) * ms)
    let both = [Step(attempts: [20, 30]), Step(attempts: [20, 30]), Step(after: [0, 1], attempts: [10])]
    let shared = try #require(RetryCost(of: try ReplaySample.record(both, jobs: 2)))
    #expect(shared.steps == [0, 1] && shared.gain == 27 * ms)
  }

  @Test("Retries off the critical path cost nothing, nor do those of a failed step or launch")
  func freeRetries() throws {
    let beside = [Step(attempts: [90]), Step(attempts: [5, 5])]
    #expect(RetryCost(of: try ReplaySample.record(beside, jobs: 2)) == nil)
    let allowed = [Step(attempts: [20, 30], fails: true), Step(after: [0], attempts: [10])]
    #expect(RetryCost(of: try ReplaySample.record(allowed, jobs: 1)) == nil)
    var failed = try ReplaySample.record([Step(attempts: [20, 30])], jobs: 1)
    #expect(RetryCost(of: failed) != nil)
    failed.outcome = .failed(step: 0)
    #expect(RetryCost(of: failed) == nil)
  }

  @Test("A launch that failed has no levers")
  func failed() throws {
    var record = try ReplaySample.record([Step(attempts: [10])], jobs: 1)
    record.outcome = .failed(step: 0)
    #expect(Levers(of: record) == nil)
  }

  @Test("A launch in safe mode has no levers")
  func safeMode() throws {
    let usual = try ReplaySample.record([Step(attempts: [10])], jobs: 1)
    var outline = usual.outline
    outline.safeMode = .requested
    var record = LaunchRecord(outline: outline, startedAt: "", executions: usual.executions)
    (record.outcome, record.elapsedTime) = (usual.outcome, usual.elapsedTime)
    #expect(Levers(of: usual) != nil)
    #expect(Levers(of: record) == nil)
  }
}
