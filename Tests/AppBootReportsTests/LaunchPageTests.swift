import AppBootSystem
import AppBootTestSupport
import Testing

@testable import AppBoot
@testable import AppBootRecords
@testable import AppBootAnalysis
@testable import AppBootReports

@Suite("HTML page", .ownThread)
struct LaunchPageTests {
  private func page(_ sample: ReportSample) throws -> String { LaunchPage().text(of: try sample.record) }

  /// The data that the page's script draws.
  private func data(_ text: String) throws -> JSONValue {
    let start = try #require(text.firstRange(of: "id=\"data\">")).upperBound
    let end = try #require(text[start...].firstRange(of: "</script>")).lowerBound
    return try JSONDocument(parsing: SourceText(name: "x", text: String(text[start..<end]))).root
  }

  @Test("A page contains only its own scripts, whatever is in the record", arguments: ReportSample.allCases)
  func scripts(sample: ReportSample) throws {
    let text = try page(sample)
    #expect(text.split(separator: "<script").count == 4)
    #expect(text.split(separator: "</script").count == 4)
    #expect(!text.contains("<img"))
    #expect(!text.contains("style=\"") && !text.contains("onclick"))
  }

  @Test("A page contains no URL of the network")
  func network() throws {
    let text = try page(.ten)
    for word in ["http:", "https:", "@import", "url(", "fetch(", "src=\""] { #expect(!text.contains(word)) }
  }

  @Test("A page allows only its own script and style, by hash")
  func policy() throws {
    let text = try page(.ten)
    #expect(text.contains("default-src 'none'; style-src 'sha256-"))
    #expect(!text.contains("unsafe-"))
  }

  @Test("The data of a page have an object for each step, with its times", arguments: ReportSample.allCases)
  func steps(sample: ReportSample) throws {
    let record = try sample.record.withEstimatedEnd
    let steps = try #require(try data(page(sample))["parts"]?.elements.first?["steps"]?.elements)
    #expect(steps.count == record.count)
    for (step, data) in zip(record, steps) {
      #expect(data["state"]?.string ?? "succeeded" == step.state.name)
      #expect(try data["start"]?.integer(as: Int64.self) == step.execution.startTime)
      guard let start = step.execution.startTime else { continue }
      #expect(try data["end"]?.integer(as: Int64.self) == start + step.execution.runningTime)
      #expect(data["why"]?.string?.isEmpty == false)
    }
  }

  @Test("The panel of a step has its whole output once, and the command that prints it")
  func outputs() throws {
    let failure = Failure(
      message: "\"sh\" exited with code 3, expected 0, after these last 2 lines of output:\n  b\n  c",
      type: "x")
    var record = ReportSample.run("Shop", [.init(id: "web", lane: .background, duration: 5)])
    record.executions[0].state = .failed(failure)
    var page = LaunchPage()
    page.outputs = ["web": StepOutput(text: "a\nb\nc", rest: "`appboot logs web` has the rest.")]
    let step = try #require(
      try data(page.text(of: record))["parts"]?.elements.first?["steps"]?.elements.first)
    #expect(step["output"]?.string == "a\nb\nc")
    #expect(step["cause"]?.string == "\"sh\" exited with code 3, expected 0")
    #expect(step["rest"]?.string == "`appboot logs web` has the rest.")
  }

  @Test("The data of a page have the reasons of a step's state and start in words")
  func sentences() throws {
    let steps = try #require(try data(page(.failed))["parts"]?.elements.first?["steps"]?.elements)
    let texts = Dictionary(uniqueKeysWithValues: steps.map { ($0["id"]?.string ?? "", $0) })
    #expect(texts["Database"]?["why"]?.string == "after Keychain, which ran 6.0 ms")
    let cause = "cannot open notes.db\ncaused by: disk I/O error\ncaused by: errno 5"
    #expect(texts["Database"]?["cause"]?.string == cause)
    #expect(texts["Fonts"]?["ran"]?.string == "ran 9.0 ms in 2 attempts with 1.0 ms between them")
    #expect(texts["Screen"]?["reason"]?.string == #"skipped: "Database" did not succeed"#)
  }

  @Test(
    "The data of a page has the step that released a slot or a lane, and which if the lane does not say it")
  func resources() throws {
    var record = ReportSample.run("T", [.init(id: "a"), .init(id: "b")])
    for resource in [nil, "a slot"] {
      record.header.isSerial = resource != nil
      let page = try data(LaunchPage().text(of: record))
      let shown = try #require(page["parts"]?.elements.first?["steps"]?.elements)
      #expect(shown.map { $0["releasedBy"] != nil } == [false, true])
      #expect(shown[1]["resource"]?.string == resource)
    }
  }

  @Test("A failed undo has its place, its command line and a link to its step")
  func undo() throws {
    var record = try ReportSample.failed.record
    let step = try #require(record.first { $0.details.undo?.failure != nil }).index
    record.details[step]?.undo?.commandLine = "rm lock"
    let text = LaunchPage().text(of: record)
    let card = try #require(text.split(separator: "\n").first { $0.contains("<h3>the undo of ") })
    #expect(
      card.contains(" data-step=\"\(step)\"")
        && card.contains("<span class=\"place\">commands.json:4:5</span>"))
    #expect(card.contains("<pre tabindex=\"0\">$ rm lock"))
  }

  @Test("The data of a page has the command line of a single step once, without the step's id")
  func runOnly() throws {
    let part = try #require(try data(page(.failed))["parts"]?.elements.first)
    #expect(part["runOnly"]?.elements.compactMap(\.string) == ["appboot run --only ", " commands.json"])
    let ids = ["a b", "a\u{202E}b", "c", "a,b", #"a\b"#, "--x"]
    let record = ReportSample.run("T", ids.map { ReportSample.Planned(id: $0) })
    let page = try data(LaunchPage().text(of: record))
    let steps = try #require(page["parts"]?.elements.first?["steps"]?.elements)
    // No command line can be copied with hidden characters.
    #expect(
      steps.map { $0["runOnly"]?.string } == [
        "appboot run --only 'a b'", "", nil, #"appboot run --only 'a\,b'"#, #"appboot run --only 'a\\b'"#,
        "appboot run --only=--x",
      ])
  }

  @Test("A page has a few hundred bytes for each step, because a step leaves out the usual values")
  func size() throws {
    let steps = try #require(try data(page(.thousand))["parts"]?.elements.first?["steps"]?.elements)
    for name in ["lane", "state", "title", "onFailure", "runOnly"] {
      #expect(steps.count { $0[name] != nil } < 400, "\(name)")
    }
    #expect(try page(.thousand).utf8.count < 380_000)
  }

  @Test("A service that failed after the launch has the bar of its start, and the time of its failure")
  func lateFailure() throws {
    var record = try ReportSample.ten.record
    record.executions[3].state = .failed(Failure(message: "killed by SIGSEGV", type: ""))
    record.details[3] = StepDetails()
    record.details[3]?.failureTime = 732_000_000
    let steps = try data(LaunchPage().text(of: record))["parts"]?.elements.first?["steps"]?.elements
    #expect(try steps?[3]["failedAt"]?.integer(as: Int64.self) == 732_000_000)
    let picture = SVGReport().text(of: record)
    #expect(picture.contains(", failed at 732 ms</text>"))
    #expect(picture.contains("<g class=\"succeeded\" data-i=\"3\">"))
  }

  @Test("The table shows the time of an unfinished step as a minimum, and a failed undo")
  func exceptions() throws {
    #expect(try page(.running).contains("data-v=\"900\">at least 900 ns</td>"))
    #expect(try SVGReport().text(of: ReportSample.running.record).contains(">at least 900 ns</text>"))
    var record = try ReportSample.ten.record
    var details = StepDetails()
    details.undo = StepAttempt(
      startTime: 5, endTime: 9, failure: Failure(message: "exit 9, after this output:\n  busy", type: ""))
    record.details[3] = details
    let text = LaunchPage().text(of: record)
    #expect(text.contains("succeeded</span>, <span class=\"state failed\">undo failed</span></td>"))
  }

  @Test("Long error messages of many steps are cut, so that a page opens")
  func longMessages() throws {
    var record = ReportSample.many(700, "Failing")
    let failure = Failure(message: String(repeating: "x", count: 2500), type: "Long")
    for index in record.indices { record.executions[index].state = .failed(failure) }
    #expect(LaunchPage().text(of: record).utf8.count < 2_200_000)
  }

  @Test("The table has the times in nanoseconds for programs")
  func numbers() throws {
    let record = try ReportSample.ten.record
    let text = try page(.ten)
    for step in record {
      let ran = step.execution.runningTime
      #expect(text.contains("<td class=\"n\" data-v=\"\(ran)\">\(DurationText.brief(nanoseconds: ran))</td>"))
    }
  }

  @Test("The table of many steps has the first rows, and a sentence about the others")
  func limit() throws {
    let text = try page(.thousand)
    #expect(text.split(separator: "<tr data-i=").count == PageTable.limit + 1)
    #expect(text.contains("The table has the first 200 of 1000 rows."))
  }

  @Test("The page of a failed launch names the step that stopped it and its cause, then the other failures")
  func verdict() throws {
    let text = try page(.failed)
    let undo = "; the undo of Keychain failed"
    let verdict = "The launch did not boot: Database failed at 40.0 ms: errno 5\(undo). It took 41.0 ms. "
    #expect(text.contains(verdict))
    let first = try #require(text.firstRange(of: "<h3>Database failed")).lowerBound
    let second = try #require(text.firstRange(of: "<h3>Analytics timed out (allowed)")).lowerBound
    #expect(first < second)
    #expect(text.contains("<p>2 steps did not run because of it.</p>"))
  }

  @Test("The page of a launch that succeeded begins with the list Where the time goes")
  func levers() throws {
    let record = try ReportSample.ten.record
    let best = try #require(Levers(of: record)?.all.first)
    let text = try page(.ten)
    #expect(
      text.firstRange(of: "<h2 id=\"first\">")?.upperBound
        == text.firstRange(of: "Where the time goes")?.lowerBound)
    #expect(!text.contains("Do first") && !text.contains("Shorten"))
    let ran = TimeNumbers.brief(record[best.step].execution.runningTime)
    #expect(todo(text).first?.hasPrefix("\(record[best.step].id) ran \(ran)") == true)
    #expect(text.contains("the launch would save \(TimeNumbers.brief(best.gain)) ("))
    #expect(try page(.failed).contains("<h2 id=\"first\">What failed</h2>"))
  }

  /// Returns the titles of the cards of the first list.
  private func todo(_ text: String) -> [String] {
    text.matches(of: /<li[^>]*>(?:<span class="n">[^<]*<\/span>)?<h3>([^<]*)/).map { String($0.1) }
  }

  @Test("The page of a launch with retries begins with the time that the failed attempts cost")
  func retries() {
    let text = LaunchPage().text(of: ReportSample.retried)
    #expect(
      todo(text).map { $0.split(separator: " ").prefix(2).joined(separator: " ") } == [
        "Avoid the", "window ran", "fetch ran",
      ])
    #expect(text.contains("<span class=\"n\">−350 ms, 78 %</span>"))
    #expect(
      text.contains(
        "<p>The first attempt failed: curl: (56) reset. If the first attempt of fetch had succeeded, the launch would "
          + "have taken 350 ms less.</p>"))
  }

  @Test("The page of a launch begins with the steps over their budgets, largest excess first")
  func budgets() {
    let record = ReportSample.run(
      "Notes", [.init(id: "a", duration: 20_000), .init(id: "b", after: [0], duration: 150_000)]
    ).with {
      $0.steps[0].budget = .milliseconds(10)
      $0.steps[1].budget = .milliseconds(60)
    }
    let text = LaunchPage().text(of: record)
    let cards = todo(text)
    #expect(
      cards.prefix(2) == [
        "b took 150 ms, over its budget of 60ms", "a took 20.0 ms, over its budget of 10ms",
      ])
    #expect(cards.dropFirst(2).first?.hasPrefix("b ran 150 ms") == true)
    #expect(MarkdownReport().text(of: record).contains("| ⚠️ | **<code>b</code>** |"))
  }

  @Test("A handler that failed after the launch is an error on the page and in Markdown")
  func failedHandler() throws {
    var record = try ReportSample.ten.record
    record.events = [EventRecord(event: "openURL", time: 1, record: try ReportSample.failed.record)]
    #expect(MarkdownReport().text(of: record).hasPrefix("### ❌ "))
    #expect(
      LaunchPage().text(of: record).contains(
        "<span class=\"badge bad\">booted, then a handler failed</span>"))
    // The app may run while its report is made.
    record.events[0].record.outcome = .running
    record.header.isLive = true
    #expect(MarkdownReport().text(of: record).hasPrefix("### ⚠️ "))
    #expect(LaunchPage().text(of: record).contains("<span class=\"badge warn\">booted</span>"))
  }

  @Test("The badge of a launch over its budget, or in safe mode, is a warning")
  func warnings() throws {
    let record = try ReportSample.ten.record
    func page(_ change: (inout LaunchOutline) -> Void) -> String {
      LaunchPage().text(of: record.with(change))
    }
    #expect(page { _ in }.contains("<span class=\"badge good\">booted</span>"))
    #expect(
      page { $0.safeMode = .requested }.contains("<span class=\"badge warn\">booted in safe mode</span>"))
    #expect(page { $0.budgetTime = 1 }.contains("<span class=\"badge warn\">booted over budget</span>"))
    #expect(MarkdownReport().text(of: record.with { $0.budgetTime = 1 }).hasPrefix("### ⚠️"))
  }

  @Test("The header has the time of the start for the script, and the labels")
  func origin() throws {
    var record = try ReportSample.ten.record
    record.header.labels = [LaunchLabel("branch", "main"), LaunchLabel("commit", "<c1>")]
    let start = record.startedAt
    let text = LaunchPage().text(of: record)
    let words = "data-shown=\"\(start)\">\(start)</time> · branch main · commit &lt;c1&gt;"
    #expect(text.contains("Started <time datetime=\"\(start)\"") && text.contains(words))
  }

  @Test("A page without steps says so")
  func empty() throws {
    #expect(try page(.empty).contains("This launch has no steps."))
  }
}

@Suite("HTML pages of several launches")
struct LaunchPagesTests {
  private func page(_ sample: ReportSample) throws -> String { LaunchPage().text(of: try sample.record) }

  private let steps: [(id: String, usual: Int64)] = [("a", 40_000_000), ("b", 90_000_000), ("c", 15_000_000)]

  @Test("The page of a comparison names the slower step first, with its effect on the launch")
  func comparison() throws {
    var random = SeededGenerator(seed: 3)
    let base = ComparisonSample.records(12, steps: steps, &random)
    let head = ComparisonSample.records(12, steps: steps, factors: ["b": 1.4], &random)
    let comparison = Comparison(base: [base], head: head)
    let text = ComparisonFormat.html.render(comparison, base: base, head: head)
    #expect(text.contains("<span class=\"badge bad\">slower</span>"))
    let first = try #require(text.firstMatch(of: /<span class="n">\+([0-9.]+) ms<\/span><h3>b is slower by/))
    let effect = try #require(Double(first.1))
    // The step alone made the launch longer.
    #expect(effect > 25 && effect < 55)
    #expect(text.contains("<tr><th scope=\"row\"><bdi>the launch</bdi></th>"))
  }

  @Test("The page of a comparison has the labels of both sides, and tells single launches from medians")
  func origins() throws {
    var random = SeededGenerator(seed: 3)
    func launches(_ commits: [String], factor: Double) -> [LaunchRecord] {
      var records = ComparisonSample.records(12, steps: steps, factors: ["b": factor], &random)
      for index in records.indices {
        records[index].header.labels = [
          LaunchLabel("commit", commits[index % commits.count]), LaunchLabel("branch", "main"),
        ]
      }
      return records
    }
    let base = launches(["c1"], factor: 1)
    let head = launches(["c2", "c3", "c4", "c5"], factor: 1.4)
    let comparison = Comparison(base: [base], head: head)
    let text = ComparisonFormat.html.render(comparison, base: base, head: head)
    #expect(
      text.contains(
        "commit</bdi></th><td class=\"wrap\">c1</td><td class=\"wrap\">c2, c3, c4 and 1 more</td><td>different</td>"
      ))
    #expect(
      text.contains("branch</bdi></th><td class=\"wrap\">main</td><td class=\"wrap\">main</td><td></td>"))
    #expect(text.split(separator: "Δ is the change of the medians").count == 2)
    // The data of the details have the medians.
    #expect(text.contains("medians "))
    #expect(try !page(.ten).contains("Δ is"))
  }

  @Test("The page of a check begins with what made the verdict")
  func check() throws {
    let record = try ReportSample.ten.record
    let finding = CheckFinding(step: record[9].id, message: "\(record[9].id) is slower than the baseline")
    let check = CheckSummary(
      verdict: .failed, line: "check failed", reason: finding.message, isFailure: true, findings: [finding],
      warnings: [CheckFinding(step: nil, message: "the machine is busy")], tally: LaunchTally([record]),
      comparison: nil)
    let text = LaunchPage().text(of: record, check: check)
    let first = try #require(text.firstRange(of: "<li "))
    let card = "<li class=\"failure\" data-step=\"9\"><h3>\(finding.message)"
    #expect(text[first.lowerBound...].hasPrefix(card))
    let warnings = try #require(text.firstRange(of: "the machine is busy")).lowerBound
    #expect(first.lowerBound < warnings)
  }

  @Test("The page of a check names the other side as its table does", arguments: [false, true])
  func baseName(isPaired: Bool) {
    var random = SeededGenerator(seed: 3)
    let base = ComparisonSample.records(12, steps: steps, &random)
    let head = ComparisonSample.records(12, steps: steps, &random)
    let comparison =
      isPaired
      ? Comparison(pairs: zip(base, head).map { (base: $0, head: $1) }) : Comparison(base: [base], head: head)
    let check = CheckSummary(
      verdict: .passed, line: "check passed", reason: "", isFailure: false, findings: [], warnings: [],
      tally: LaunchTally(head), comparison: comparison)
    let text = LaunchPage().text(of: head[0], check: check)
    let name = isPaired ? "base" : "baseline"
    #expect(text.contains("A hollow bar is the median of the \(name), and"))
    #expect(text.contains("Against the \(name)<"))
  }

  @Test("The page of a comparison with failures shows the first launch that failed")
  func failing() throws {
    var random = SeededGenerator(seed: 3)
    let base = ComparisonSample.records(12, steps: steps, &random)
    let head = [try ReportSample.failed.record]
    let text = ComparisonFormat.html.render(Comparison(base: [base], head: head), base: base, head: head)
    #expect(text.contains("The first launch that failed over the base"))
    #expect(text.contains("fails now"))
    // The step that fails is new.
    #expect(text.contains("Database") && text.contains("errno 5"))
  }

  @Test("The page of many launches has a point for each, the budget, the change and the rates")
  func history() throws {
    var sample = HistorySample(seed: 7, deviation: 0.01)
    sample.delayed = 0
    var launches = HistorySample.launches(sample.times(60) { $0 < 30 ? 1 : 1.5 }, steps: ("fetch", "<index>"))
    launches.append(LaunchSummary(try ReportSample.failed.record))
    let report = HistoryReport(of: launches)
    let text = LaunchPage().text(of: report, budget: 200_000_000)
    #expect(text.split(separator: "<circle ").count == 61)
    #expect(text.contains("✗<title data-time="))
    #expect(text.contains("budget 200ms"))
    #expect(
      text.contains("<a href=\"#launch-59\" tabindex=\"-1\"><circle ")
        && text.contains("<tr id=\"launch-59\">"))
    #expect(text.contains(">09:00:00 UTC</text>"))
    #expect(text.contains("lower since 2026-07-28 09:00:03: "))
    #expect(text.contains("; &lt;index&gt; +"))
    #expect(text.contains(">failing</span>"))
    #expect(text.contains("Failed launches: 1 of 61 (2 %). Launches with retries: 1 of 61 (2 %)."))
    #expect(text.split(separator: "<script").count == 2)
    #expect(LaunchPage().text(of: HistoryReport(of: [])).contains("There are no launches."))
  }

  @Test("The page of many launches has the changes that the text has")
  func historyChanges() {
    var sample = HistorySample(seed: 7, deviation: 0.01)
    let report = HistoryReport(of: HistorySample.launches(sample.times(60) { $0 < 40 ? 1 : 1.5 }))
    let text = LaunchPage().text(of: report)
    #expect(text.contains(">slower</span>"))
    for row in report.all.steps where row.change > 0 {
      #expect(text.contains("+\(TimeNumbers.brief(row.change))"))
    }
  }
}
