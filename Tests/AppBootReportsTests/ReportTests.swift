import Testing

@testable import AppBoot
import AppBootRecords
import AppBootLifecycle
@testable import AppBootReports

@Suite("All report formats")
struct ReportTests {
  @Test(
    "A report is the same for the same record, and ends with a line feed", arguments: ReportSample.small)
  func pure(sample: ReportSample) throws {
    let record = try sample.record
    for format in ReportFormat.allCases {
      let text = format.render(record)
      #expect(text == format.render(record))
      #expect(text.isEmpty || text.hasSuffix("\n"), "\(format)")
    }
  }

  @Test("A report of a record that was read back is the same", arguments: ReportSample.small)
  func readBack(sample: ReportSample) throws {
    let record = try sample.record
    let copy = try LaunchRecord(json: SourceText(name: "x", text: record.json()))
    for format in ReportFormat.allCases {
      #expect(format.render(copy) == format.render(record), "\(format)")
    }
  }

  @Test("A report contains no control character", arguments: ReportFormat.allCases)
  func controls(format: ReportFormat) throws {
    let text = format.render(try ReportSample.hostile.record)
    let bad = text.unicodeScalars.filter { $0.value < 0x20 && $0 != "\n" || $0.value == 0x7F }
    #expect(bad.isEmpty)
  }

  @Test("A report gives the reason for safe mode", arguments: ReportFormat.allCases.filter { $0 != .svg })
  func safeMode(format: ReportFormat) throws {
    let outline = try ReportSample.running.record.outline
    let mode = SafeMode(culprits: [outline[0].id], reason: "the last 2 launches crashed")
    let record = LaunchRecord(outline: outline.inSafeMode(mode), startedAt: "2026-01-02T03:04:05.000Z")
    #expect(format.render(record).contains("the last 2 launches crashed"))
  }
}

@Suite("The number of failures")
struct FailureCountTests {
  @Test("Each report of a launch that booted calls an allowed failure one")
  func allowed() {
    var record = ReportSample.run("T", ["a", "b", "c"].map { .init(id: $0, onFailure: .continue) })
    record.executions[1].state = .failed(Failure(message: "no net", type: ""))
    #expect(TextReport().verdict(of: record).hasSuffix(": 2 of 3 steps, 1 allowed failure"))
    for text in [MarkdownReport().text(of: record), LaunchPage().text(of: record)] {
      #expect(text.contains("3 steps: 2 succeeded, 1 allowed failure"))
    }
  }
}

@Suite("The order of failures")
struct FailureOrderTests {
  @Test("Each report begins with the failure of the launch, which stands for equal failures")
  func order() {
    var record = ReportSample.run("T", ["a", "b", "c"].map { .init(id: $0) })
    for step in 0..<3 { record.executions[step].state = .failed(Failure(message: "no disk", type: "")) }
    record.executions[0].state = .failed(Failure(message: "no net", type: ""))
    record.outcome = .failed(step: 2)
    let titles = [
      (TextReport(detail: .failures).text(of: record), "error: c and b failed"),
      (GitHubAnnotations().text(of: record), "::error title=appboot%3A c::c and b failed: no disk"),
      (MarkdownReport().text(of: record), "<code>c</code> and <code>b</code> failed"),
      (LaunchPage().text(of: record), "<h3>c and b failed"),
    ]
    for (text, title) in titles { #expect(text.contains(title), "\(text)") }
    #expect(TextReport(detail: .failures).text(of: record).hasPrefix("error: c and b"))
    #expect(GitHubAnnotations().text(of: record).hasPrefix("::error title=appboot%3A c::"))
  }
}

@Suite("Reports of a launch whose end is not a step's failure")
struct EndingReportTests {
  @Test("A service that failed after the launch has the moment of its failure in each report")
  func late() throws {
    let record = try ReportSample.late.record
    let verdict = "Site booted in 17.0 ms, then stopped: web failed at 732 ms; 0 of 1 step"
    #expect(TextReport().verdict(of: record) == verdict)
    #expect(GitHubAnnotations().text(of: record).contains("::web failed at 732 ms: \"sh\" was killed"))
    let page = LaunchPage().text(of: record)
    #expect(page.contains("The launch booted, then stopped: web failed at 732 ms: out of memory. It took"))
    let markdown = MarkdownReport().text(of: record)
    #expect(markdown.hasPrefix("### ❌ <code>Site</code> booted, then stopped: <code>web</code> failed\n"))
    for text in [TextReport().text(of: record), markdown, JUnitReport().text(of: record)] {
      #expect(text.contains("later it was killed by SIGSEGV, which ended the app at 732 ms"))
    }
  }

  @Test("A launch that was cancelled names the steps that ran, with their last output")
  func cancelled() throws {
    let record = try ReportSample.cancelled.record
    let end = "was cancelled after 2.0 ms: SIGINT; still running: a; last output: indexing"
    #expect(TextReport().verdict(of: record).contains(end))
    #expect(GitHubAnnotations().text(of: record).contains(end))
    #expect(MarkdownReport().text(of: record).contains("; still running: <code>a</code>; <code>last output"))
  }
}

@Suite("JUnit report")
struct JUnitReportTests {
  @Test("Each step has a case, an allowed failure is a skipped one, and a failed undo is an error")
  func failed() throws {
    let text = JUnitReport().text(of: try ReportSample.failed.record)
    let counts = "tests=\"8\" failures=\"1\" errors=\"1\" skipped=\"5\" time=\"0.041000000\""
    #expect(text.contains("<testsuites name=\"Notes\" \(counts)>"))
    #expect(text.contains("timestamp=\"2026-07-28T09:05:03\""))
    #expect(text.contains("<failure type=\"Store.Error\" message=\"cannot open notes.db\">"))
    #expect(text.contains("<skipped message=\"timed out (allowed): took longer than 20ms\"/>"))
    #expect(text.contains("<error message=\"the undo of Keychain failed: still in use\"/>"))
    #expect(text.contains("<property name=\"appboot.place\" value=\"commands.json:7:5\"/>"))
    #expect(text.contains("<property name=\"appboot.budget\" value=\"5ms\"/>"))
    #expect(text.contains("<property name=\"appboot.overBudget\" value=\"true\"/>"))
    #expect(text.contains("name=\"Database\" time=\"0.033970000\" file=\"commands.json\" line=\"7\""))
  }

  @Test("A launch that timed out has a failed case although no step failed")
  func timedOut() throws {
    let text = JUnitReport().text(of: try ReportSample.timedOut.record)
    #expect(text.contains("tests=\"3\" failures=\"1\""))
    // The step that hung is named, and the one behind it is not.
    #expect(text.contains("the launch timed out; still running: a; last output: indexing\""))
  }

  @Test("A step that did not finish is an error")
  func running() throws {
    let text = JUnitReport().text(of: try ReportSample.running.record)
    #expect(text.contains("errors=\"1\" skipped=\"1\""))
    #expect(text.contains("<error message=\"the step was running at the end of the record\"/>"))
  }

  @Test("The case of a step that succeeded after a retry names the attempt that printed the output")
  func retried() throws {
    var record = try ReportSample.ten.record
    let failure = Failure(message: "\"sh\" exited with code 3, after this output:\n  no lock", type: "")
    var details = StepDetails()
    (details.note, details.lastOutput) = ("exit 0", "no lock")
    details.attempts = [
      StepAttempt(startTime: 0, endTime: 1, failure: failure), StepAttempt(startTime: 2, endTime: 3),
    ]
    record.details[0] = details
    let output = "2 attempts; the first failed: no lock&#10;exit 0"
    #expect(JUnitReport().text(of: record).contains("<system-out>\(output)</system-out>"))
    #expect(!TextReport(detail: .full).text(of: record).contains("last output"))
  }
}

@Suite("GitHub annotations")
struct GitHubAnnotationsTests {
  @Test("Annotations have the manifest's lines, failures first")
  func lines() throws {
    let text = GitHubAnnotations().text(of: try ReportSample.failed.record)
    let expected = """
      ::error file=commands.json,line=7,col=5,title=appboot%3A Database::Database failed: cannot open \
      notes.db%0Acaused by: disk I/O error%0Acaused by: errno 5
      ::warning file=commands.json,line=5,col=5,title=appboot%3A Analytics::Analytics timed out \
      (allowed): took longer than 20ms
      ::error file=commands.json,line=4,col=5,title=appboot%3A Keychain::the undo of Keychain failed: still in use
      ::warning file=commands.json,line=4,col=5,title=appboot%3A Keychain::Keychain took 6.0 ms, over its \
      budget of 5ms

      """
    #expect(text == expected)
  }

  @Test("An annotation does not repeat a timeout, and has a space for a tab")
  func words() throws {
    var record = try ReportSample.ten.record
    record.executions[0].state = .timedOut(Failure(message: "timed out after 3s:\tno port", type: ""))
    let text = GitHubAnnotations().text(of: record)
    #expect(text.hasSuffix("::CheckEnvironment timed out after 3s: no port\n"))
  }

  @Test("The annotations of a check leave out allowed failures, which its warnings count")
  func allowedFailures() throws {
    let report = GitHubAnnotations(includesWarnings: false) { $0 }
    let warning = CheckFinding(step: "Analytics", message: "Analytics failed in 1 of 5 launches (allowed)")
    let text = report.text(of: try ReportSample.failed.record, errors: [], warnings: [warning])
    #expect(text.split(separator: "\n").count { $0.contains("::Analytics ") } == 1)
    #expect(text.hasSuffix("::Analytics failed in 1 of 5 launches (allowed)\n"))
  }

  @Test("Names, messages and files cannot forge an annotation")
  func injection() throws {
    let text = GitHubAnnotations().text(of: try ReportSample.hostile.record)
    for line in text.split(separator: "\n") {
      #expect(
        line.hasPrefix("::error file=a%2Cb%3Ac%0A%3A%3Aerror%3A%3A.json")
          || line.hasPrefix("::warning file=a%2C"))
      #expect(!line.dropFirst(2).hasPrefix("::"))
    }
    // "%0A" in a message is that text, not a line break.
    #expect(text.contains("%250A::error::x"))
  }

  @Test("A launch without problems has no annotations, and one that did not finish has an error")
  func silent() throws {
    #expect(GitHubAnnotations().text(of: try ReportSample.ten.record).isEmpty)
    var dead = ComparisonSample.record([("a", 1), ("b", 2)])
    dead.apply(LaunchEvent(.launchStarted, at: 0))
    #expect(GitHubAnnotations().text(of: dead).hasSuffix("::the process ended between two steps\n"))
    dead.apply(LaunchEvent(.started(step: 1, attempt: 1), at: 5))
    #expect(GitHubAnnotations().text(of: dead).hasSuffix("b::the process ended while b was running\n"))
  }
}

@Suite("Markdown report")
struct MarkdownReportTests {
  @Test("A failure and a failed undo have their messages and causes")
  func failed() throws {
    let text = MarkdownReport().text(of: try ReportSample.failed.record)
    let undo = "the undo of <code>Keychain</code> failed"
    #expect(
      text.hasPrefix("### ❌ <code>Notes</code> did not boot: <code>Database</code> failed; \(undo)\n"))
    #expect(text.contains("**\(undo)** (<code>commands.json&#58;4&#58;5</code>)\n\n<pre>\nstill in use\n"))
    #expect(text.contains("| ❌ | **<code>Keychain</code>** |"))
    #expect(text.contains("| ↶ | <code>Fonts</code> |"))
    #expect(
      text.contains(
        "**41.0 ms** · budget 250ms · 8 steps: "
          + "2 succeeded, 1 failed, 1 allowed failure, 3 skipped, 1 cancelled"))
    #expect(
      text.contains(
        "<pre>\ncannot open notes.db\ncaused by&#58; disk I/O error\ncaused by&#58; errno 5\n</pre>"))
  }

  @Test(
    "The text stays under its limit and counts the rows that it left out", arguments: [2000, 20_000, 65_000])
  func limit(limit: Int) throws {
    let text = MarkdownReport(limit: limit).text(of: try ReportSample.thousand.record)
    #expect(text.utf8.count <= limit)
    #expect(text.contains("<code>Step200</code>"))
    #expect(limit > 60_000 || text.contains("faster steps are not shown."))
  }

  @Test("The step that stopped the launch comes before the other failures, and a unit stays with its number")
  func order() throws {
    let text = MarkdownReport().text(of: try ReportSample.failed.record)
    let first = try #require(text.firstRange(of: "**<code>Database</code> failed**")).lowerBound
    let second = try #require(text.firstRange(of: "<code>Analytics</code> timed out")).lowerBound
    #expect(first < second)
    #expect(text.contains(" | 34.0\u{A0}ms | "))
  }

  @Test("Names cannot become Markdown: every table row has five cells")
  func cells() throws {
    let text = MarkdownReport().text(of: try ReportSample.hostile.record)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| ") }
    #expect(rows.count == ReportSample.attacks.count + 1)
    #expect(rows.allSatisfy { $0.count { $0 == "|" } == 6 })
    #expect(!text.contains("<script") && !text.contains("<img") && !text.contains("@user"))
  }
}
