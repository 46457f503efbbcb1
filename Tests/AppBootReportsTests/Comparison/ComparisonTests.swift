import AppBootTestSupport
import Testing

@testable import AppBoot
@testable import AppBootReports

@Suite("A comparison", .ownThread)
struct ComparisonTests {
  private let steps: [(id: String, usual: Int64)] = [
    ("a", 4_000_000), ("b", 9_000_000), ("c", 1_500_000), ("d", 20_000_000),
  ]

  private func comparison(_ count: Int = 12, factors: [String: Double] = [:], seed: UInt64 = 1) -> Comparison
  {
    var generator = SeededGenerator(seed: seed)
    let base = ComparisonSample.records(count, steps: steps, &generator)
    let head = ComparisonSample.records(count, steps: steps, factors: factors, &generator)
    return Comparison(base: [base], head: head)
  }

  private func names(_ comparison: Comparison) -> [String] { comparison.steps.map(\.effect.decision.name) }

  @Test("A comparison names the slower step and the faster one, with their factors")
  func decisions() throws {
    let comparison = comparison(40, factors: ["b": 1.3, "d": 0.5])
    #expect(names(comparison)[1] == "slower" && names(comparison)[3] == "faster")
    #expect(comparison.launch.isFaster)
    let slower = comparison.steps[1].effect
    #expect(slower.interval.contains(slower.ratio) && abs(slower.ratio - 1.3) < 0.05)
    #expect(abs(try #require(slower.decision.factor) - 1.3) < 0.05)
    #expect(abs(try #require(comparison.steps[3].effect.decision.factor) - 0.5) < 0.05)
  }

  @Test("A comparison has the test of each step by its id")
  func stepTests() throws {
    let comparison = comparison(40, factors: ["b": 1.3])
    let tests = comparison.stepTests
    #expect(Set(tests.keys) == ["a", "b", "c", "d"])
    for (id, test) in tests { #expect(test.subject == .step(id)) }
    #expect(try #require(tests["b"]).factor > 1.2)
  }

  @Test("The same launches are the same, and never slower or faster")
  func same() {
    let comparison = comparison(40)
    #expect(comparison.decided.isEmpty && comparison.launch.decision == .same)
    #expect(names(comparison).contains("same"))
  }

  @Test("One launch against one is inconclusive and says how many launches are needed")
  func single() {
    let comparison = comparison(1, factors: ["b": 9])
    #expect(comparison.launch.decision == .inconclusive(.tooFewLaunches(needed: 7)))
    #expect(comparison.steps[1].effect.decision == .inconclusive(.tooFewLaunches(needed: 7)))
    #expect(comparison.summary().contains("too few launches, at least 7 of each are needed"))
  }

  @Test("A step's time leaves out the waits for a slot before its next attempt, but not its backoff")
  func slotBetweenAttempts() {
    let record = ReportSample.retried.with {
      $0.steps[1].retry = RetryPolicy(attempts: 3, backoff: .milliseconds(50))
    }
    // 360 ms, of which 60 ms and 120 ms are waits.
    #expect(LaunchSet([record]).running("fetch") == [180_000_000])
    let waiting = record.with { $0.steps[1].retry = RetryPolicy(attempts: 3, backoff: .milliseconds(110)) }
    let comparison = Comparison(pairs: (0..<20).map { _ in (base: record, head: waiting) })
    #expect(comparison.stepTests["fetch"]?.base == 180_000_000)
  }

  @Test("A slowdown that costs too little to matter is inconclusive")
  func small() {
    func launches(_ small: Int64) -> [LaunchRecord] {
      (0..<20).map {
        ComparisonSample.record([("small", small + Int64($0)), ("rest", 100_000_000 + Int64($0))])
      }
    }
    let comparison = Comparison(base: [launches(1_000_000)], head: launches(1_500_000))
    #expect(comparison.steps[0].effect.decision == .inconclusive(.tooSmall))
  }

  @Test("A slowdown of every step is the machine's and is inconclusive for each")
  func machine() {
    let comparison = comparison(20, factors: ["a": 1.4, "b": 1.4, "c": 1.4, "d": 1.4])
    #expect(comparison.steps[0].effect.decision == .inconclusive(.machineSpeed))
    #expect(comparison.launch.decision == .inconclusive(.machineSpeed))
  }

  @Test("The allowed slowdown decides")
  func limit() {
    var generator = SeededGenerator(seed: 5)
    let base = ComparisonSample.records(20, steps: steps, &generator)
    let head = ComparisonSample.records(40, steps: steps, factors: ["b": 1.3], &generator)
    #expect(Comparison(base: [base], head: head).steps[1].effect.isSlower)
    let options = Comparison.Options(maximumSlowdown: 0.5)
    #expect(Comparison(base: [base], head: head, options: options).steps[1].effect.decision == .same)
  }

  @Test("Launches and steps that did not succeed are left out and counted")
  func failures() {
    var generator = SeededGenerator(seed: 3)
    let base = ComparisonSample.records(8, steps: steps, &generator)
    let broken = ComparisonSample.record([("a", 1), ("b", 1)], outcome: .failed(step: 1))
    let comparison = Comparison(base: [base, [broken]], head: base + [broken])
    #expect(comparison.head.launches == 8 && comparison.head.leftOut == 1)
    #expect(comparison.base.launches == 8 && comparison.base.leftOut == 1)
    #expect(comparison.steps[0].effect.head.count == 8 && comparison.steps[0].effect.base.count == 8)
  }

  @Test("Added, removed, renamed and reordered steps are listed")
  func changes() {
    let base = ComparisonSample.record([("a", 5), ("b", 5), ("c", 5), ("old", 5), ("d", 5)])
    let head = ComparisonSample.record([("c", 5), ("a", 5), ("b", 5), ("new", 5), ("d", 5)])
    let renamed = Comparison(base: [[base]], head: [head])
    #expect(renamed.renamed.map(\.id) == ["new"] && renamed.renamed.first?.formerID == "old")
    #expect(renamed.reordered == ["c"])
    #expect(renamed.added.isEmpty && renamed.removed.isEmpty)
    let more = ComparisonSample.record([("a", 5), ("b", 5), ("x", 5), ("y", 5), ("c", 5), ("d", 5)])
    let changed = Comparison(base: [[base]], head: [more])
    #expect(changed.added == ["x", "y"] && changed.removed == ["old"])
    let elsewhere = ComparisonSample.record([("a", 5), ("x", 5), ("b", 5), ("c", 5), ("d", 5)])
    let other = Comparison(base: [[base]], head: [elsewhere])
    #expect(other.added == ["x"] && other.removed == ["old"] && other.renamed.isEmpty)
    let swapped = ComparisonSample.record([("a", 5), ("C", 5), ("B", 5), ("old", 5), ("d", 5)])
    #expect(Comparison(base: [[base]], head: [swapped]).removed == ["b", "c"])
    let unknown = ComparisonSample.record([("v", 5), ("w", 5), ("x", 5), ("y", 5), ("z", 5)])
    #expect(Comparison(base: [[base]], head: [unknown]).added == ["v", "w", "x", "y", "z"])
    let slower = ComparisonSample.record([("a", 5), ("b", 5), ("c", 5), ("migrate", 50), ("d", 5)])
    #expect(Comparison(base: [[base]], head: [slower]).renamed.isEmpty)
  }

  @Test("The newest launch gives the plan if it changed within one side")
  func plans() {
    let old = ComparisonSample.record([("gone", 5)], startedAt: "2026-01-01T00:00:00.000Z")
    let new = ComparisonSample.record([("a", 5)], startedAt: "2026-02-01T00:00:00.000Z")
    let comparison = Comparison(base: [[new, old]], head: [new])
    #expect(comparison.steps.map(\.id) == ["a"] && comparison.removed.isEmpty)
    #expect(comparison.steps[0].effect.base.count == 1)
  }

  @Test("A comparison without launches is inconclusive")
  func nothing() {
    let comparison = Comparison(base: [], head: [])
    #expect(comparison.steps.isEmpty && comparison.launch.decision.name == "inconclusive")
    for format in ComparisonFormat.allCases { #expect(!format.render(comparison).isEmpty) }
  }

  @Test(
    "Steps outside the longest increasing subsequence are reordered",
    arguments: [
      ([], []), ([0, 1, 2], [0, 1, 2]), ([2, 0, 1], [1, 2]), ([3, 2, 1], [2]),
      ([0, 3, 1, 2, 4], [0, 2, 3, 4]),
    ] as [([Int], [Int])])
  func order(values: [Int], kept: [Int]) {
    #expect(StepMatching.longestIncrease(of: values) == kept)
  }

  // MARK: - Forms

  @Test("A text report has a row per step, the changed steps and a summary")
  func text() {
    let base = (0..<8).map {
      ComparisonSample.record([("a", 4_000_000 + Int64($0)), ("old", 1_000_000 - Int64($0))])
    }
    let head = (0..<8).map {
      ComparisonSample.record([("a", 6_000_000 + Int64($0)), ("new", 1_000_000 + Int64($0))])
    }
    #expect(
      ComparisonFormat.text.render(Comparison(base: [base], head: head)) == """
        base: Notes, 8 launches
        head: Notes, 8 launches

        step        base p50     p90  head p50     p90   change     95 % interval  decision
        a             4.0 ms  4.0 ms    6.0 ms  6.0 ms  +50.0 %  +50.0 to +50.0 %  slower by 50.0 %
        the launch    5.0 ms  5.0 ms    7.0 ms  7.0 ms  +40.0 %  +40.0 to +40.0 %  slower by 40.0 %
        1 step: no difference

        renamed: old → new

        Notes is slower by 40.0 %: 5.0 ms before, 7.0 ms now; slower steps: a (by 50.0 %)

        """)
  }

  @Test("A launch that succeeded before and fails now is the headline in every format")
  func outcomes() {
    func records(_ count: Int, fails: Bool) -> [LaunchRecord] {
      (0..<count).map { number in
        var record = ComparisonSample.record(
          [("a", 1_000_000 + Int64(number)), ("b", 1_000_000)], outcome: fails ? .failed(step: 1) : .succeeded
        )
        if fails { record.executions[1].state = .failed(Failure(message: "no database", type: "")) }
        return record
      }
    }
    let (good, bad) = (records(8, fails: false), records(3, fails: true))
    let failing = Comparison(base: [good], head: bad)
    #expect(failing.summary() == "Notes fails now: b failed in 3 of 3 launches; it succeeded before")
    let text = ComparisonFormat.text.render(failing)
    #expect(
      text.contains(
        """
        different outcomes:
          the launch  succeeded → failed: b failed
          b           succeeded → failed: no database

        """))
    #expect(!text.contains("too few"))
    #expect(failing.launch.decision == .inconclusive(.notMeasured("no launch succeeded now")))
    #expect(!text.contains("decision"))
    #expect(ComparisonFormat.markdown.render(failing).hasPrefix("### ❌ <code>Notes</code>: fails now\n"))
    #expect(ComparisonFormat.json.render(failing).contains("\"now\": {"))
    let working = Comparison(base: [bad], head: good)
    #expect(working.summary() == "Notes succeeds now; it failed in 3 of 3 launches before: b failed")
    #expect(ComparisonFormat.markdown.render(working).hasPrefix("### ✅ <code>Notes</code>: succeeds now\n"))
    let flaky = Comparison(base: [good], head: good + bad.prefix(1))
    #expect(
      flaky.summary().hasPrefix(
        "Notes fails in 1 of 9 launches now: b failed; it succeeded before; Notes is "))
    let both = Comparison(base: [good + bad], head: good + bad.prefix(1))
    #expect(both.states.isEmpty)
    #expect(Comparison(base: [bad], head: bad).summary() == "Notes fails, as before: no launch succeeded")
  }

  @Test("A new step that fails is named before the other changes, and the launch's headline has its failure")
  func newFailingStep() {
    let base = (0..<8).map { ComparisonSample.record([("a", 1_000_000 + Int64($0))]) }
    let head = (0..<8).map { number in
      var record = ComparisonSample.record(
        [("a", 1_000_000 + Int64(number)), ("migrate", 1_000_000)], outcome: .failed(step: 1))
      record.executions[1].state = .failed(Failure(message: "no database", type: ""))
      return record
    }
    let comparison = Comparison(base: [base], head: head)
    #expect(comparison.added == ["migrate"])
    #expect(comparison.states.map(\.step) == [nil, "migrate"])
    #expect(
      comparison.summary() == "Notes fails now: migrate failed in 8 of 8 launches; it succeeded before")
    let text = ComparisonFormat.text.render(comparison)
    #expect(text.contains("  migrate     new → failed: no database\n"), "\(text)")
    #expect(ComparisonFormat.markdown.render(comparison).hasPrefix("### ❌ <code>Notes</code>: fails now\n"))
  }

  @Test("A comparison reports a step that is skipped in all launches, and counts equal steps in one line")
  func skipped() {
    let records = (0..<8).map { number in
      var record = ComparisonSample.record([
        ("a", 1_000_000 + Int64(number)), ("b", 1), ("c", 1_000_000 + Int64(number)),
      ])
      record.executions[1] = StepExecution()
      record.executions[1].state = .skipped(.condition("when"))
      return record
    }
    let text = ComparisonFormat.text.render(Comparison(base: [records], head: records))
    #expect(
      text.contains(
        "\nb                  –       –         –       –                          inconclusive: skipped in all launches\n"
      ))
    #expect(text.contains("\n2 steps: no difference\n"))
    #expect(text.hasSuffix("\nNotes is unchanged: 2.0 ms before, 2.0 ms now\n"))
  }

  @Test("A comparison says that a renamed step did not succeed before, under its former id")
  func renamedSkipped() {
    func records(_ id: String, isSkipped: Bool) -> [LaunchRecord] {
      (0..<8).map { number in
        let time = 1_000_000 + Int64(number)
        var record = ComparisonSample.record([("a", time), (id, 1_000_000), ("c", time)])
        guard isSkipped else { return record }
        record.executions[1] = StepExecution()
        record.executions[1].state = .skipped(.condition("when"))
        return record
      }
    }
    let comparison = Comparison(
      base: [records("old", isSkipped: true)], head: records("new", isSkipped: false))
    #expect(comparison.renamed.map(\.id) == ["new"])
    #expect(comparison.steps[0].effect.decision == .unchanged)
    #expect(
      comparison.steps[1].effect.decision == .inconclusive(.notMeasured("skipped in all launches before")))
  }

  @Test("A change within 2 % is unchanged, and a larger one within the limit is the same")
  func unchanged() {
    func launches(_ time: Int64) -> [LaunchRecord] {
      (0..<20).map { ComparisonSample.record([("a", time + Int64($0))]) }
    }
    let base = launches(10_000_000)
    #expect(Comparison(base: [base], head: launches(10_150_000)).launch.decision == .unchanged)
    #expect(Comparison(base: [base], head: launches(10_500_000)).launch.decision == .same)
  }

  @Test("The headline names a slower step if the launch is not slower")
  func slowerStep() {
    func launches(_ a: Int64, _ b: Int64 = 50_000_000) -> [LaunchRecord] {
      (0..<20).map {
        ComparisonSample.record([("a", a + Int64($0)), ("b", b + Int64($0)), ("c", 1_000_000)])
      }
    }
    let same = Comparison(base: [launches(5_000_000)], head: launches(7_000_000))
    #expect(same.launch.decision == .same)
    #expect(
      same.summary()
        == "Notes has slower steps: a (by 40.0 %); the launch takes 3.6 % longer, within the allowed 10.0 %: "
        + "56.0 ms before, 58.0 ms now"
    )
    #expect(
      ComparisonFormat.markdown.render(same).hasPrefix("### 🐢 <code>Notes</code>: 1 step is slower\n"))
    let faster = Comparison(base: [launches(5_000_000)], head: launches(7_000_000, 30_000_000))
    #expect(faster.launch.isFaster)
    #expect(
      faster.summary().hasPrefix("Notes has slower steps: a (by 40.0 %); faster steps: b (by 40.0 %); "))
    let step = Comparison(base: [launches(5_000_000)], head: launches(3_000_000))
    #expect(
      step.summary().hasPrefix("Notes has faster steps: a (by 40.0 %); the launch takes 3.6 % less time"))
    #expect(ComparisonFormat.markdown.render(step).hasPrefix("### 🐇 <code>Notes</code>: 1 step is faster\n"))
  }

  @Test("A JSON report has the decisions, the estimates and the tests")
  func json() throws {
    let text = ComparisonFormat.json.render(comparison(40, factors: ["b": 1.3]))
    let root = try JSONDocument(parsing: SourceText(name: "c", text: text)).root
    #expect(root["format"]?.string == "appboot-comparison")
    let steps = try #require(root["steps"]).elements.map { $0 }
    #expect(steps[1]["decision"]?.string == "slower" && steps[1]["factor"] != nil)
    #expect(steps[1]["test"]?["clock"]?.string == "elapsed")
    let single = ComparisonFormat.json.render(comparison(1))
    let launch = try JSONDocument(parsing: SourceText(name: "c", text: single)).root["launch"]
    #expect(launch?["reason"]?.string == "tooFewLaunches" && launch?["ratioLow"] == nil)
  }

  @Test("Launches of different apps are a warning in every format")
  func otherApps() {
    func launches(_ ids: [String], _ name: String = "Notes") -> [LaunchRecord] {
      (0..<8).map { time in
        ComparisonSample.record(ids.map { ($0, 10_000_000 + Int64(time)) }, name: name)
      }
    }
    let base = launches(["a", "b"])
    func warning(_ head: [LaunchRecord]) -> String? {
      let comparison = Comparison(base: [base], head: head)
      guard case .otherApp = comparison.warnings.first else { return nil }
      #expect(
        ComparisonText().text(of: comparison).contains("\nwarning: base and head are probably different apps")
      )
      #expect(ComparisonMarkdown().text(of: comparison).contains("probably different apps"))
      #expect(comparison.json.text(pretty: true).contains("\"appsDiffer\": true"))
      #expect(
        ComparisonFormat.html.render(comparison, base: base, head: head).contains("probably different apps"))
      return comparison.warnings.first?.words
    }
    #expect(
      warning(launches(["c"], "Shop")) == "base and head are probably different apps: their names differ "
        + "(\"Notes\" and \"Shop\"), and they have no step in common; the times say nothing about a change")
    #expect(
      warning(launches(["a", "b"], "Shop"))
        == "base and head are probably different apps: their names differ (\"Notes\" and \"Shop\")")
    #expect(warning(launches(["c"]))?.contains("different apps: they have no step in common") == true)
    #expect(warning(launches(["a", "c"])) == nil)
    #expect(Comparison(base: [base], head: base).json.text(pretty: true).contains("\"appsDiffer\": false"))
  }

  @Test("A Markdown report stays under its limit and escapes names")
  func markdown() {
    let long = String(repeating: " | ", count: 100)
    let many = (0..<200).map { ("step <script>\(long)\($0)", Int64(1_000_000)) }
    let record = ComparisonSample.record(many)
    let text = ComparisonFormat.markdown.render(Comparison(base: [[record]], head: [record]))
    #expect(text.utf8.count <= MarkdownReport.commentLimit)
    #expect(!text.contains("<script>") && text.contains("more steps are not shown"))
  }

  @Test("A Markdown report stays under its limit if names are long and escaped")
  func hostileMarkdown() {
    func record(_ prefix: String) -> LaunchRecord {
      let name = String(repeating: "\u{202E}", count: 300)
      return ComparisonSample.record(
        (0..<25).flatMap { [("same \($0)", Int64(1_000_000)), ("\(prefix)\($0)\(name)", Int64(1_000_000))] },
        name: String(repeating: "|", count: 70_000))
    }
    let text = ComparisonFormat.markdown.render(Comparison(base: [[record("a")]], head: [record("b")]))
    #expect(text.utf8.count <= MarkdownReport.commentLimit)
    #expect(text.contains("Renamed: <code>a0"))
    #expect(text.contains(" and 24 more\n"))
    #expect(MarkdownReport().text(of: record("a")).utf8.count <= MarkdownReport.commentLimit)
  }
}

@Suite("The page of a comparison")
struct ComparisonPageTests {
  @Test("A step that fails now and is allowed to is a warning, as on the page of a launch")
  func allowed() {
    for (policy, classes) in [(FailurePolicy.continue, "failure allowed"), (.stop, "failure")] {
      let base = ReportSample.run("T", [.init(id: "a", onFailure: policy), .init(id: "b")])
      var head = base
      head.executions[0].state = .failed(Failure(message: "no net", type: ""))
      let comparison = Comparison(base: [[base]], head: [head])
      let page = ComparisonFormat.html.render(comparison, base: [base], head: [head])
      #expect(page.contains("<li class=\"\(classes)\" data-step=\"0\"><h3>a</h3>"))
    }
  }
}
