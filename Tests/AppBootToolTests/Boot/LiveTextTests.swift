@testable import AppBoot
import AppBootReports
import AppBootSystem
import AppBootTestKit
import Testing

@testable import AppBootTool

@Suite("While a launch runs")
struct LiveTextTests {
  @Test("the live line says how many of how many have ended, and what runs")
  func liveLine() throws {
    let texts = try whileRunning { LiveLine.text(of: $0, at: $1, TextStyle()) }
    #expect(texts.wholeMatch(of: /1\/3  second [\d.]+ (ns|µs|ms)/) != nil)
  }

  @Test("the live line reads earlier launches while others may write to the terminal")
  func readsUnlocked() throws {
    let plan = StartupPlan(sequence: [FakeCommand()])
    let pipe = RunnerBox()
    let place = Lock<LiveLine?>(nil)
    let line = LiveLine(output: StandardOutput(descriptor: -1), style: TextStyle()) {
      place.withLock { $0 }?.interrupting { pipe.text = "written" }
      return RemainingTime(medians: [:])
    }
    place.withLock { $0 = line }
    line.draw(StartupRecord(outline: plan.outline, startedAt: ""), at: 0)
    place.withLock { $0 = nil }
    #expect(pipe.text == "written")
  }

  @Test("an explanation says what waits for what")
  func explanation() throws {
    let text = try whileRunning { LiveExplanation(style: TextStyle()).text(of: $0, at: $1) }
    #expect(text.hasPrefix("launch: "))
    #expect(text.contains(" since the launch began, 1 of 3 steps have ended\n"))
    #expect(text.contains("  running  second  for "))
    #expect(text.hasSuffix("  waiting  third  for second\n"))
  }

  @Test("an explanation says of a step between two attempts that it waits, and for how long")
  func retrying() throws {
    var step = StartupStep(FakeCommand(), id: "flaky")
    step.retry = RetryPolicy(attempts: 3, backoff: 1_000_000_000)
    var record = StartupRecord(outline: try StartupPlan(steps: [(step, nil)]).outline, startedAt: "")
    let events: [StartupEvent.Kind] = [
      .started(step: 0, attempt: 1),
      .retrying(step: 0, attempt: 1, failure: Failure(message: "no answer", type: ""), delay: 1_000_000_000),
    ]
    for kind in events { record.apply(StartupEvent(kind, at: 100_000_000)) }
    let explanation = LiveExplanation(style: TextStyle())
    #expect(
      explanation.text(of: record, at: 600_000_000).hasSuffix(
        "\n  waiting  flaky  to try again (2 of 3) in 500 ms, failed: no answer\n"))
    #expect(
      explanation.text(of: record, at: 600_000_000, RunningProcesses(stopping: [0])).hasSuffix(
        "\n  ending   flaky  for 500 ms, it was told to stop and keeps its place until it is gone\n"))
    record.apply(StartupEvent(.started(step: 0, attempt: 2), at: 1_100_000_000))
    #expect(
      explanation.text(of: record, at: 1_200_000_000).contains("  running  flaky  for 1.10 s, attempt 2\n"))
    let asks = RunningProcesses(unfinishedLines: [0: "Password: "])
    #expect(explanation.text(of: record, at: 1_200_000_000, asks).contains("attempt 2, said: Password: \n"))
  }

  /// What is said of a launch from inside its second step of three.
  private func whileRunning(_ body: @escaping @Sendable (StartupRecord, Int64) -> String) throws -> String {
    let runner = RunnerBox()
    let text = Gate()
    let said = RunnerBox()
    let look = FakeCommand { _ in
      guard let runner = runner.runner else { return }
      let (record, time) = runner.snapshot()
      said.text = body(record, time)
      text.open()
    }
    let steps = [("first", FakeCommand()), ("second", look), ("third", FakeCommand())]
    let plan = try StartupPlan(steps: steps.map { (StartupStep($0.1, id: $0.0), nil) })
    var configuration = StartupRunner.Configuration()
    configuration.onHang = { _ in }
    let started = StartupRunner(plan, configuration: configuration)
    runner.runner = started
    _ = started.run()
    text.wait()
    return said.text
  }
}
