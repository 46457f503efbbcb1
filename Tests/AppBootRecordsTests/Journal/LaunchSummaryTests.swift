import AppBootTestKit
import Testing

@testable import AppBoot
@testable import AppBootRecords

@Suite("A launch summary")
struct LaunchSummaryTests {
  @Test("A summary has the start, the duration, the outcome, the labels and the digest of its record")
  func launch() {
    var record = RecordSample.record
    record.header.labels = [LaunchLabel("branch", "main"), LaunchLabel("commit", "1f2e")]
    let summary = LaunchSummary(record)
    #expect(summary.name == "Notes")
    #expect(summary.startedAt == RecordSample.startedAt)
    #expect(summary.duration == record.elapsedTime)
    #expect(summary.outcome == .failed && summary.failedStep == "Database")
    #expect(!summary.succeeded)
    #expect(summary.label("branch") == "main")
    #expect(summary.label("colour") == nil)
    #expect(summary.planDigest == record.outline.manifestDigest)
    #expect(summary.planDigest != nil)
  }

  @Test("A summary has the state, the duration and the attempts of each step in manifest order")
  func steps() {
    let steps = LaunchSummary(RecordSample.record).steps
    #expect(
      steps == [
        .init(id: "Keychain", state: .succeeded, duration: 5_998_000),
        .init(id: "Analytics", state: .timedOut, duration: 20_000_000),
        .init(id: "Fonts", state: .succeeded, duration: 8_980_000, attempts: 2),
        .init(id: "Database", state: .failed, duration: 33_970_000),
        .init(id: "Banner", state: .skipped, duration: 0, attempts: 0),
        .init(id: "Debug", state: .skipped, duration: 0, attempts: 0),
        .init(id: "Screen", state: .skipped, duration: 0, attempts: 0),
        .init(id: "Push", state: .cancelled, duration: 0, attempts: 0),
      ])
  }

  @Test("The summary of a record without an end has the estimated duration")
  func unfinished() {
    var record = LaunchRecord(outline: RecordSample.plan.outline, startedAt: RecordSample.startedAt)
    for event in RecordSample.events.dropLast(3) { record.apply(event) }
    let summary = LaunchSummary(record)
    #expect(summary.outcome == .running)
    #expect(summary.duration == record.withEstimatedEnd.elapsedTime)
    #expect(summary.duration > 0)
  }
}
