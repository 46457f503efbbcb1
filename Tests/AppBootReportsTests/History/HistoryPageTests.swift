import AppBoot
import AppBootRecords
import Testing

@testable import AppBootReports

@Suite("The page of a history")
struct HistoryPageTests {
  /// Returns the page of launches whose times have factors.
  private func page(_ count: Int, _ factor: (Int) -> Double) -> String {
    var sample = HistorySample(seed: 7, deviation: 0.02)
    sample.delayed = 0
    return LaunchPage().text(
      of: HistoryReport(of: HistorySample.launches(sample.times(count, factor: factor))))
  }

  private func lines(_ text: String, _ name: String) -> [String] {
    text.split(separator: "\n").map(String.init).filter { $0.contains("<line class=\"\(name)\"") }
  }

  @Test("The picture marks the first launch after the change, and has the median before it and since then")
  func change() {
    let text = page(100) { $0 < 80 ? 1 : 1.2 }
    #expect(lines(text, "mark").map { $0.contains("x1=\"80.500%\"") } == [true])
    let medians = lines(text, "median")
    #expect(medians.count == 2)
    #expect(medians[0].contains("x1=\"0.500%\" x2=\"79.500%\""))
    #expect(medians[1].contains("x1=\"80.500%\" x2=\"99.500%\""))
  }

  @Test("The picture has no median for launches before an earlier change")
  func twoChanges() {
    let text = page(120) { $0 < 40 ? 1 : $0 < 80 ? 1.2 : 1.45 }
    #expect(lines(text, "mark").count == 1)
    let medians = lines(text, "median")
    #expect(medians.count == 2 && !medians[0].contains("x1=\"0."))
  }

  @Test("The scale of a picture has round times, and the axis the times of a single day")
  func scale() {
    let text = page(40) { _ in 1 }
    let labels = text.matches(of: /<text x="4" y="[0-9.]+" dy="4">([0-9.]+)[^<]*<\/text>/).map {
      String($0.1)
    }
    #expect(labels.count >= 2)
    #expect(labels.allSatisfy { Double($0).map { $0.truncatingRemainder(dividingBy: 5) == 0 } == true })
    #expect(text.contains(" UTC</text>"))
  }

  @Test("A row and a point lead to the report of their launch if there is one, and else to the row")
  func reports() {
    var sample = HistorySample(seed: 7)
    let launches = HistorySample.launches(sample.times(30) { _ in 1 })
    let start = launches[29].startedAt
    let text = LaunchPage().text(of: HistoryReport(of: launches), reports: [start: "h-launches/a.html"])
    #expect(text.split(separator: "<a href=\"h-launches/a.html\"").count == 3)
    #expect(text.split(separator: "<a href=\"#launch-").count == 30)
    #expect(text.contains("data-time=\"\(start)\" data-shown=\"\(start)\">\(start)</time></a>"))
    #expect(text.contains("median of 30: "))
  }

  @Test("The page of a history with one launch says so, and has no picture and no table")
  func single() {
    let text = page(1) { _ in 1 }
    #expect(text.contains("There is one launch, which took "))
    #expect(!text.contains("<table") && !text.contains("<svg height"))
  }

  @Test("The page of a history with one launch says what failed, and when")
  func singleFailure() throws {
    func text(_ record: LaunchRecord) -> String {
      LaunchPage().text(of: HistoryReport(of: [LaunchSummary(record)]))
    }
    let late = text(try ReportSample.late.record)
    #expect(
      late.contains("<span class=\"badge bad\">failed later</span>") && late.contains(": web failed later."))
    let failed = text(try ReportSample.failed.record)
    #expect(
      failed.contains("<span class=\"badge bad\">failed</span>") && failed.contains(": Database failed."))
    #expect(text(try ReportSample.timedOut.record).contains("<span class=\"badge bad\">timed out</span>"))
  }

  @Test("The picture of a steady history has one median and no mark")
  func steady() {
    let text = page(60) { _ in 1 }
    #expect(lines(text, "mark").isEmpty && lines(text, "median").count == 1)
  }
}
