import Testing
import AppBootTestSupport

@testable import AppBoot
@testable import AppBootAnalysis

@Suite("The replay of a recorded launch", .ownThread)
struct LaunchReplayTests {
  private typealias Step = ReplaySample.Step
  private let ms = ReplaySample.millisecond

  private func replay(_ record: LaunchRecord) throws -> LaunchReplay {
    try #require(LaunchReplay(of: record))
  }

  private func predicted(_ record: LaunchRecord, _ change: (inout LaunchChanges) -> Void) throws -> Int64 {
    var changes = LaunchChanges()
    change(&changes)
    return try replay(record).predictedDuration(with: changes) / ms
  }

  @Test(
    "A replay without changes takes as long as the recorded launch", arguments: [5, 40, 1000], [1, 2, 3, 8])
  func reproduction(count: Int, jobs: Int) throws {
    for isChain in [true, false] {
      for seed in 0..<UInt64(count > 100 ? 1 : 8) {
        let steps = ReplaySample.random(count, isChain: isChain, seed: seed)
        let record = try ReplaySample.record(steps, jobs: jobs)
        let difference = try replay(record).duration - record.elapsedTime
        #expect(abs(difference) <= record.elapsedTime / 1000, "seed \(seed)")
      }
    }
  }

  @Test("A replay of a launch whose jobs were not recorded takes as long")
  func unknownJobs() throws {
    var record = try ReplaySample.record(ReplaySample.random(40, isChain: false, seed: 3), jobs: 3)
    record.header.jobs = nil
    let replay = try replay(record)
    #expect(replay.jobs == 3)
    #expect(replay.duration == record.elapsedTime)
  }

  @Test("A replay keeps the time between the release of a slot and the next start")
  func delays() throws {
    var record = try ReplaySample.record([Step(attempts: [10]), Step(attempts: [20])], jobs: 1)
    record.executions[0].endTime = 10 * ms
    record.executions[1].startTime = 13 * ms
    record.executions[1].endTime = 33 * ms
    record.elapsedTime = 34 * ms
    #expect(try replay(record).duration == 34 * ms)
    #expect(try predicted(record) { $0.times[0] = .exactly(0) } == 24)
  }

  @Test("A launch that did not succeed has no replay")
  func failed() throws {
    var record = try ReplaySample.record([Step(attempts: [10])], jobs: 1)
    record.outcome = .failed(step: 0)
    #expect(LaunchReplay(of: record) == nil)
  }

  @Test("A step can get another time, fewer attempts, or no place in the launch")
  func steps() throws {
    let steps = [
      Step(attempts: [10]), Step(after: [0], attempts: [20, 30]), Step(after: [1], attempts: [5]),
    ]
    let record = try ReplaySample.record(steps, jobs: 4)
    #expect(record.elapsedTime / ms == 72)
    #expect(try predicted(record) { $0.times[0] = .scaled(2) } == 82)
    #expect(try predicted(record) { $0.times[1] = .exactly(40 * ms) } == 55)
    #expect(try predicted(record) { $0.times[1] = .scaled(0.5) } == 47)
    #expect(try predicted(record) { $0.removed = [1] } == 15)
    #expect(try predicted(record) { $0.predecessors[2] = [0] } == 67)
  }

  @Test("A changed launch follows the rule of the recorded one for the order of ready steps")
  func startOrder() throws {
    let steps = [
      Step(attempts: [10]), Step(after: [0], attempts: [30]), Step(attempts: [20]),
      Step(after: [2], attempts: [20]),
    ]
    let record = try ReplaySample.record(steps, jobs: 2)
    #expect(record.elapsedTime == 40 * ms)
    // In manifest order, s1 takes the slot of s2.
    #expect(try predicted(record) { $0.predecessors[1] = [] } == 50)
  }

  @Test("More slots let steps run at the same time")
  func jobs() throws {
    let record = try ReplaySample.record([Step(attempts: [10]), Step(attempts: [20])], jobs: 1)
    #expect(try predicted(record) { $0.jobs = 2 } == 20)
  }

  @Test("More slots do not help steps that compute if there are no more processors")
  func processors() throws {
    let steps = (0..<4).map { _ in Step(attempts: [10], cpuTime: 10) }
    let record = try ReplaySample.record(steps, jobs: 2, processors: 2)
    #expect(record.elapsedTime == 20 * ms)
    #expect(try predicted(record) { $0.jobs = 4 } == 20)
    var waiting = record
    for step in steps.indices { waiting.details[step]?.processorTime = 1 }
    #expect(try predicted(waiting) { $0.jobs = 4 } == 10)
  }

  @Test("Steps that shared the processors are faster with fewer neighbours")
  func contention() throws {
    let steps = (0..<4).map { _ in Step(attempts: [10], cpuTime: 10) }
    let record = try ReplaySample.record(steps, jobs: 4, processors: 2)
    #expect(record.elapsedTime == 20 * ms)
    #expect(try replay(record).duration == 20 * ms)
    #expect(
      try predicted(record) { $0.removed = [2, 3] } == 10)
  }

  @Test("Steps that nearly saturate the processors wait for them, and for nothing else")
  func nearlySaturated() throws {
    // Other work takes a twentieth of two processors.
    let steps = (0..<4).map { _ in Step(attempts: [21]) }
    var record = try ReplaySample.record(steps, jobs: 4)
    record.header.processors = 2
    for step in steps.indices {
      record.apply(LaunchEvent(.usedCPU(step: step, time: .milliseconds(10)), at: record.elapsedTime))
    }
    #expect(try (40...43).contains(predicted(record) { $0.jobs = 1 }))
    let replay = try replay(record)
    #expect(replay.waitsForProcessors)
  }

  @Test("The range of a prediction is wider after few launches, and if the processors limit the launch")
  func range() throws {
    func prediction(cpuTime: Int64?, _ times: [Int64]) throws -> LaunchPrediction {
      let launches = try times.map { time in
        let steps = (0..<4).map { _ in Step(attempts: [time], cpuTime: cpuTime.map { $0 * time / 10 }) }
        let record = try ReplaySample.record(steps, jobs: 4, processors: 2)
        var changes = LaunchChanges()
        changes.times[0] = .scaled(1)
        return (replay: try replay(record), changes: changes)
      }
      return try #require(LaunchPrediction(of: launches))
    }
    let waiting = try prediction(cpuTime: nil, [100, 110, 120])
    #expect(!waiting.isLimitedByProcessors)
    #expect(waiting.range == 90 * ms...130 * ms)
    #expect(try prediction(cpuTime: nil, [100]).range == 100 * ms...100 * ms)
    let computing = try prediction(cpuTime: 10, [100])
    #expect(computing.isLimitedByProcessors && computing.predicted == 200 * ms)
    #expect(computing.range == 196 * ms...204 * ms)
  }

  @Test("A step times out if one of its attempts would take longer than the timeout")
  func timeouts() throws {
    func timedOut(_ record: LaunchRecord, factor: Double) throws -> [String] {
      var changes = LaunchChanges()
      changes.times[0] = .scaled(factor)
      let launch = try replay(record)
      let prediction = try #require(LaunchPrediction(of: [(replay: launch, changes: changes)]))
      return prediction.timedOut
    }
    // Both attempts together take longer than the timeout.
    let retried = try ReplaySample.record([Step(attempts: [40, 40], timeout: 50)], jobs: 1)
    #expect(try timedOut(retried, factor: 1.1).isEmpty)
    #expect(try timedOut(retried, factor: 2) == ["s0"])
    // The delay of 5 ms before the start is no part of the attempt.
    var delayed = try ReplaySample.record([Step(attempts: [20], timeout: 25)], jobs: 1)
    delayed.executions[0].startTime = 5 * ms
    delayed.executions[0].endTime = 25 * ms
    delayed.elapsedTime = 25 * ms
    #expect(try timedOut(delayed, factor: 1.2).isEmpty)
    #expect(try timedOut(delayed, factor: 1.3) == ["s0"])
  }

  @Test("A step with an exact time runs once, with the delay of its first attempt")
  func exactTimes() throws {
    let failing = try ReplaySample.record([Step(attempts: [10, 20], fails: true)], jobs: 1)
    #expect(failing.elapsedTime == 37 * ms)
    #expect(try predicted(failing) { $0.times[0] = .exactly(5 * ms) } == 5)
    // The first attempt starts 3 ms late, the second one at once.
    let steps = [Step(attempts: [10]), Step(after: [0], attempts: [10, 20])]
    var delayed = try ReplaySample.record(steps, jobs: 1)
    delayed.executions[0].endTime = 7 * ms
    delayed.executions[1].readyTime = 7 * ms
    #expect(delayed.elapsedTime == 47 * ms)
    #expect(try predicted(delayed) { $0.times[1] = .exactly(5 * ms) } == 15)
  }

  @Test("A huge factor gives a time that a record can have")
  func hugeFactor() throws {
    let hours: Int64 = 19_800_000
    let steps = (0..<4).map { _ in Step(attempts: [hours], cpuTime: hours) }
    let record = try ReplaySample.record(steps, jobs: 4, processors: 2)
    let time = try predicted(record) { $0.times[0] = .scaled(1_000_000) }
    #expect(time > 1000 * hours)
    #expect(time <= LaunchRecord.longestTime / ms)
  }

  @Test("Work on shared processors ends at the latest time")
  func latestTime() {
    var processors = SharedProcessors<Int>(count: 1)
    let demand = CPUDemand(duration: 2e19, computing: 2e19, cpuTime: 2e19)
    processors.start(1, demand, at: 0)
    processors.start(2, demand, at: 0)
    #expect(processors.nextEnd == Int64.max)
    let ended = processors.finish(at: Int64.max)
    #expect(ended == [1, 2])
    #expect(processors.nextEnd == nil)
  }
}
