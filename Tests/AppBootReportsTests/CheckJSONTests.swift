import Testing

@testable import AppBoot
@testable import AppBootReports

@Suite("The JSON of a check")
struct CheckJSONTests {
  @Test("The JSON has every counted step, even if the last launch has fewer steps")
  func fewerSteps() throws {
    let records = [ComparisonSample.record([("a", 5), ("b", 7)]), ComparisonSample.record([("a", 5)])]
    let check = CheckSummary(
      verdict: .passed, line: "", reason: "", isFailure: false, findings: [], warnings: [],
      tally: LaunchTally(records), comparison: nil)
    let text = CheckJSON(check).text(of: records, exitCode: 0)
    let root = try JSONDocument(parsing: SourceText(name: "c", text: text)).root
    #expect(try #require(root["steps"]).elements.map { $0["id"]?.string } == ["a", "b"])
  }
}
