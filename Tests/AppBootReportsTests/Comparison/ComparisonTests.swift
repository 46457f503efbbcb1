import AppBootTestKit
import Testing

@testable import AppBoot
@testable import AppBootReports

@Suite("A comparison")
struct ComparisonTests {
  private let steps: [(id: String, usual: Int64)] = [
    ("a", 4_000_000), ("b", 9_000_000), ("c", 1_500_000), ("d", 20_000_000),
  ]

  private func comparison(_ count: Int = 12, factors: [String: Double] = [:], seed: UInt64 = 1) -> Comparison
  {
    var generator = SeededGenerator(seed: seed)
    let base = ComparisonSample.records(count, steps: steps, &generator)
    let head = ComparisonSample.records(count, steps: steps, factors: factors, &generator)
    return Comparison(base: base, head: head)
  }

  private func names(_ comparison: Comparison) -> [String] { comparison.steps.map(\.effect.verdict.name) }

  @Test("names the step that is slower and the one that is faster, and by how much")
  func verdicts() throws {
    let comparison = comparison(factors: ["b": 1.3, "d": 0.5])
    #expect(names(comparison) == ["inconclusive", "slower", "inconclusive", "faster"])
    #expect(comparison.launch.verdict == .faster)
    let slower = comparison.steps[1].effect
    #expect(slower.interval.contains(1.3) && abs(slower.ratio - 1.3) < 0.05)
    #expect(slower.probability < 0.05)
  }

  @Test("of the same launches is inconclusive")
  func same() {
    #expect(names(comparison()) == Array(repeating: "inconclusive", count: 4))
    #expect(comparison().launch.verdict == .inconclusive(.withinNoise))
  }

  @Test("of one launch against one says that these are too few, and how many it takes")
  func single() {
    let comparison = comparison(1, factors: ["b": 9])
    #expect(comparison.launch.verdict == .inconclusive(.tooFewLaunches(needed: 4)))
    #expect(comparison.steps[1].effect.verdict == .inconclusive(.tooFewLaunches(needed: 5)))
    #expect(comparison.summary().contains("too few launches, it takes 4 of each"))
  }

  @Test("keeps quiet about what is beyond noise and does not matter")
  func small() {
    let base = (0..<20).map { ComparisonSample.record([("a", 1_000_000 + Int64($0))]) }
    let head = (0..<20).map { ComparisonSample.record([("a", 1_010_000 + Int64($0))]) }
    let comparison = Comparison(base: base, head: head)
    #expect(comparison.steps[0].effect.verdict == .inconclusive(.tooSmall))
    let strict = Comparison(base: base, head: head, options: .init(minimumEffect: 0.005))
    #expect(strict.steps[0].effect.verdict == .slower)
  }

  @Test("leaves out launches and steps that did not succeed, and says so")
  func failures() {
    var generator = SeededGenerator(seed: 3)
    let base = ComparisonSample.records(8, steps: steps, &generator)
    let broken = ComparisonSample.record([("a", 1), ("b", 1)], outcome: .failed(step: 1))
    let comparison = Comparison(base: base, head: base + [broken])
    #expect(comparison.head.launches == 8 && comparison.head.leftOut == 1)
    #expect(comparison.steps[0].effect.head.count == 8)
  }

  @Test("shows steps that were added, removed, renamed and reordered")
  func changes() {
    let base = ComparisonSample.record([("a", 5), ("b", 5), ("c", 5), ("old", 5), ("d", 5)])
    let head = ComparisonSample.record([("c", 5), ("a", 5), ("b", 5), ("new", 5), ("d", 5)])
    let renamed = Comparison(base: [base], head: [head])
    #expect(renamed.renamed.map(\.id) == ["new"] && renamed.renamed.first?.formerID == "old")
    #expect(renamed.reordered == ["c"])
    #expect(renamed.added.isEmpty && renamed.removed.isEmpty)
    let more = ComparisonSample.record([("a", 5), ("b", 5), ("x", 5), ("y", 5), ("c", 5), ("d", 5)])
    let changed = Comparison(base: [base], head: [more])
    #expect(changed.added == ["x", "y"] && changed.removed == ["old"])
    let elsewhere = ComparisonSample.record([("a", 5), ("x", 5), ("b", 5), ("c", 5), ("d", 5)])
    let other = Comparison(base: [base], head: [elsewhere])
    #expect(other.added == ["x"] && other.removed == ["old"] && other.renamed.isEmpty)
    let swapped = ComparisonSample.record([("a", 5), ("C", 5), ("B", 5), ("old", 5), ("d", 5)])
    #expect(Comparison(base: [base], head: [swapped]).removed == ["b", "c"])
    let unknown = ComparisonSample.record([("v", 5), ("w", 5), ("x", 5), ("y", 5), ("z", 5)])
    #expect(Comparison(base: [base], head: [unknown]).added == ["v", "w", "x", "y", "z"])
    let slower = ComparisonSample.record([("a", 5), ("b", 5), ("c", 5), ("migrate", 50), ("d", 5)])
    #expect(Comparison(base: [base], head: [slower]).renamed.isEmpty)
  }

  @Test("goes by the newest launch where the plan changed among those of one side")
  func plans() {
    let old = ComparisonSample.record([("gone", 5)], startedAt: "2026-01-01T00:00:00.000Z")
    let new = ComparisonSample.record([("a", 5)], startedAt: "2026-02-01T00:00:00.000Z")
    let comparison = Comparison(base: [new, old], head: [new])
    #expect(comparison.steps.map(\.id) == ["a"] && comparison.removed.isEmpty)
    #expect(comparison.steps[0].effect.base.count == 1)
  }

  @Test("of nothing says nothing")
  func nothing() {
    let comparison = Comparison(base: [], head: [])
    #expect(comparison.steps.isEmpty && comparison.launch.verdict.name == "inconclusive")
    for format in ComparisonFormat.allCases { #expect(!format.render(comparison).isEmpty) }
  }

  @Test(
    "finds the longest part that kept its order",
    arguments: [
      ([], []), ([0, 1, 2], [0, 1, 2]), ([2, 0, 1], [1, 2]), ([3, 2, 1], [2]),
      ([0, 3, 1, 2, 4], [0, 2, 3, 4]),
    ] as [([Int], [Int])])
  func order(values: [Int], kept: [Int]) {
    #expect(StepMatching.longestIncrease(of: values) == kept)
  }

  // MARK: - Forms

  @Test("as text has a row per step, what is not the same, and a summary")
  func text() {
    let base = (0..<8).map {
      ComparisonSample.record([("a", 4_000_000 + Int64($0)), ("old", 1_000_000 - Int64($0))])
    }
    let head = (0..<8).map {
      ComparisonSample.record([("a", 6_000_000 + Int64($0)), ("new", 1_000_000 + Int64($0))])
    }
    #expect(
      ComparisonFormat.text.render(Comparison(base: base, head: head)) == """
        base: Notes, 8 launches
        head: Notes, 8 launches

        a       4.0 ms  6.0 ms  +50.0 %  +50.0 to +50.0 %  slower
        new     1.0 ms  1.0 ms   +0.0 %    +0.0 to +0.0 %  inconclusive: too small to matter
        in all  5.0 ms  7.0 ms  +40.0 %  +40.0 to +40.0 %  slower

        renamed: old → new

        Notes is slower: 5.0 ms to 7.0 ms, +40.0 % (95 % sure of +40.0 to +40.0 %); slower: a (+50.0 %)

        """)
  }

  @Test("as JSON holds the same")
  func json() throws {
    let text = ComparisonFormat.json.render(comparison(factors: ["b": 1.3]))
    let root = try JSONDocument(parsing: SourceText(name: "c", text: text)).root
    #expect(root["format"]?.string == "appboot-comparison")
    let steps = try #require(root["steps"]).elements.map { $0 }
    #expect(
      steps.map { $0["verdict"]?.string } == ["inconclusive", "slower", "inconclusive", "inconclusive"])
    #expect(steps[0]["reason"]?.string == "withinNoise")
  }

  @Test("as Markdown stays under its limit and escapes names")
  func markdown() {
    let many = (0..<2000).map { ("step <script> | \($0)", Int64(1_000_000)) }
    let record = ComparisonSample.record(many)
    let text = ComparisonFormat.markdown.render(Comparison(base: [record], head: [record]))
    #expect(text.utf8.count <= MarkdownReport.commentLimit)
    #expect(!text.contains("<script>") && text.contains("more steps are not shown"))
  }

  @Test("as Markdown stays under its limit where names are long and are shown by their numbers")
  func hostileMarkdown() {
    func record(_ prefix: String) -> StartupRecord {
      let name = String(repeating: "\u{202E}", count: 300)
      return ComparisonSample.record(
        (0..<25).flatMap { [("same \($0)", Int64(1_000_000)), ("\(prefix)\($0)\(name)", Int64(1_000_000))] },
        name: String(repeating: "|", count: 70_000))
    }
    let text = ComparisonFormat.markdown.render(Comparison(base: [record("a")], head: [record("b")]))
    #expect(text.utf8.count <= MarkdownReport.commentLimit)
    #expect(text.contains("Renamed: <code>a0"))
    #expect(text.contains(" and 24 more\n"))
    #expect(MarkdownReport().text(of: record("a")).utf8.count <= MarkdownReport.commentLimit)
  }

  // MARK: - Rates

  @Test("gives no more wrong verdicts on the same launches than its confidence allows")
  func falseAlarms() {
    // 400 comparisons at 95 %: were 5 % wrong, more than 35 would be as rare as 1 in 600.
    var wrong = 0
    for seed in 0..<400 {
      let comparison = comparison(10, seed: UInt64(seed) * 7919)
      if !comparison.decided.isEmpty { wrong += 1 }
    }
    #expect(wrong <= 35, "\(wrong) of 400")
  }

  @Test("finds a step that is slower by 20 % in nearly all sets of twenty launches")
  func power() {
    var found = 0
    for seed in 0..<200 {
      let comparison = comparison(20, factors: ["b": 1.2], seed: UInt64(seed) * 104_729)
      if comparison.steps[1].effect.verdict == .slower { found += 1 }
    }
    #expect(found >= 190, "\(found) of 200")
  }
}
