@testable import AppBoot
import AppBootTestKit
import AppBootTestSupport
import Testing

@Suite("A record in code")
struct LaunchRecordTests {
  @Test("The times of a record are durations since the launch began")
  func times() throws {
    let events: [(LaunchEvent.Kind, Duration)] = [
      (.launchStarted, .zero), (.ready(step: 0), .milliseconds(1)),
      (.started(step: 0, attempt: 1), .milliseconds(3)),
      (.spanStarted(.init(step: 0, span: 0, parent: nil, name: "open")), .milliseconds(4)),
      (.spanEnded(.init(step: 0, span: 0, error: nil)), .milliseconds(7)),
      (.usedCPU(step: 0, time: .microseconds(1500)), .milliseconds(9)),
      (.ended(step: 0, state: .succeeded), .milliseconds(9)), (.markedHealthy, .milliseconds(10)),
      (.launchEnded(.succeeded), .milliseconds(12)),
    ]
    let plan = try LaunchPlan(steps: [(LaunchStep(FakeCommand(), id: "a"), nil)])
    var record = LaunchRecord(outline: plan.outline, startedAt: "")
    for (kind, time) in events { record.apply(LaunchEvent(kind, at: time)) }
    #expect(record.duration == .milliseconds(12))
    #expect(record.healthyAt == .milliseconds(10))
    let step = record[0]
    #expect(step.execution.ready == .milliseconds(1))
    #expect(step.execution.start == .milliseconds(3))
    #expect(step.execution.end == .milliseconds(9))
    #expect(step.execution.waiting == .milliseconds(2))
    #expect(step.execution.running == .milliseconds(6))
    #expect(step.details.cpuTime == .microseconds(1500))
    #expect(step.details.spans.map(\.start) == [.milliseconds(4)])
    #expect(step.details.spans.map(\.end) == [.milliseconds(7)])
    #expect(LaunchEvent(.launchStarted, at: .seconds(1)).time == .seconds(1))
  }

  @Test("The output of an undo is not the last output of its step")
  func undoOutput() throws {
    let plan = try LaunchPlan(steps: [(LaunchStep(FakeCommand(), id: "a"), nil)])
    var record = LaunchRecord(outline: plan.outline, startedAt: "")
    let output = { (line: String) in
      LaunchEvent.Kind.output(.init(step: 0, attempt: 1, stream: .stdout, line: line))
    }
    for kind in [output("copied"), .undoStarted(step: 0), output("removed")] {
      record.apply(LaunchEvent(kind, at: .seconds(1)))
    }
    #expect(record[0].details.lastOutput == "copied")
  }
}
