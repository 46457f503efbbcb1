import AppBoot
import AppBootTestSupport
import Testing

@testable import AppBootReports

@Suite("The order of compared steps", .ownThread)
struct RowOrderTests {
  private let ids = ["a", "b", "c", "d"]

  /// Returns the names in the rows of a table of HTML with this id.
  private func rows(_ page: String, id: String) throws -> [String] {
    let start = try #require(page.firstRange(of: "<h2 id=\"\(id)\">")).upperBound
    let end = try #require(page[start...].firstRange(of: "</section>")).lowerBound
    return page[start..<end].matches(of: /<tr[^>]*><th scope="row"><bdi>([^<]*)/).map { String($0.1) }
  }

  /// Returns the names in the rows of a table of Markdown.
  private func rows(markdown: String) -> [String] {
    markdown.matches(of: /\n\| (?:<code>|\*\*)?([a-d]|the launch)(?:<\/code>|\*\*)? \|/).map { String($0.1) }
  }

  @Test("The step that the verdict names is the first row, and the launch the last one, in every format")
  func order() throws {
    for seed in 0..<12 {
      var random = SeededGenerator(seed: UInt64(seed))
      let steps = ids.map { (id: $0, usual: Int64.random(in: 20_000_000...90_000_000, using: &random)) }
      let slower = ids.shuffled(using: &random).prefix(Int.random(in: 1...2, using: &random))
      let factors = Dictionary(
        uniqueKeysWithValues: slower.map { ($0, Double.random(in: 1.3...2, using: &random)) })
      let base = ComparisonSample.records(20, steps: steps, &random)
      let head = ComparisonSample.records(20, steps: steps, factors: factors, &random)
      let comparison = Comparison(base: [base], head: head)
      let named = comparison.slower.map(\.subject.name).filter { $0 != "the launch" }
      try #require(!named.isEmpty, "seed \(seed)")

      let page = ComparisonFormat.html.render(comparison, base: base, head: head)
      let tables = [
        try rows(page, id: "changes"), rows(markdown: ComparisonMarkdown().text(of: comparison)),
        ComparisonText().text(of: comparison).split(separator: "\n")
          .compactMap { $0.firstMatch(of: /^(a|b|c|d|the launch) .*%/).map { String($0.1) } },
      ]
      for table in tables {
        #expect(Array(table.prefix(named.count)) == named, "seed \(seed)")
        #expect(table.last == "the launch", "seed \(seed)")
      }
      #expect(comparison.summary().contains("slower steps: \(named[0]) "), "seed \(seed)")

      let findings = named.map { CheckFinding(step: $0, message: "\($0) is slower") }
      let check = CheckSummary(
        verdict: .failed, line: "check failed", reason: "", isFailure: true, findings: findings, warnings: [],
        tally: LaunchTally(head), comparison: comparison)
      let checked = LaunchPage().text(of: head[0], check: check)
      for table in [try rows(checked, id: "baseline"), rows(markdown: CheckMarkdown(check).table)] {
        #expect(Array(table.prefix(named.count)) == named, "seed \(seed)")
        #expect(table.last == "the launch", "seed \(seed)")
      }
      #expect(check.steps(of: head[0]).map(\.id).prefix(named.count) == named[...], "seed \(seed)")
      #expect(checked.split(separator: "\"isNamed\":true").count == named.count + 1, "seed \(seed)")
    }
  }
}
