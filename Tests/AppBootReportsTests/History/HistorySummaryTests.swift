import AppBoot
import Testing

@testable import AppBootRecords
@testable import AppBootReports

@Suite("The summary of many launches")
struct HistorySummaryTests {
  /// Returns a launch of two steps. The step `b` does not start if the launch failed.
  private func launch(
    _ number: Int, failed: Bool = false, cancelled: Bool = false, version: String = "1"
  ) -> LaunchSummary {
    let time = Int64(number) * 1_000_000
    return LaunchSummary(
      name: "Shop", startedAt: "2026-07-28T09:00:00.\(1000 + number)Z", duration: 3 * time,
      outcome: cancelled ? .cancelled : failed ? .failed : .succeeded,
      labels: [LaunchLabel("version", version)],
      steps: [
        .init(id: "a", state: failed ? .failed : .succeeded, duration: time),
        .init(
          id: "b", state: failed ? .skipped : .succeeded, duration: failed ? 0 : 2 * time,
          attempts: failed ? 0 : 1),
      ])
  }

  @Test("Percentiles count the launches and steps that succeeded, slowest step first")
  func percentiles() {
    let summary = HistorySummary(of: (1...200).map { launch($0) } + [launch(900, failed: true)])
    #expect(summary.outcomes.total == 201 && summary.outcomes.failures == 1)
    #expect(summary.launch.launches == 200)
    #expect(summary.launch.percentiles == [300_000_000, 540_000_000, 594_000_000])
    #expect(summary.steps.map(\.step) == ["b", "a"])
    #expect(summary.steps[1].percentiles == [100_000_000, 180_000_000, 198_000_000])
    #expect(summary.since == "2026-07-28T09:00:00.1001Z")
  }

  @Test(
    "A value of a label is failing only if its share of failures is significantly larger than that of the others"
  )
  func failing() {
    let launches = (1...200).map { launch($0, failed: $0 > 190, version: $0 > 180 ? "2" : "1") }
    let failing = HistorySummary(of: launches, by: "version").failing
    #expect(failing.map(\.value) == ["2"])
    #expect(failing.first?.own.failures == 10 && failing.first?.others.total == 180)
    let few = (1...200).map { launch($0, failed: $0 % 50 == 0, version: $0 > 180 ? "2" : "1") }
    #expect(HistorySummary(of: few, by: "version").failing.isEmpty)
  }

  @Test("A cancelled launch counts neither as a success nor as a failure")
  func cancelled() {
    let launches = (1...200).map { launch($0, failed: $0 > 190, cancelled: $0 <= 20) }
    let summary = HistorySummary(of: launches)
    #expect(summary.total == 200 && summary.cancelled == 20)
    #expect(summary.outcomes.total == 180 && summary.outcomes.failures == 10)
    #expect(summary.launch.launches == 170)
    let versions = (1...200).map { launch($0, cancelled: $0 > 180, version: $0 > 170 ? "2" : "1") }
    #expect(HistorySummary(of: versions, by: "version").failing.isEmpty)
  }

  @Test("The text, the JSON and the page count cancelled launches apart from those that failed")
  func cancelledReports() throws {
    let launches = (1...5).map { launch($0, failed: $0 == 1, cancelled: $0 == 5) }
    let report = HistoryReport(of: launches, summary: HistorySummary(of: launches))
    let text = HistoryText().text(of: report)
    #expect(text.hasPrefix("Shop: 5 launches since 2026-07-28 09:00:00, 1 failed, 1 cancelled\n"))
    #expect(text.contains("  failed 1, cancelled 1\n") && !text.contains("the newest launch"), "\(text)")
    let json = try JSONDocument(parsing: SourceText(name: "", text: HistoryJSON().text(of: report))).root
    for row in [json["summary"], json["launch"]] {
      #expect(try row?["failures"]?.integer(as: Int.self) == 1)
      #expect(try row?["cancelled"]?.integer(as: Int.self) == 1)
    }
    #expect(try json["summary"]?["launches"]?.integer(as: Int.self) == 5)
    #expect(json["launches"]?.elements.last?["outcome"]?.string == "cancelled")
    #expect(json["steps"]?.elements.first?["cancelled"] == nil)
    let page = LaunchPage().text(of: report)
    #expect(page.contains("1 of 4 launches failed, 1 cancelled."))
    #expect(page.contains("Failed launches: 1 of 4 (25 %), 1 cancelled."))
    #expect(page.contains("5 launches, 1 of them failed.") && !page.contains(">failing<"))
    #expect(page.contains("<span class=\"state cancelled\">cancelled</span>"))
  }

  @Test("The text, the JSON and the page have the summary of all launches, and the newest ones")
  func reports() throws {
    let launches = (1...200).map { launch($0, failed: $0 > 190, version: $0 > 180 ? "2" : "1") }
    let report = HistoryReport(
      of: launches.suffix(20), by: "version", summary: HistorySummary(of: launches, by: "version"))
    let lines = HistoryText().text(of: report).split(separator: "\n").map(String.init)
    #expect(lines[0] == "Shop: 200 launches since 2026-07-28 09:00:00, 10 failed")
    #expect(lines[1].split(separator: " ") == ["launches", "p50", "p90", "p99"])
    #expect(lines[2].split(separator: " ") == ["launch", "190", "285", "ms", "513", "ms", "567", "ms"])
    #expect(lines[3].hasPrefix("b ") && lines[4].hasPrefix("a "))
    #expect(lines[5] == "version 2: 10 of 20 launches failed, 0 of 180 others")
    #expect(lines[6] == "the newest 20 launches:")
    let json = try JSONDocument(
      parsing: SourceText(name: "", bytes: Array(HistoryJSON().text(of: report).utf8)))
    let summary = json.root["summary"]
    #expect(
      try summary?["launches"]?.integer(as: Int.self) == 200
        && summary?["failures"]?.integer(as: Int.self) == 10)
    #expect(try summary?["launch"]?["p99"]?.integer(as: Int.self) == 567_000_000)
    #expect(summary?["steps"]?.elements.map { $0["id"]?.string } == ["b", "a"])
    #expect(summary?["failing"]?.elements.map { $0["value"]?.string } == ["2"])
    let page = LaunchPage().text(of: report)
    #expect(page.contains("10 of 200 launches failed") && page.contains("<td class=\"n\">567 ms</td>"))
  }

  @Test("Selected steps are the only ones in the summary")
  func selection() {
    let launches = (1...10).map { launch($0) }
    let report = HistoryReport(of: launches, steps: ["a"], summary: HistorySummary(of: launches))
    #expect(report.summarySteps.map(\.step) == ["a"])
    #expect(HistoryText().text(of: report).contains("\nall launches:\n"))
  }
}
