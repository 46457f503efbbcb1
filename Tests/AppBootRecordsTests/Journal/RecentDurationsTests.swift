import AppBootTestKit
import AppBootTestSupport
import Testing

@testable import AppBoot
@testable import AppBootRecords

@Suite("Recorded durations", .ownThread)
struct RecentDurationsTests {
  @Test("A step's recorded duration is the median of its last five launches")
  func medians() throws {
    let state = MemoryStateStore()
    #expect(RecentDurations.medians(in: state).isEmpty)
    for duration in [900, 10, 30, 20, 50, 40] as [Int64] {
      try RecentDurations.add(record(duration), to: state)
    }
    #expect(RecentDurations.medians(in: state) == ["Fake": 30])
  }

  @Test(
    "A removed step is forgotten, a failed launch adds nothing, and a step that timed out adds its duration"
  )
  func failures() throws {
    let state = MemoryStateStore()
    try RecentDurations.add(record(10), to: state)
    try RecentDurations.add(record(99, .failed(Failure(message: "x", type: "x"))), to: state)
    #expect(RecentDurations.medians(in: state) == ["Fake": 10])
    for _ in 0..<3 {
      try RecentDurations.add(record(50, .timedOut(Failure(message: "x", type: "x"))), to: state)
    }
    #expect(RecentDurations.medians(in: state) == ["Fake": 50])
    try RecentDurations.add(LaunchPlan(sequence: []).runBlocking(), to: state)
    #expect(RecentDurations.medians(in: state).isEmpty)
  }

  @Test("A damaged file has no durations")
  func damaged() {
    let state = MemoryStateStore()
    state.write("durations.json", Array("{".utf8))
    #expect(RecentDurations.medians(in: state).isEmpty)
  }

  @Test("A failed step adds its duration if the launch succeeds")
  func allowedFailure() throws {
    let state = MemoryStateStore()
    var failed = record(40, .failed(Failure(message: "no", type: "T")))
    failed.apply(LaunchEvent(.launchEnded(.succeeded), at: 45))
    try RecentDurations.add(failed, to: state)
    #expect(RecentDurations.medians(in: state) == ["Fake": 40])
  }

  private func record(_ duration: Int64, _ end: StepState = .succeeded) -> LaunchRecord {
    var record = LaunchRecord(outline: LaunchPlan(sequence: [FakeCommand()]).outline, startedAt: "")
    record.apply(LaunchEvent(.started(step: 0, attempt: 1), at: 5))
    record.apply(LaunchEvent(.ended(step: 0, state: end), at: 5 + duration))
    return record
  }
}
