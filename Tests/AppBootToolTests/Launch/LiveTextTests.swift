@testable import AppBoot
@testable import AppBootRecords
import AppBootLibC
import AppBootReports
import AppBootSystem
import AppBootTestKit
import AppBootTestSupport
import Testing

@testable import AppBootTool

@Suite("The live texts of a launch", .ownThread)
struct LiveTextTests {
  @Test("The live line shows the number of ended steps, and the running ones")
  func liveLine() throws {
    let texts = try whileRunning { LiveExplanation(style: TextStyle()).line(of: $0, at: $1) }
    #expect(texts.wholeMatch(of: /1\/3  second [\d.]+ (ns|µs|ms)/) != nil)
  }

  @Test("An explanation shows the steps that others wait for")
  func explanation() throws {
    let text = try whileRunning { LiveExplanation(style: TextStyle()).text(of: $0, at: $1) }
    #expect(text.hasPrefix("launch: "))
    #expect(text.contains(" since the start, 1 of 3 steps ended\n"))
    #expect(text.contains("  running  second  for "))
    #expect(text.hasSuffix("  waiting  third  for second\n"))
  }

  @Test("An explanation shows a step that the plan excludes as skipped")
  func excluded() throws {
    var outline = try LaunchPlan(steps: [(LaunchStep(FakeCommand(), id: "first"), nil)]).outline
    outline.steps[0].skip = .condition("os is linux, not macos")
    let record = LaunchRecord(outline: outline, startedAt: "")
    let text = LiveExplanation(style: TextStyle()).text(of: record, at: 0)
    #expect(text.hasSuffix("  skipped  first  os is linux, not macos\n"))
  }

  @Test("An explanation shows the delay before the next attempt")
  func retrying() throws {
    var step = LaunchStep(FakeCommand(), id: "flaky")
    step.retry = RetryPolicy(attempts: 3, backoff: .seconds(1))
    var record = LaunchRecord(outline: try LaunchPlan(steps: [(step, nil)]).outline, startedAt: "")
    let events: [LaunchEvent.Kind] = [
      .started(step: 0, attempt: 1),
      .retrying(
        .init(step: 0, attempt: 1, failure: Failure(message: "no answer", type: ""), delay: .seconds(1))),
    ]
    for kind in events { record.apply(LaunchEvent(kind, at: 100_000_000)) }
    let explanation = LiveExplanation(style: TextStyle())
    #expect(
      explanation.text(of: record, at: 600_000_000).hasSuffix(
        "\n  waiting  flaky  retry (2 of 3) in 500 ms, failed: no answer\n"))
    #expect(
      explanation.text(of: record, at: 600_000_000, RunningProcesses(stopping: [0])).hasSuffix(
        "\n  ending   flaky  for 500 ms, its worker waits for the process to end\n"))
    record.apply(LaunchEvent(.started(step: 0, attempt: 2), at: 1_100_000_000))
    #expect(
      explanation.text(of: record, at: 1_200_000_000).contains("  running  flaky  for 1.10 s, attempt 2\n"))
    let waits = RunningProcesses(delays: [0: "its process cannot start yet: too many open files"])
    #expect(
      explanation.text(of: record, at: 1_200_000_000, waits).hasSuffix(
        "\n  waiting  flaky  for 1.10 s, its process cannot start yet: too many open files\n"))
    #expect(
      explanation.line(of: record, at: 1_200_000_000, waits)
        == "0/1  flaky 1.10 s (attempt 2 of 3, cannot start yet)")
    let asks = RunningProcesses(unfinishedLines: [0: "Password: "])
    #expect(explanation.text(of: record, at: 1_200_000_000, asks).contains("attempt 2, output: Password: \n"))
  }

  @Test("A launch that is being cancelled has no estimated remaining time")
  func cancelledEstimate() throws {
    let plan = LaunchPlan(sequence: [FakeCommand()])
    var record = LaunchRecord(outline: plan.outline, startedAt: "")
    let remaining = RemainingTime(medians: [plan.outline[0].id: 5])
    #expect(remaining.estimate(record, at: 0) == 5)
    record.apply(LaunchEvent(.cancelled(reason: .requested("SIGINT")), at: 1))
    #expect(remaining.estimate(record, at: 1) == nil)
  }

  @Test("The live line shows backoff, the number of the attempt, and the last output of a running step")
  func attempts() throws {
    var flaky = LaunchStep(FakeCommand(), id: "flaky")
    flaky.retry = RetryPolicy(attempts: 3, backoff: .seconds(1))
    let other = LaunchStep(FakeCommand(), id: "other")
    let plan = try LaunchPlan(steps: [(flaky, nil), (other, nil)])
    var record = LaunchRecord(outline: plan.outline, startedAt: "")
    func text(at time: Int64) -> String { LiveExplanation(style: TextStyle()).line(of: record, at: time) }
    record.apply(LaunchEvent(.started(step: 0, attempt: 1), at: 0))
    #expect(text(at: 50_000_000) == "0/2  flaky 50.0 ms")
    let failure = Failure(message: "no answer", type: "")
    record.apply(
      LaunchEvent(
        .retrying(.init(step: 0, attempt: 1, failure: failure, delay: .seconds(1))), at: 100_000_000))
    #expect(text(at: 600_000_000) == "0/2  flaky backs off 500 ms, then attempt 2 of 3")
    #expect(text(at: 1_200_000_000) == "0/2  flaky waits for attempt 2 of 3")
    record.apply(LaunchEvent(.started(step: 0, attempt: 2), at: 1_200_000_000))
    record.apply(LaunchEvent(.started(step: 1, attempt: 1), at: 1_200_000_000))
    for (step, line, time) in [(1, "ready", Int64(1_300_000_000)), (0, "45 %", 1_400_000_000)] {
      record.apply(LaunchEvent(.output(.init(step: step, attempt: 1, stream: .stdout, line: line)), at: time))
    }
    #expect(text(at: 1_500_000_000) == "0/2  flaky 1.50 s (attempt 2 of 3), other 300 ms  flaky: 45 %")
  }

  @Test("The live line and the explanation name the step that a rollback is undoing")
  func undoing() throws {
    let steps = ["a", "b"].map { LaunchStep(FakeCommand(), id: $0) }
    let plan = try LaunchPlan(steps: steps.map { ($0, nil) })
    var record = LaunchRecord(outline: plan.outline, startedAt: "")
    let events: [(LaunchEvent.Kind, Int64)] = [
      (.started(step: 0, attempt: 1), 0), (.ended(step: 0, state: .succeeded), 100_000_000),
      (.started(step: 1, attempt: 1), 100_000_000),
      (.ended(step: 1, state: .failed(Failure(message: "no space", type: ""))), 200_000_000),
      (.undoStarted(step: 0), 200_000_000),
    ]
    for (kind, time) in events { record.apply(LaunchEvent(kind, at: time)) }
    let explanation = LiveExplanation(style: TextStyle())
    #expect(explanation.line(of: record, at: 500_000_000) == "2/2  undoing a 300 ms")
    #expect(explanation.text(of: record, at: 500_000_000).hasSuffix("\n  undoing  a  for 300 ms\n"))
  }

  #if os(Linux)
  @Test(
    "A text is redrawn from its first row and below other output, and not drawn after its end",
    .enabled(if: Terminal.type != "dumb"))
  func redraws() throws {
    let terminal = try PseudoTerminal()
    let descriptor = open(terminal.path, O_RDWR | O_NOCTTY)
    let output = StandardOutput(descriptor: descriptor, limit: 0)
    let text = try #require(LiveText(output, TextStyle()))
    text.interrupting { output.write("before\n") }
    text.draw("one\ntwo\n")
    text.draw("three\n")
    text.interrupting { output.write("other\n") }
    text.draw(line: "four")
    text.finish()
    text.draw(line: "five")
    text.interrupting { output.write("after\n") }
    close(descriptor)
    let three = "\u{1B}[?7lthree\u{1B}[K\r\n\u{1B}[?7h\u{1B}[J"
    let expected = [
      "before\r\n", "\r\u{1B}[?7lone\u{1B}[K\r\ntwo\u{1B}[K\r\n\u{1B}[?7h\u{1B}[J",
      "\r\u{1B}[2A\(three)", "\r\u{1B}[1A\u{1B}[Jother\r\n", "\r\(three)",
      "\r\u{1B}[1A\u{1B}[?7lfour\u{1B}[?7h\u{1B}[J", "\r\u{1B}[J", "after\r\n",
    ]
    #expect(terminal.readAll() == expected.joined())
  }

  @Test(
    "A text is redrawn and erased completely after the terminal became narrower and wrapped it",
    .enabled(if: Terminal.type != "dumb" && ProcessEnvironment.value(of: "XTERM_VERSION") == nil))
  func narrower() throws {
    let terminal = try PseudoTerminal()
    terminal.resize(columns: 20)
    let descriptor = open(terminal.path, O_RDWR | O_NOCTTY)
    let text = try #require(LiveText(StandardOutput(descriptor: descriptor, limit: 0), TextStyle()))
    text.draw("\u{1B}[2m123456789\u{1B}[m\n" + String(repeating: "x", count: 30) + "\n")
    terminal.resize(columns: 8)
    text.draw("12345678")
    terminal.resize(columns: 4)
    text.finish()
    close(descriptor)
    #expect(
      terminal.readAll().hasSuffix("\r\u{1B}[5A\u{1B}[?7l12345678\u{1B}[?7h\u{1B}[J\r\u{1B}[1A\u{1B}[J"))
  }
  #endif

  /// Returns the text of a launch whose second step of three is running.
  private func whileRunning(_ body: @escaping @Sendable (LaunchRecord, Int64) -> String) throws -> String {
    let runner = RunnerBox()
    let text = Gate()
    let result = RunnerBox()
    let look = FakeCommand { _ in
      guard let runner = runner.runner else { return }
      let (record, time) = runner.snapshot()
      result.text = body(record, time.nanoseconds)
      text.open()
    }
    let steps = [("first", FakeCommand()), ("second", look), ("third", FakeCommand())]
    let plan = try LaunchPlan(steps: steps.map { (LaunchStep($0.1, id: $0.0), nil) })
    var configuration = LaunchRunner.Configuration()
    configuration.onHang = { _ in }
    let started = LaunchRunner(plan, configuration: configuration)
    runner.runner = started
    _ = started.runBlocking()
    text.wait()
    return result.text
  }
}
