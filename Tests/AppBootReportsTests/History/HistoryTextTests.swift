import AppBoot
import Testing

@testable import AppBootReports

@Suite("The history as text and JSON")
struct HistoryTextTests {
  private func report(_ count: Int = 100, steps: [String]? = nil) -> HistoryReport {
    var sample = HistorySample(seed: 7, deviation: 0.02)
    sample.delayed = 0
    return HistoryReport(of: HistorySample.launches(sample.times(count) { $0 < 80 ? 1 : 1.2 }), steps: steps)
  }

  private func lines(_ report: HistoryReport, _ style: TextStyle = TextStyle()) -> [String] {
    HistoryText(style: style).text(of: report).split(separator: "\n").map(String.init)
  }

  @Test("The text has a line for the launch, one for each step, and the trend")
  func text() throws {
    let lines = lines(report())
    #expect(lines.count == 6)
    #expect(lines[0] == "Notes: 100 launches since 2026-07-28 09:00:00")
    #expect(lines[1].split(separator: " ") == ["newest", "median", "change"])
    #expect(lines[2].hasPrefix("launch  "))
    #expect(lines[3].hasPrefix("index   ") && lines[3].contains("+"))
    #expect(lines[4].hasPrefix("fetch   "))
    #expect(lines[5].hasPrefix("slower since 2026-07-28 09:"))
    #expect(lines[5].contains("; index +"))
  }

  @Test("Lines fit the width of the terminal, and units stay with their numbers", arguments: [60, 80, 200])
  func widths(width: Int) {
    for line in lines(report(), TextStyle(width: width)) {
      #expect(DisplayWidth.of(line) <= width, "\(line)")
      #expect(!line.hasSuffix("…"))
    }
  }

  @Test("Without UTF-8 the text is ASCII")
  func ascii() {
    let text = HistoryText(style: TextStyle(width: 80, usesASCII: true)).text(of: report())
    #expect(text.utf8.allSatisfy { $0 < 0x80 })
    #expect(text.contains("#"))
  }

  @Test("Bars go from the shortest to the longest time, and a failed launch has a space")
  func bars() {
    let spark = Sparkline(ascii: false)
    #expect(spark.text(of: [1, 2, 3, 4, 5, 6, 7, 8], columns: 8) == "▁▂▃▄▅▆▇█")
    #expect(spark.text(of: [1, nil, 8], columns: 8) == "▁ █")
    #expect(spark.text(of: [5, 5], columns: 8) == "▄▄")
    #expect(spark.text(of: [1, 1, 1, 8, 8, 8], columns: 2) == "▁█")
    #expect(spark.text(of: [nil], columns: 8) == "")
    #expect(Sparkline(ascii: true).text(of: [1, 8], columns: 8) == "_#")
  }

  @Test("Failures and retries are counted, and selected steps are the only ones")
  func failures() {
    let step = LaunchSummary.Step(id: "a", state: .succeeded, duration: 5, attempts: 3)
    let failed = LaunchSummary.Step(id: "a", state: .timedOut, duration: 5)
    let launches = [step, failed, step].map { step in
      LaunchSummary(
        name: "Test", startedAt: "2026-07-28T09:05:03.250Z", duration: 5,
        outcome: step == failed ? .failed : .succeeded,
        steps: [step, .init(id: "b", state: .succeeded, duration: 1)])
    }
    let report = HistoryReport(of: launches, steps: ["a"])
    #expect(report.launch.failures == 1 && report.launch.retries == 4)
    #expect(report.steps.map(\.step) == ["a"])
    let lines = lines(report)
    #expect(lines[0] == "Test: 3 launches since 2026-07-28 09:05:03, 1 failed")
    #expect(lines[3].hasSuffix("failed 1, 4 retries"))
    #expect(lines[4] == "no trend yet: 2 of 24 required launches")
  }

  @Test("Groups have a line for each value of a label, and one for launches without it")
  func groups() {
    let launches = ["main", "fix", nil, "main"].map { branch in
      LaunchSummary(
        name: "Test", startedAt: "2026-07-28T09:05:03.250Z", duration: 5, outcome: .succeeded,
        labels: branch.map { [LaunchLabel("branch", $0)] } ?? [], steps: [])
    }
    let report = HistoryReport(of: launches, by: "branch")
    #expect(report.groups.map(\.value) == ["main", "fix", nil])
    #expect(report.groups.map(\.launches) == [2, 1, 1])
    let lines = lines(report)
    #expect(lines[1] == "by branch:")
    #expect(
      ["main", "fix", "no branch"].enumerated().allSatisfy { lines[3 + $0.offset].hasPrefix($0.element) })
    let json = HistoryJSON().text(of: report)
    #expect(json.contains("\"label\": \"branch\"") && json.contains("\"value\": \"fix\""))
  }

  @Test("The JSON has every launch, a row for each step, the trend and the stretches")
  func json() throws {
    let text = HistoryJSON().text(of: report())
    let root = try JSONDocument(parsing: SourceText(name: "json", text: text)).root
    #expect(root["format"]?.string == "appboot-history")
    #expect(root["launches"]?.elements.count == 100)
    #expect(root["steps"]?.elements.count == 2)
    #expect(root["launch"]?["durations"]?.elements.count == 100)
    #expect(root["trend"]?["result"]?.string == "slower")
    #expect(root["trend"]?["steps"]?.elements.first?["id"]?.string == "index")
    #expect(root["changes"]?.elements.count == 1)
  }
}
