@testable import AppBoot
import AppBootRecords
import AppBootTestKit
import AppBootTestSupport
import Testing

@testable import AppBootReports

@Suite("Time summary")
struct TimeSummaryTests {
  private func text(_ record: LaunchRecord, width: Int? = nil) -> String {
    TimeSummary(style: TextStyle(width: width)).text(of: record)
  }

  @Test(
    "The summary names the steps that waited, the critical path and the least slack; over budget, the levers too"
  )
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
        waited       d 20.0 ms for the main lane
        critical     a 10.0 ms → b 50.0 ms → e 40.0 ms; least slack: c, 15.0 ms

        """)
    let levers = "levers       b 20 % shorter saves 10.0 ms (10 %), e 8.0 ms (8 %), a 2.0 ms (2 %)\n"
    #expect(text(record.with { $0.budgetTime = 1 }) == levers + text(record))
    for line in text(record, width: 40).split(separator: "\n") { #expect(line.count <= 40) }
  }

  @Test("A step that waited while a slot was free did not wait for a slot", arguments: [1, 2, nil])
  func freeSlot(jobs: Int?) throws {
    let ms: Int64 = 1_000_000
    let steps = ["a", "b"].map { LaunchStep(FakeBackgroundCommand(), id: $0) }
    var record = LaunchRecord(
      outline: try LaunchPlan(steps: steps.map { ($0, []) }).outline, startedAt: "")
    record.header.jobs = jobs
    for step in 0..<2 { record.apply(LaunchEvent(.ready(step: step), at: 0)) }
    for (step, start) in [(0, 0), (1, 5 * ms)] {
      record.apply(LaunchEvent(.started(step: step, attempt: 1), at: start))
      record.apply(LaunchEvent(.ended(step: step, state: .succeeded), at: start + 5 * ms))
    }
    record.apply(LaunchEvent(.launchEnded(.succeeded), at: 10 * ms))
    #expect(text(record) == (jobs == 2 ? "" : "waited       b 5.0 ms for a slot\n"))
  }

  @Test("The critical path names a wait for a slot, and a long one keeps its head")
  func waits() {
    let crowded = ReportSample.run(
      "Notes",
      [.init(id: "a", lane: .background, duration: 10_000)]
        + ["b", "c", "d"].map { .init(id: $0, lane: .background, duration: 20_000) }
        + [.init(id: "e", lane: .background, after: [0], duration: 30_000)], jobs: 2)
    #expect(
      text(crowded).contains(
        "critical     a 10.0 ms → c 20.0 ms (needed a slot) → e 30.0 ms (needed a slot); "))
    let long = ["a", "b", "c", "d", "e", "f", "g", "h"]
    #expect(TextStyle().chain(long, atMost: 6) == "a → b → … → e → f → g → h")
    #expect(TextStyle().chain(long, atMost: 8) == long.joined(separator: " → "))
  }

  @Test("A step that ran between two attempts of another one counts once in the critical path")
  func overlap() throws {
    let ms: Int64 = 1_000_000
    let steps = ["other", "retried", "last"].map { LaunchStep(FakeBackgroundCommand(), id: $0) }
    var record = LaunchRecord(
      outline: try LaunchPlan(steps: steps.map { ($0, []) }).outline, startedAt: "")
    record.header.jobs = 2
    for step in 0..<3 { record.apply(LaunchEvent(.ready(step: step), at: 0)) }
    for (step, start, end) in [(0, 0, 25), (1, 0, 40), (2, 10, 60)] as [(Int, Int64, Int64)] {
      record.apply(LaunchEvent(.started(step: step, attempt: 1), at: start * ms))
      record.apply(LaunchEvent(.ended(step: step, state: .succeeded), at: end * ms))
    }
    let failure = Failure(message: "no", type: "")
    var details = StepDetails()
    details.attempts = [
      StepAttempt(startTime: 0, endTime: 10 * ms, failure: failure),
      StepAttempt(startTime: 25 * ms, endTime: 40 * ms),
    ]
    record.details[1] = details
    record.apply(LaunchEvent(.launchEnded(.succeeded), at: 60 * ms))
    let path = CriticalPathText(record)
    #expect(path.links.map(\.step) == [1, 2])
    #expect(path.running == 60 * ms)
  }

  @Test("Failed attempts have a line with their cost, in every text and in Markdown")
  func retries() {
    let record = ReportSample.retried
    let sentence = "If the first attempt of fetch had succeeded, the launch would have taken 350 ms less"
    #expect(text(record) == "retries      \(sentence)\n")
    #expect(TextReport(detail: .full).text(of: record).contains("\nretries      \(sentence)\nlevers       "))
    let markdown = MarkdownReport().text(of: record)
    #expect(markdown.contains("\n\nIf the first attempt of <code>fetch</code> had succeeded, "))
  }

  @Test("A launch with few steps and no exceeded budget has no summary")
  func few() {
    #expect(text(ReportSample.run("Notes", [.init(id: "a"), .init(id: "b", after: [0])])).isEmpty)
  }

  @Test("Every exceeded budget is named, the largest excess first")
  func budgets() throws {
    var steps = ["a", "b", "c"].map { LaunchStep(FakeCommand(), id: $0) }
    steps[0].budget = .milliseconds(5)
    steps[1].budget = .milliseconds(1)
    steps[2].budget = .milliseconds(9)
    var record = LaunchRecord(
      outline: try LaunchPlan(steps: steps.map { ($0, nil) }).outline, startedAt: "")
    for step in 0..<3 {
      record.apply(LaunchEvent(.started(step: step, attempt: 1), at: Int64(step) * 6_000_000))
      record.apply(LaunchEvent(.ended(step: step, state: .succeeded), at: Int64(step + 1) * 6_000_000))
    }
    #expect(text(record) == "over budget  b: 6.0 ms, budget 1ms, a: 6.0 ms, budget 5ms\n")
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
