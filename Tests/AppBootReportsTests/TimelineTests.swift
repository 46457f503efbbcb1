import AppBoot
import AppBootTestKit
import AppBootTestSupport
import Testing

@testable import AppBootReports

@Suite("Timeline", .ownThread)
struct TimelineTests {
  @Test("A row never holds two steps at the same time", arguments: ReportSample.allCases)
  func rows(sample: ReportSample) throws {
    let record = try sample.record
    let timeline = Timeline(record)
    for row in timeline.rows {
      for (one, next) in zip(row.steps, row.steps.dropFirst()) {
        let end = try #require(record[one].execution.endTime)
        let start = try #require(record[next].execution.startTime)
        #expect(end <= start)
      }
    }
    #expect(timeline.rows.reduce(0) { $0 + $1.steps.count } == record.count { $0.execution.startTime != nil })
  }

  @Test("A timeline has as many rows as steps ran in parallel")
  func few() {
    let record = ReportSample.run(
      "x", (0..<40).map { ReportSample.Planned(id: "s\($0)", lane: .background) }, jobs: 3)
    #expect(Timeline(record).rows.map(\.name) == ["background 1", "background 2", "background 3"])
  }

  @Test("The main lane is the first row")
  func realLaunch() throws {
    let plan = try LaunchPlan(steps: [
      (LaunchStep(FakeBackgroundCommand(), id: "a"), []), (LaunchStep(FakeCommand(), id: "b"), []),
      (LaunchStep(FakeAsyncCommand(), id: "c"), ["a", "b"]),
    ])
    #expect(Timeline(plan.runBlocking()).rows.first?.name == "main")
  }
}
