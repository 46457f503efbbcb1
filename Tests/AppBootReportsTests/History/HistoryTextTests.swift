import AppBoot
import Testing

@testable import AppBootRecords
@testable import AppBootReports

@Suite("The history as text and JSON")
struct HistoryTextTests {
  private func report(_ count: Int = 100, steps: [String]? = nil) -> HistoryReport {
    var sample = HistorySample(seed: 7, deviation: 0.02)
    sample.delayed = 0
    let times = sample.times(count) { $0 < 80 ? 1 : 1.2 }
    return HistoryReport(of: numbered(HistorySample.launches(times)), steps: steps)
  }

  /// Returns launches of which each has a record.
  private func numbered(_ launches: [LaunchSummary]) -> [LaunchSummary] {
    var launches = launches
    for index in launches.indices { launches[index].recordNumber = launches.count - index }
    return launches
  }

  private func lines(_ report: HistoryReport, _ style: TextStyle = TextStyle()) -> [String] {
    HistoryText(style: style).text(of: report).split(separator: "\n").map(String.init)
  }

  @Test("The text has a line for the launch, one for each step, and the trend")
  func text() throws {
    var lines = lines(report())
    #expect(lines.count == 11)
    #expect(lines[0] == "Notes: 100 launches since 2026-07-28 09:00:00")
    #expect(lines[1].split(separator: " ") == ["-1", "2026-07-28", "09:00:09", "121", "ms", "succeeded"])
    #expect(lines[5].hasPrefix("-5  2026-07-28"))
    lines.removeSubrange(1...5)
    #expect(lines[1].split(separator: " ") == ["newest", "median", "last", "10"])
    #expect(lines[2].hasPrefix("launch  "))
    #expect(lines[3].hasPrefix("index   ") && lines[3].contains("+"))
    #expect(lines[4].hasPrefix("fetch   "))
    #expect(lines[5].hasPrefix("slower since 2026-07-28 09:"))
    #expect(lines[5].contains("; index +"))
  }

  @Test("The times of the launch leave out launches that ran other steps of the same manifest")
  func parts() {
    let launches = [Int64](arrayLiteral: 100, 300, 100).enumerated().map { index, time in
      let first = LaunchSummary.Step(id: "a", state: .succeeded, duration: 100)
      let second = LaunchSummary.Step(
        id: "b", state: index == 1 ? .succeeded : .skipped, duration: 200, attempts: index == 1 ? 1 : 0)
      return LaunchSummary(
        name: "x", startedAt: "2026-07-28T09:00:00.000Z", duration: time, outcome: .succeeded,
        planDigest: "sha256:1",
        steps: [first, second])
    }
    let report = HistoryReport(of: launches)
    #expect(report.all.launch.times == [100, nil, 100])
    #expect(
      lines(report).contains(
        "the times of the launch do not count 1 launch that ran other steps than the newest one"))
  }

  @Test("The last failed launch is listed below the newest ones")
  func lastFailure() {
    let launches = (0..<8).map { index in
      let isFailed = index == 1
      let step = LaunchSummary.Step(id: "a", state: isFailed ? .failed : .succeeded, duration: 100)
      return LaunchSummary(
        name: "x", startedAt: "2026-07-28T09:00:0\(index).000Z", duration: 100,
        outcome: isFailed ? .failed : .succeeded, failedStep: isFailed ? "a" : nil, planDigest: "sha256:1",
        steps: [step])
    }
    let lines = lines(HistoryReport(of: numbered(launches)))
    #expect(lines[5].hasPrefix("-5 "))
    #expect(
      lines[6].split(separator: " ") == ["-7", "2026-07-28", "09:00:01", "100", "ns", "failed", "a"])
  }

  @Test("A listed launch has the number of its record, and one without a record has none")
  func recordNumbers() {
    var launches = HistorySample.launches([100_000_000, 200_000_000, 300_000_000])
    launches[2].recordNumber = 2
    launches[1].recordNumber = 4
    let lines = lines(HistoryReport(of: launches))
    #expect(lines[1].hasPrefix("-2  2026-07-28 ") && lines[2].hasPrefix("-4  2026-07-28 "))
    #expect(lines[3].hasPrefix("    2026-07-28 "))
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
    #expect(report.all.launch.failures == 1 && report.all.launch.retries == 4)
    #expect(report.all.steps.map(\.step) == ["a"])
    let lines = lines(report)
    #expect(lines[0] == "Test: 3 launches since 2026-07-28 09:05:03, 1 failed")
    #expect(lines[2].hasSuffix("  failed"))
    #expect(lines[6].hasSuffix("failed 1, 4 retries"))
    #expect(lines[7] == "a trend needs 24 launches; 2 so far")
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
    #expect(report.groups.map(\.launches.count) == [2, 1, 1])
    let lines = lines(report)
    #expect(lines[1] == "by branch:")
    #expect(
      ["main", "fix", "no branch"].enumerated().allSatisfy { lines[3 + $0.offset].hasPrefix($0.element) })
    let json = HistoryJSON().text(of: report)
    #expect(json.contains("\"label\": \"branch\"") && json.contains("\"value\": \"fix\""))
  }

  /// Returns launches with labels, and from an index on with another manifest.
  private func launches(
    _ times: [Int64], changedAt change: Int = .max, labels: (Int) -> [LaunchLabel] = { _ in [] }
  ) -> [LaunchSummary] {
    HistorySample.launches(times).enumerated().map { index, launch in
      LaunchSummary(
        name: launch.name, startedAt: launch.startedAt, duration: launch.duration, outcome: .succeeded,
        labels: labels(index), planDigest: index < change ? "sha256:1" : "sha256:2", steps: launch.steps)
    }
  }

  private func times(_ count: Int, factor: (Int) -> Double) -> [Int64] {
    var sample = HistorySample(seed: 7, deviation: 0.02)
    sample.delayed = 0
    return sample.times(count, factor: factor)
  }

  @Test("A slow-down that comes with another manifest is reported with the launch at which it changed")
  func manifestChange() throws {
    let slower = HistoryReport(of: launches(times(60) { $0 < 40 ? 1 : 1.2 }, changedAt: 40))
    let line = try #require(lines(slower).last)
    #expect(
      line.hasPrefix("the manifest changed at launch 41: 2")
        || line.hasPrefix("the manifest changed at launch 41: 1"))
    #expect(line.contains(" ms slower since 2026-07-28 09:") && line.contains("; index +"))
    #expect(
      HistoryJSON().text(of: slower).contains("\"manifestChange\": {\n    \"start\": 40,\n    \"before\""))
    #expect(LaunchPage().text(of: slower).contains("The manifest changed at launch 41"))
    let same = HistoryReport(of: launches(times(60) { _ in 1 }, changedAt: 40))
    #expect(lines(same).last == "the manifest changed at launch 41, and the trend begins there")
    let long = HistoryReport(of: launches(times(80) { _ in 1 }, changedAt: 40))
    #expect(lines(long).last == "no lasting change in 40 launches")
  }

  @Test("Slow launches of another branch raise no alarm, and the text says what the trend counts")
  func branches() throws {
    let branch = { (index: Int) in [LaunchLabel("branch", (60..<90).contains(index) ? "fix" : "main")] }
    let report = HistoryReport(of: launches(times(95) { (60..<90).contains($0) ? 1.5 : 1 }, labels: branch))
    #expect(!report.isSlower)
    #expect(
      lines(report).suffix(2) == [
        "no lasting change in 65 launches",
        "the trend counts the 65 launches of branch main, and not 30 of other branches; --by branch shows each",
      ])
  }

  @Test("A launch of another branch does not hide that a branch became slower")
  func slowerBranch() throws {
    let branch = { (index: Int) in [LaunchLabel("branch", index < 90 ? "main" : "fix")] }
    let report = HistoryReport(of: launches(times(91) { (60..<90).contains($0) ? 1.5 : 1 }, labels: branch))
    #expect(try #require(lines(report).last).hasPrefix("branch main: slower since 2026-07-28 "))
    #expect(report.slowerBranches.map(\.value) == ["main"] && !report.isSlower)
  }

  @Test("Each group has a trend, and a slow-down in one of them is an alarm")
  func groupTrends() {
    let branch = { (index: Int) in [LaunchLabel("branch", (40..<110).contains(index) ? "fix" : "main")] }
    let grouped = HistoryReport(
      of: launches(times(120) { (85..<110).contains($0) ? 1.5 : 1 }, labels: branch), by: "branch")
    let trends = lines(grouped).suffix(2)
    #expect(trends.first == "main: no lasting change in 50 launches")
    #expect(trends.last?.hasPrefix("fix: slower since ") == true)
    #expect(grouped.isSlower)
  }

  @Test("A group with too few launches for a trend is named")
  func fewInGroup() {
    let report = HistoryReport(
      of: launches(times(30) { _ in 1 }) { [LaunchLabel("host", $0 < 3 ? "old" : "new")] }, by: "host")
    #expect(lines(report).last == "no trend yet, fewer than 24 launches of one manifest: old")
  }

  @Test("The text says that the trend mixes labels, but not those with a new value for each launch")
  func mixedLabels() {
    let mixed = HistoryReport(
      of: launches(times(30) { _ in 1 }) {
        [LaunchLabel("commit", "\($0)"), LaunchLabel("host", $0 % 2 == 0 ? "a" : "b")]
      })
    #expect(
      lines(mixed).last == "the trend mixes launches with different host: a, b; --by host separates them")
  }

  @Test("The JSON has every launch, a row for each step, and the trend")
  func json() throws {
    let text = HistoryJSON().text(of: report())
    let root = try JSONDocument(parsing: SourceText(name: "json", text: text)).root
    #expect(root["format"]?.string == "appboot-history")
    #expect(root["launches"]?.elements.count == 100)
    #expect(root["steps"]?.elements.count == 2)
    #expect(root["launch"]?["durations"]?.elements.count == 100)
    #expect(root["trend"]?["result"]?.string == "slower")
    #expect(root["trend"]?["steps"]?.elements.first?["id"]?.string == "index")
  }
}
