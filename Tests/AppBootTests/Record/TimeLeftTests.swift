@testable import AppBoot
import AppBootTestKit
import Testing

@Suite("The time that a launch will still take")
struct TimeLeftTests {
  private func record(_ events: [(Int64, StartupEvent.Kind)]) throws -> StartupRecord {
    let steps: [(StartupStep, [String]?)] = [
      (StartupStep(FakeBackgroundCommand(), id: "a"), []),
      (StartupStep(FakeBackgroundCommand(), id: "b"), ["a"]),
      (StartupStep(FakeCommand(), id: "c"), []), (StartupStep(FakeCommand(), id: "d"), []),
    ]
    var record = StartupRecord(plan: try StartupPlan(steps: steps), startedAt: "")
    for (time, kind) in events { record.apply(StartupEvent(kind, at: time)) }
    return record
  }

  private let times = TimeLeft(medians: ["a": 100, "b": 50, "c": 30, "d": 30])

  @Test("is the longest way that is left")
  func longestWay() throws {
    #expect(times.estimate(try record([]), at: 0) == 150)
    let running = try record([(0, .started(step: 0, attempt: 1))])
    #expect(times.estimate(running, at: 70) == 80)
    // One that takes longer than ever may end at any moment.
    #expect(times.estimate(running, at: 1000) == 60)
  }

  @Test("is at least what is left for the main lane")
  func mainLane() throws {
    let record = try record([
      (0, .ended(step: 0, state: .succeeded)), (0, .ended(step: 1, state: .succeeded)),
    ])
    #expect(times.estimate(record, at: 5) == 60)
  }

  @Test("is not told where a step is not known, unless it has ended")
  func unknown() throws {
    let some = TimeLeft(medians: ["a": 100, "b": 50, "c": 30])
    #expect(some.estimate(try record([]), at: 0) == nil)
    #expect(some.estimate(try record([(9, .ended(step: 3, state: .succeeded))]), at: 9) == 150)
    #expect(TimeLeft(keptIn: "/nonexistent").estimate(try record([]), at: 0) == nil)
  }
}
