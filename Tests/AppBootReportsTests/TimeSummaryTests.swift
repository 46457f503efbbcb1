@testable import AppBoot
import AppBootTestKit
import Testing

@testable import AppBootReports

@Suite("Time summary")
struct TimeSummaryTests {
  private func text(_ record: StartupRecord, width: Int? = nil) -> String {
    TimeSummary(style: TextStyle(width: width)).text(of: record)
  }

  @Test("The summary names the levers, the steps that waited, the critical path and the least slack")
  func many() {
    let ms: Int64 = 1000
    let record = ReportSample.run(
      "Notes",
      [
        .init(id: "a", duration: 10 * ms), .init(id: "b", lane: .background, after: [0], duration: 50 * ms),
        .init(id: "c", after: [0], duration: 20 * ms), .init(id: "d", after: [0], duration: 15 * ms),
        .init(id: "e", after: [1, 2], duration: 40 * ms),
      ])
    #expect(
      text(record)
        == """
        levers       e saves up to 40.0 ms (40 %), b 15.0 ms (15 %), a 10.0 ms (10 %)
        waited       d 20.0 ms for a slot
        critical     a → b → e; least slack: c 30.0 ms

        """)
    for line in text(record, width: 40).split(separator: "\n") { #expect(line.count <= 40) }
  }

  @Test("A launch with few steps and no exceeded budget has no summary")
  func few() {
    #expect(text(ReportSample.run("Notes", [.init(id: "a"), .init(id: "b", after: [0])])).isEmpty)
  }

  @Test("Every exceeded budget is named, the largest excess first")
  func budgets() throws {
    var steps = ["a", "b", "c"].map { StartupStep(FakeCommand(), id: $0) }
    steps[0].budget = 5_000_000
    steps[1].budget = 1_000_000
    steps[2].budget = 9_000_000
    var record = StartupRecord(
      outline: try StartupPlan(steps: steps.map { ($0, nil) }).outline, startedAt: "")
    for step in 0..<3 {
      record.apply(StartupEvent(.started(step: step, attempt: 1), at: Int64(step) * 6_000_000))
      record.apply(StartupEvent(.ended(step: step, state: .succeeded), at: Int64(step + 1) * 6_000_000))
    }
    #expect(text(record) == "over budget  b 6.0 ms of 1ms, a 6.0 ms of 5ms\n")
  }

  @Test("Every sample has a summary within the width")
  func samples() throws {
    for sample in ReportSample.allCases {
      for line in text(try sample.record, width: 60).split(separator: "\n") {
        #expect(DisplayWidth.of(String(line)) <= 60)
      }
    }
  }
}
