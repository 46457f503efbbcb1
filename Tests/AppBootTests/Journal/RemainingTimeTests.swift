@testable import AppBoot
import AppBootSystem
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
    var record = StartupRecord(outline: try StartupPlan(steps: steps).outline, startedAt: "")
    for (time, kind) in events { record.apply(StartupEvent(kind, at: time)) }
    return record
  }

  private let times = RemainingTime(medians: ["a": 100, "b": 50, "c": 30, "d": 30])

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

  @Test("does not overflow, whatever is kept of earlier launches", arguments: [Int64.min, -1, .max])
  func damagedTimes(median: Int64) throws {
    let times = RemainingTime(medians: ["a": median, "b": median, "c": median, "d": median])
    let running = try record([(.max, .started(step: 0, attempt: 1))])
    for time in [Int64.min, 0, .max] { #expect(times.estimate(running, at: time) ?? -1 >= 0) }
  }

  @Test("goes by a few files only, and by none that is too long")
  func bounded() throws {
    let directory = try FileSystem.makeTemporaryDirectory()
    defer { try? FileSystem.removeTree(directory) }
    let folder = FileSystem.join(directory, "records")
    try FileSystem.createDirectory(folder)
    let record = Array(RecordSample.journal().utf8)
    let failed = Array("{}\n".utf8)
    let long = record + [UInt8](repeating: 0x20, count: RemainingTime.mostBytes)
    // The oldest is whole, and behind too many that are not.
    for (number, bytes)
      in ([record] + [[UInt8]](repeating: failed, count: RemainingTime.mostFiles - 1) + [long])
      .enumerated()
    {
      let name = "2026010\(number / 10)T0000\(number + 10).000Z-1.jsonl"
      try FileSystem.writeFile(atomically: bytes, to: FileSystem.join(folder, name))
    }
    #expect(RemainingTime(keptIn: directory).estimate(RecordSample.record, at: 0) != nil)
    let plan = StartupRecord(outline: RecordSample.plan.outline, startedAt: "")
    #expect(RemainingTime(keptIn: directory).estimate(plan, at: 0) == nil)
  }

  @Test("knows how long a step takes that is allowed to fail")
  func allowedFailure() throws {
    let directory = try FileSystem.makeTemporaryDirectory()
    defer { try? FileSystem.removeTree(directory) }
    var step = StartupStep(FakeCommand(), id: "ping")
    step.onFailure = .continue
    let plan = try StartupPlan(steps: [(step, nil)])
    var record = StartupRecord(outline: plan.outline, startedAt: "2026-01-01T00:00:00.000Z")
    let waiting = record
    for event in [
      StartupEvent(.launchStarted, at: 0), StartupEvent(.ready(step: 0), at: 0),
      StartupEvent(.started(step: 0, attempt: 1), at: 0),
      StartupEvent(.ended(step: 0, state: .failed(Failure(message: "no", type: "T"))), at: 40),
      StartupEvent(.launchEnded(.succeeded), at: 40),
    ] { record.apply(event) }
    let folder = FileSystem.join(directory, "records")
    try FileSystem.createDirectory(folder)
    try FileSystem.writeFile(
      atomically: Array("\(record.json(pretty: false))\n".utf8),
      to: FileSystem.join(folder, "20260101T000000.000Z-1.jsonl"))
    #expect(RemainingTime(keptIn: directory).estimate(waiting, at: 0) == 40)
  }

  @Test("is not told where a step is not known, unless it has ended")
  func unknown() throws {
    let some = RemainingTime(medians: ["a": 100, "b": 50, "c": 30])
    #expect(some.estimate(try record([]), at: 0) == nil)
    #expect(some.estimate(try record([(9, .ended(step: 3, state: .succeeded))]), at: 9) == 150)
    #expect(RemainingTime(keptIn: "/nonexistent").estimate(try record([]), at: 0) == nil)
  }
}
