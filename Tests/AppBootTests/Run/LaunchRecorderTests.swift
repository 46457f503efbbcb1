import AppBootTestKit
import Testing

@testable import AppBoot

@Suite("The recorder")
struct LaunchRecorderTests {
  private let recorder: LaunchRecorder

  init() {
    recorder = LaunchRecorder(outline: StartupPlan(sequence: [FakeCommand()]).outline, observers: [])
  }

  private func record(_ kinds: StartupEvent.Kind...) {
    recorder.record(kinds.map { StartupEvent($0, at: recorder.now()) })
  }

  private var cpuTime: Int64? { recorder.snapshot()[0].details.processorTime }

  @Test("The recorder keeps at most 1,000 characters of the last line of output, and observers get all of it")
  func longOutput() {
    let observer = RecordingObserver()
    let recorder = LaunchRecorder(
      outline: StartupPlan(sequence: [FakeCommand()]).outline, observers: [observer])
    let long = String(repeating: "é", count: 20_000)
    recorder.record([
      StartupEvent(.ready(step: 0), at: 0), StartupEvent(.started(step: 0, attempt: 1), at: 0),
    ])
    recorder.record([OutputLine(long, on: .stdout)], from: 0, attempt: 1)
    let kept = recorder.snapshot()[0].details.lastOutput
    #expect(kept == String(repeating: "é", count: 999) + "…")
    let output = StartupEvent.Kind.output(step: 0, attempt: 1, stream: .stdout, line: long)
    #expect(observer.events.contains { $0.kind == output })
    let journaled = StartupEvent(output, at: 0).withShortOutput
    #expect(journaled.kind == .output(step: 0, attempt: 1, stream: .stdout, line: kept ?? ""))
    let whole = String(repeating: "é", count: 1000)
    let short = StartupEvent(.output(step: 0, attempt: 1, stream: .stdout, line: whole), at: 0)
    #expect(short.withShortOutput == short)
  }

  @Test("The recorder reports the CPU time of an attempt as it ends, and that of its undo")
  func cpuTimeOfAttempts() {
    record(.ready(step: 0), .started(step: 0, attempt: 1))
    recorder.addCPUTime(5, of: 0)
    #expect(cpuTime == nil)
    record(.ended(step: 0, state: .succeeded))
    #expect(cpuTime == 5)
    record(.undoStarted(step: 0))
    recorder.addCPUTime(7, of: 0)
    record(.undoEnded(step: 0, failure: nil))
    #expect(cpuTime == 12)
  }

  @Test("The recorder reports the CPU time of an attempt that returns after its end at once")
  func lateCPUTime() {
    record(.ready(step: 0), .started(step: 0, attempt: 1), .ended(step: 0, state: .cancelled(.deadline)))
    recorder.addCPUTime(5, of: 0)
    #expect(cpuTime == 5)
    record(.undoStarted(step: 0), .undoEnded(step: 0, failure: nil))
    #expect(cpuTime == 5)
    record(.launchEnded(.timedOut))
    recorder.addCPUTime(5, of: 0)
    #expect(cpuTime == 5)
    _ = recorder.close()
    recorder.addCPUTime(5, of: 0)
    #expect(cpuTime == 5)
  }
}
