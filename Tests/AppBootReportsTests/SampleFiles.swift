import AppBootSystem
import AppBootTestSupport
import Testing

@testable import AppBoot
@testable import AppBootRecords
@testable import AppBootReports

/// Writes every sample in every format into the directory in `APPBOOT_REPORT_SAMPLES`, for `Tests/Readers`.
@Suite(
  "Sample files",
  .enabled(if: ProcessEnvironment.value(of: "APPBOOT_REPORT_SAMPLES")?.isEmpty == false))
struct SampleFiles {
  private func write(_ text: String, _ name: String) throws {
    let directory = try #require(ProcessEnvironment.value(of: "APPBOOT_REPORT_SAMPLES"))
    try FileSystem.writeFile(atomically: Array(text.utf8), to: "\(directory)/\(name)")
  }

  private func write(_ record: LaunchRecord, _ name: String) throws {
    for format in ReportFormat.allCases { try write(format.render(record), "\(name).\(format.rawValue)") }
  }

  @Test("The files of a sample are written", arguments: ReportSample.allCases)
  func write(sample: ReportSample) throws {
    try write(try sample.record, sample.rawValue)
  }

  @Test("The files of 5,000 steps are written")
  func many() throws {
    try write(ReportSample.many(5000, "Five thousand steps"), "many")
  }

  @Test("The pages of a comparison and of a history are written")
  func pages() throws {
    var random = SeededGenerator(seed: 3)
    let steps: [(id: String, usual: Int64)] = [
      ("database", 90_000_000), ("cache", 40_000_000), ("server", 15_000_000),
    ]
    let base = ComparisonSample.records(12, steps: steps, &random)
    let head = ComparisonSample.records(12, steps: steps, factors: ["database": 1.4], &random)
    let comparison = Comparison(base: [base], head: head)
    try write(ComparisonFormat.html.render(comparison, base: base, head: head), "compare.html")
    let history = (base + base + head).map { LaunchSummary($0) }
    try write(LaunchPage().text(of: HistoryReport(of: history), budget: 200_000_000), "history.html")
  }
}
