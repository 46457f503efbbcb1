import AppBootTestKit
import Testing

@testable import AppBoot

@Suite("The recorder")
struct LaunchRecorderTests {
  @Test("The recorder keeps at most 1,000 characters of the last line of output, and observers get all of it")
  func longOutput() {
    let observer = RecordingObserver()
    let plan = LaunchPlan(sequence: [FakeCommand()])
    let recorder = LaunchRecorder(plan.outline, in: plan.environment, observers: [observer])
    let long = String(repeating: "é", count: 20_000)
    recorder.record([
      LaunchEvent(.ready(step: 0), at: 0), LaunchEvent(.started(step: 0, attempt: 1), at: 0),
    ])
    recorder.record([OutputLine(long, on: .stdout)], from: 0, attempt: 1)
    let kept = recorder.snapshot()[0].details.lastOutput
    #expect(kept == String(repeating: "é", count: 999) + "…")
    let output = LaunchEvent.Kind.output(.init(step: 0, attempt: 1, stream: .stdout, line: long))
    #expect(observer.events.contains { $0.kind == output })
    let journaled = LaunchEvent(output, at: 0).withShortOutput
    #expect(journaled.kind == .output(.init(step: 0, attempt: 1, stream: .stdout, line: kept ?? "")))
    let whole = String(repeating: "é", count: 1000)
    let short = LaunchEvent(.output(.init(step: 0, attempt: 1, stream: .stdout, line: whole)), at: 0)
    #expect(short.withShortOutput == short)
  }
}
