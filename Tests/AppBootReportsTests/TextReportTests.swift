import AppBootRecords
import AppBootTestKit
import AppBootTestSupport
import Testing

@testable import AppBoot
@testable import AppBootReports

@Suite("Text report", .ownThread)
struct TextReportTests {
  private struct Broken: CausedError, CustomStringConvertible {
    let description: String
    var cause: (any Error)?
  }

  private typealias PlannedStep = (step: LaunchStep, after: [String]?)

  private func step(
    _ id: String, _ policy: FailurePolicy = .stop,
    _ body: @escaping @Sendable (LaunchContext) throws -> Void = { _ in }
  ) -> PlannedStep {
    var step = LaunchStep(FakeCommand(body), id: id)
    step.onFailure = policy
    return (step, nil)
  }

  private func record(_ steps: [PlannedStep]) throws -> LaunchRecord {
    try LaunchPlan(name: "Notes", steps: steps).runBlocking()
  }

  /// The report without its times, and with one space for many: the width of a column depends on the times.
  private func text(_ record: LaunchRecord, _ report: TextReport = TextReport()) -> String {
    report.text(of: record).replacing(/\d+(\.\d+)? (ns|µs|us|ms|s)\b/, with: "TIME").replacing(/(\w) +/) {
      "\($0.output.1) "
    }
  }

  @Test("A successful launch has a row per step and a verdict")
  func succeeded() throws {
    let record = try record([step("first") { $0.note("done") }, step("second")])
    #expect(
      text(record) == """
        ✓ first TIME done
        ✓ second TIME

        Notes booted in TIME: 2 steps

        """)
  }

  @Test("The texts that steps announce follow the verdict, and cannot change the terminal")
  func announcements() throws {
    let steps = [
      step("first") { $0.announce("one\n\ntwo \u{1B}[31mred\u{1B}[0m \u{1B}[2J") },
      step("second") { $0.announce("three") },
    ]
    let launch = try record(steps)
    #expect(
      text(launch).hasSuffix("Notes booted in TIME: 2 steps\none\n\ntwo red <U+001B>[2J\nthree\n"))
    #expect(text(launch, TextReport(detail: .full)).hasSuffix("steps\none\n\ntwo red <U+001B>[2J\nthree\n"))
    #expect(text(launch, TextReport(detail: .failures)).isEmpty)
    let failed = try record(steps + [step("third") { _ in throw Broken(description: "no") }])
    #expect(!text(failed).contains("three"))
  }

  @Test(
    "A failure shows the beginning of the last output, unless its message contains it")
  func lastOutput() throws {
    let long = String(repeating: "x", count: 60_000)
    let report = TextReport(detail: .failures)
    let other = report.text(
      of: try record([
        step("a") { context in
          context.output(long)
          throw Broken(description: "no window")
        }
      ]))
    let output = other.split(separator: "\n").last
    #expect(output?.hasPrefix("  last output: xxx") == true && output?.hasSuffix("x…") == true)
    #expect(output?.count == "  last output: ".count + 400)
    let same = report.text(
      of: try record([
        step("a") { context in
          context.output(long)
          throw Broken(description: "the output:\n\(long.suffix(4000))")
        }
      ]))
    #expect(!same.contains("last output"))
  }

  @Test(
    "The cause of a failure is its last visible line of output", arguments: ["", "\n  ", "\n  \u{1B}[0m"])
  func visibleCause(end: String) {
    let message = "\"sh\" exited with code 1, after this output:\n  first\n  ERR\(end)"
    let failure = Failure(message: message, type: "x")
    #expect(failure.lastOutput == "ERR")
  }

  @Test(
    "The cause of a failure is the line before a stack trace",
    arguments: [
      (
        "a.js:1\nlet x = ;\n        ^\n\nSyntaxError: no\n    at wrapSafe (node:internal:1:2)\n\nNode.js v20.1",
        "SyntaxError: no"
      ),
      (
        "Error: connect\n    at connect (node:net:1:2)\nEmitted 'error' event on Socket at:\n    at emit (node:a:1:2) {\n"
          + "  errno: -111\n}\n\nNode.js v20.1", "Error: connect"
      ),
      (
        "Exception in thread main A: outer\n\tat a.B.c(B.java:1)\nCaused by: D: inner\n\tat a.B.d(B.java:2)\n\t... 1 more",
        "Caused by: D: inner"
      ),
      (
        "Error: Cannot find module './nope'\nRequire stack:\n- /n.js\n    at f (node:a:1:2)\n\nNode.js v20.1",
        "Error: Cannot find module './nope'"
      ),
      ("real cause\n\u{1B}[?25h", "real cause"), ("real cause\n\u{1B}]0;title\u{07}\n  +----", "real cause"),
      ("a string\n(Use `node --trace-uncaught ...` to show)\n\nNode.js v20.1", "a string"),
      ("starting\nat least one argument is required", "at least one argument is required"),
      ("    at b (c.js:1:2)\n    at d (c.js:3:4)", "at d (c.js:3:4)"),
    ])
  func trace(output: String, cause: String) {
    let lines = output.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)" }
    let message = "\"sh\" exited with code 1, after this output:\n\(lines.joined(separator: "\n"))"
    #expect(Failure(message: message, type: "x").lastOutput == cause)
  }

  @Test("A failure shows its causes and the steps that it skipped")
  func failed() throws {
    let record = try record([
      step("first", .skipDependents) { _ in
        throw Broken(description: "no window", cause: Broken(description: "no display"))
      },
      step("second"), step("third"),
    ])
    #expect(
      text(record) == """
        ✗ first TIME no display
        – second skipped: "first" did not succeed
        – third skipped: "second" did not succeed

        error: first (Fake) failed
          no window
          caused by: no display
          skipped: first → second → third

        Notes did not boot: first failed at TIME; 0 of 3 steps, 2 skipped

        """)
  }

  @Test("The verdict names each failure that the launch does not allow")
  func verdict() throws {
    let steps = ["a", "b", "c"].map { id in
      step(id, id == "c" ? .continue : .skipDependents) { _ in throw Broken(description: "no \(id)") }
    }
    let text = text(try record(steps.map { ($0.step, [] as [String]?) }), TextReport())
    #expect(text.contains("\nNotes did not boot: a failed at TIME; b failed too; 0 of 3 steps"))
  }

  @Test("Equal failures share a block, which has the error once and the ids of the first steps")
  func equalFailures() throws {
    let failing = (10..<40).map { number in
      step("s\(number)", .skipDependents) { _ in throw Broken(description: "connection refused") }
    }
    let steps =
      failing.map { ($0.step, [] as [String]?) } + [(step("late").step, ["s10"]), (step("x").step, ["s11"])]
    let text = text(try record(steps), TextReport(detail: .failures))
    #expect(
      text == """
        error: s10 and 29 more steps failed
          connection refused
          same error: s11, s12, s13, s14, s15, s16, s17, s18, s19, s20, s21, s22 and 17 more
          skipped: late, x

        """)
  }

  @Test("Failures with different errors, policies or last lines of output have a block each")
  func differentFailures() throws {
    let record = try record([
      step("a", .continue) { _ in throw Broken(description: "no") },
      step("b") { _ in throw Broken(description: "no") },
    ])
    #expect(text(record, TextReport(detail: .failures)).split(separator: "\n\n").count == 2)
    let other = try self.record([
      step("a", .continue) { _ in throw Broken(description: "no") },
      step("b", .continue) { context in
        context.output("x")
        throw Broken(description: "no")
      },
    ])
    #expect(text(other, TextReport(detail: .failures)).split(separator: "\n\n").count == 2)
  }

  @Test("Markdown, annotations and the page have equal failures once, and JUnit has each")
  func equalFailuresInFormats() throws {
    let record = try record(
      (0..<30).map { step("s\($0)", .continue) { _ in throw Broken(description: "connection refused") } })
    for format in [ReportFormat.markdown, .github, .html] {
      let report = format.render(record)
      #expect(report.contains("29 more steps"), "\(format)")
      #expect(report.contains(" and 17 more"), "\(format)")
    }
    #expect(ReportFormat.github.render(record).split(separator: "\n").count == 1)
    #expect(ReportFormat.markdown.render(record).split(separator: "<pre>").count == 2)
    #expect(ReportFormat.html.render(record).split(separator: "<li class=\"failure").count == 2)
    #expect(ReportFormat.junit.render(record).split(separator: "message=\"failed (allowed)").count == 31)
  }

  @Test("Each chain of skipped steps is shown or counted")
  func manyChains() throws {
    let ends = (0..<20).map { (step("s\($0)").step, ["first"] as [String]?) }
    let record = try record(
      [
        step("first", .skipDependents) { _ in throw Broken(description: "no") }
      ] + ends)
    let text = text(record, TextReport(detail: .failures))
    #expect(text.split(separator: "skipped: first → s").count == 13)
    #expect(text.hasSuffix("  skipped: and 8 more chains\n"))
  }

  @Test("The row of a failed step has the last line of output if the message contains it")
  func cause() throws {
    let record = try record([
      step("first") { context in
        context.output("connecting")
        context.output("no such database")
        throw Broken(description: "exited with code 3, after this output:\n  connecting\n  no such database")
      }
    ])
    #expect(text(record).hasPrefix("✗ first TIME no such database\n"))
    #expect(!text(record).contains("last output"))
    for format in [ReportFormat.markdown, .junit, .github] {
      #expect(!format.render(record).contains("last output"))
    }
    #expect(!ReportFormat.junit.render(record).contains("<system-out>"))
  }

  @Test("A failure shows the command line of its process, unless the message names all of it")
  func commandLine() throws {
    func failure(_ commandLine: String, _ message: String) throws -> LaunchRecord {
      var record = LaunchRecord(
        outline: try self.record([step("first")]).outline, startedAt: "", executions: [StepExecution()])
      record.apply(LaunchEvent(.started(step: 0, attempt: 1), at: 0))
      record.apply(
        LaunchEvent(.processStarted(.init(step: 0, attempt: 1, pid: 7, commandLine: commandLine)), at: 1))
      let failure = Failure(message: message, type: "")
      record.apply(LaunchEvent(.ended(step: 0, state: .failed(failure)), at: 2))
      record.apply(LaunchEvent(.launchEnded(.failed(step: 0)), at: 3))
      return record
    }
    let record = try failure("psql -f schema.sql", "\"psql\" exited with code 3")
    #expect(text(record).contains("failed\n  $ psql -f schema.sql\n  \"psql\" exited with code 3\n"))
    #expect(ReportFormat.markdown.render(record).contains("<pre>\n&#36; psql -f schema.sql\n"))
    #expect(ReportFormat.html.render(record).contains("<pre tabindex=\"0\">$ psql -f schema.sql\n"))
    let script = try failure("sh -c 'cd db\nmake'", "\"sh\" exited with code 3")
    #expect(text(script).contains("  $ sh -c 'cd db …'\n"))
    #expect(ReportFormat.html.render(script).contains(#""sh -c 'cd db\nmake'""#))
    #expect(!text(try failure("false", "\"false\" exited with code 1")).contains("$ false"))
  }

  @Test("After a timeout of a process that printed something, the help names RunService")
  func serverHelp() {
    func text(_ command: String, _ state: StepState, _ outcome: LaunchOutcome, prints: Bool = true) -> String
    {
      let outline = LaunchOutline(
        name: "Notes", options: LaunchOptions(),
        steps: [StepOutline(id: "web", commandName: command, lane: .background)],
        graph: DependencyGraph(sequenceOf: 1))
      var record = LaunchRecord(outline: outline, startedAt: "", executions: [StepExecution()])
      record.apply(LaunchEvent(.started(step: 0, attempt: 1), at: 0))
      if prints {
        record.apply(
          LaunchEvent(.output(.init(step: 0, attempt: 1, stream: .stdout, line: "listening")), at: 1))
      }
      record.apply(LaunchEvent(.ended(step: 0, state: state), at: 2))
      record.apply(LaunchEvent(.launchEnded(outcome), at: 3))
      return self.text(record)
    }
    let timedOut = StepState.timedOut(Failure(message: "timed out after 1s", type: ""))
    let help = "\nhelp: if web is a server, start it with RunService: appboot help services\n"
    #expect(text("RunProcess", timedOut, .failed(step: 0)).hasSuffix("0 of 1 step\(help)"))
    #expect(text("RunProcess", .cancelled(.deadline), .timedOut).hasSuffix("0 of 1 step\(help)"))
    #expect(!text("RunProcess", timedOut, .failed(step: 0), prints: false).contains("help:"))
    #expect(!text("WaitFor", timedOut, .failed(step: 0)).contains("help:"))
    #expect(!text("RunProcess", .succeeded, .succeeded).contains("help:"))
    #expect(!text("RunProcess", .cancelled(.deadline), .cancelled("SIGINT")).contains("help:"))
  }

  @Test("The verdict wraps between words, and a unit stays with its number", arguments: [20, 40, 60, 80])
  func wrappedVerdict(width: Int) throws {
    let record = try record([
      step("first", .continue) { _ in throw Broken(description: "a") }, step("second"),
    ])
    let report = TextReport(style: TextStyle(width: width, usesColor: true))
    let lines = report.text(of: record).split(separator: "\n").map {
      VisibleText.withoutColors(String($0))
    }
    #expect(lines.allSatisfy { DisplayWidth.of($0) <= width }, "\(lines)")
    #expect(lines.allSatisfy { line in !["ns", "µs", "ms", "s"].contains { line.hasPrefix("\($0):") } })
  }

  @Test("A stop names the steps that it skipped in one line")
  func stopped() throws {
    let record = try record([
      step("first") { _ in throw Broken(description: "no") }, step("second"), step("third"),
    ])
    #expect(text(record).contains("\n  no\n  skipped: second, third\n"))
  }

  @Test("A launch with an allowed failure succeeds")
  func allowed() throws {
    let record = try record([
      step("first", .continue) { _ in throw Broken(description: "a\nb") }, step("second"),
    ])
    let text = text(record)
    #expect(text.hasPrefix("! first TIME allowed to fail; a\n"))
    #expect(text.contains("warning: first (Fake) failed (allowed)\n  a\n  b\n"))
    #expect(text.hasSuffix("Notes booted in TIME: 1 of 2 steps, 1 allowed failure\n"))
  }

  @Test("A rollback marks the steps that were undone")
  func rollback() throws {
    let record = try record([
      step("first"), step("second", .rollback) { _ in throw Broken(description: "no") },
    ])
    #expect(text(record).contains("↶ first TIME undone\n"))
    #expect(text(record).hasSuffix(": second failed at TIME; rolled back; 1 of 2 steps\n"))
    let failed = TextReport().text(of: try ReportSample.failed.record)
    #expect(failed.contains("✗ Keychain") && failed.contains("; undo failed: still in use"))
    #expect(failed.contains("; the undo of Keychain failed; 2 of 8 steps"))
  }

  @Test("A report of failures leaves out everything else")
  func failuresOnly() throws {
    let fine = try record([step("first")])
    #expect(text(fine, TextReport(detail: .failures)).isEmpty)
    let failed = try record([step("first") { _ in throw Broken(description: "no") }])
    #expect(text(failed, TextReport(detail: .failures)) == "error: first (Fake) failed\n  no\n")
  }

  @Test("A full report shows lanes, values and nested spans")
  func full() throws {
    let record = try record([
      step("first") { context in
        context.provide("a", for: ContextKey<String>("screen"))
        context.measure("outer") { context.measure("inner") {} }
      }
    ])
    let text = text(record, TextReport(detail: .full))
    #expect(text.contains("    Fake · main lane · started at TIME"))
    #expect(text.contains("provided screen"))
    #expect(text.contains("\n    outer TIME\n      inner TIME\n"))
  }

  @Test(
    "Rows stay within the width, and within ASCII if the style asks for it", arguments: [20, 40, 60, 100])
  func narrow(width: Int) throws {
    let record = try record([
      step(String(repeating: "長", count: 40)) { $0.note(String(repeating: "word ", count: 40)) },
      step("short") { $0.note("a\tb\u{1B}[31mc\u{202E}") },
    ])
    let report = TextReport(style: TextStyle(width: width))
    let rows = report.text(of: record).split(separator: "\n").dropLast()
    #expect(rows.allSatisfy { DisplayWidth.of(String($0)) <= width })
    let ascii = TextReport(style: TextStyle(width: width, usesASCII: true)).text(of: record)
    #expect(ascii.utf8.allSatisfy { $0 < 0x80 && $0 != 0x1B })
  }
}
