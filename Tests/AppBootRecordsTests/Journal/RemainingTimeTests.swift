@testable import AppBoot
@testable import AppBootRecords
import AppBootTestKit
import AppBootTestSupport
import Testing

@Suite("The estimate of the remaining time")
struct RemainingTimeTests {
  private func record(_ events: [(Int64, LaunchEvent.Kind)]) throws -> LaunchRecord {
    let steps: [(LaunchStep, [String]?)] = [
      (LaunchStep(FakeBackgroundCommand(), id: "a"), []),
      (LaunchStep(FakeBackgroundCommand(), id: "b"), ["a"]),
      (LaunchStep(FakeCommand(), id: "c"), []), (LaunchStep(FakeCommand(), id: "d"), []),
    ]
    var record = LaunchRecord(outline: try LaunchPlan(steps: steps).outline, startedAt: "")
    for (time, kind) in events { record.apply(LaunchEvent(kind, at: time)) }
    return record
  }

  private let times = RemainingTime(medians: ["a": 100, "b": 50, "c": 30, "d": 30])

  @Test("The estimate is the longest remaining path")
  func longestPath() throws {
    #expect(times.estimate(try record([]), at: 0) == 150)
    let running = try record([(0, .started(step: 0, attempt: 1))])
    #expect(times.estimate(running, at: 70) == 80)
    // A step that exceeds its recorded duration may end at any moment.
    #expect(times.estimate(running, at: 1000) == 60)
  }

  @Test("There is no estimate once a step takes more than twice its recorded duration, and a second longer")
  func exceeded() throws {
    let running = try record([(0, .started(step: 0, attempt: 1))])
    func estimate(_ median: Int64, at time: Int64) -> Int64? {
      RemainingTime(medians: ["a": median, "b": 50, "c": 30, "d": 30]).estimate(running, at: time)
    }
    #expect(estimate(300_000_000, at: 1_299_999_999) == 60)
    #expect(estimate(300_000_000, at: 1_300_000_000) == nil)
    #expect(estimate(10_000_000_000, at: 20_000_000_000) == 60)
    #expect(estimate(10_000_000_000, at: 20_000_000_001) == nil)
  }

  @Test("The estimate is at least the remaining work of the main lane")
  func mainLane() throws {
    let record = try record([
      (0, .ended(step: 0, state: .succeeded)), (0, .ended(step: 1, state: .succeeded)),
    ])
    #expect(times.estimate(record, at: 5) == 60)
  }

  @Test("Damaged durations do not overflow the estimate", arguments: [Int64.min, -1, .max])
  func damagedTimes(median: Int64) throws {
    let times = RemainingTime(medians: ["a": median, "b": median, "c": median, "d": median])
    let running = try record([(.max, .started(step: 0, attempt: 1))])
    for time in [Int64.min, 0, .max] { #expect(times.estimate(running, at: time) ?? -1 >= 0) }
  }

  @Test("There is no estimate if an unfinished step has no recorded duration")
  func unknown() throws {
    let some = RemainingTime(medians: ["a": 100, "b": 50, "c": 30])
    #expect(some.estimate(try record([]), at: 0) == nil)
    #expect(some.estimate(try record([(9, .ended(step: 3, state: .succeeded))]), at: 9) == 150)
    #expect(RemainingTime(medians: [:]).estimate(try record([]), at: 0) == nil)
  }
}
