@testable import AppBoot
@testable import AppBootRecords
import AppBootLifecycle
import AppBootTestKit
import AppBootTestSupport

/// A launch with hand-written events of nearly every kind.
enum RecordSample {
  static let manifest = """
    {
      "name": "Notes",
      "commands": [
        "Keychain",
        "Analytics",
        "Fonts",
        "Database",
        "Banner",
        "Debug",
        "Screen",
        "Push"
      ]
    }
    """

  static var plan: LaunchPlan {
    let names = ["Keychain", "Analytics", "Fonts", "Database", "Banner", "Debug", "Screen", "Push"]
    var steps = names.map { LaunchStep(FakeCommand(), id: $0) }
    steps[1] = LaunchStep(FakeBackgroundCommand(), id: "Analytics")
    steps[2] = LaunchStep(FakeBackgroundCommand(), id: "Fonts")
    for (index, name) in names.enumerated() { steps[index].range = place(of: name) }
    steps[0].budget = .milliseconds(5)
    steps[1].timeout = .milliseconds(20)
    steps[1].onFailure = .continue
    steps[2].retry = RetryPolicy(attempts: 3, backoff: .milliseconds(1))
    steps[2].comment = "from the network, where they are new"
    steps[3].onFailure = .rollback
    let predecessors = [[], [0], [0], [0], [3], [0], [3], [1, 2]]
    var plan = LaunchPlan(
      name: "Notes", options: LaunchOptions(url: "notes://today?q=\"1\""),
      source: SourceText(name: "commands.json", text: manifest), steps: steps,
      graph: DependencyGraph(predecessors: predecessors), environment: LaunchEnvironment()
    )
    plan.outline.budgetTime = 250_000_000
    plan.outline.timeoutTime = 30_000_000_000
    return plan
  }

  private static func place(of name: String) -> SourceRange? {
    guard let range = manifest.range(of: "\"\(name)\"") else { return nil }
    let start = manifest.utf8.distance(from: manifest.startIndex, to: range.lowerBound)
    let length = manifest.utf8.distance(from: range.lowerBound, to: range.upperBound)
    return SourceRange(start: UInt32(start), end: UInt32(start + length))
  }

  static let startedAt = "2026-07-28T09:05:03.250Z"

  static var events: [LaunchEvent] {
    (beginning + middle + end).map { LaunchEvent($1, at: $0 * 1000) }
  }

  static var header: RecordHeader {
    var header = RecordHeader()
    header.tool = .init(name: "appboot", version: "1.0.0")
    header.host = .init(
      system: "Linux", release: "6.18.44", architecture: "x86_64", processor: "A \"fast\" one", cores: 8)
    return header
  }

  static var record: LaunchRecord {
    var record = LaunchRecord(outline: plan.outline, startedAt: startedAt)
    for event in events { record.apply(event) }
    record.header = header
    return record
  }

  /// Returns the journal of the same launch.
  static func journal(process: Int32 = 4711, wasDebugged: Bool = false) -> String {
    var record = LaunchRecord(outline: plan.outline, startedAt: startedAt)
    record.header = header
    var writer = record.beginningOfJournalHeader(process: process, in: nil, wasDebugged: wasDebugged)
    writer.endOfJournalHeader(startedAt: startedAt)
    return writer.text + events.map { $0.json(in: plan.outline) + "\n" }.joined()
  }

  /// The first events, with their times in microseconds.
  private static let beginning: [(Int64, LaunchEvent.Kind)] = [
    (0, .launchStarted), (0, .ready(step: 0)), (2, .started(step: 0, attempt: 1)),
    (100, .spanStarted(.init(step: 0, span: 0, parent: nil, name: "unlock"))),
    (150, .spanStarted(.init(step: 0, span: 1, parent: 0, name: "wait for the daemon"))),
    (900, .spanEnded(.init(step: 0, span: 1, error: nil))),
    (950, .spanEnded(.init(step: 0, span: 0, error: "locked"))),
    (1000, .valueProvided(step: 0, name: "credentials")), (1001, .noted(step: 0, text: "2 items")),
    (5500, .markedHealthy), (6000, .usedCPU(step: 0, time: .microseconds(1200))),
    (6000, .ended(step: 0, state: .succeeded)),
    (6000, .ended(step: 5, state: .skipped(.condition("DEBUG is not set")))),
    (6000, .ready(step: 1)), (6000, .ready(step: 2)), (6000, .ready(step: 3)),
  ]

  private static let middle: [(Int64, LaunchEvent.Kind)] = [
    (6010, .started(step: 1, attempt: 1)), (6020, .started(step: 2, attempt: 1)),
    (6030, .started(step: 3, attempt: 1)),
    (6100, .valueRead(.init(step: 3, name: "credentials", found: true))),
    (
      8000,
      .retrying(
        .init(
          step: 2, attempt: 1, failure: Failure(message: "no route", type: "Net.Err"), delay: .milliseconds(1)
        ))
    ),
    (9010, .started(step: 2, attempt: 2)),
    (9500, .output(.init(step: 2, attempt: 1, stream: .stdout, line: "GET /fonts 200 ✓"))),
    (15_000, .ended(step: 2, state: .succeeded)),
    (15_500, .emitted(.init(step: 1, event: "didTrack", payload: "{\"n\":1}"))),
    (26_010, .ended(step: 1, state: .timedOut(Failure(message: "took longer than 20ms", type: "Timeout")))),
    (26_011, .ready(step: 7)), (26_020, .overran(step: 3)),
  ]

  private static let end: [(Int64, LaunchEvent.Kind)] = [
    (
      40_000,
      .ended(
        step: 3,
        state: .failed(
          Failure(
            message: "cannot open notes.db", type: "Store.Error", causes: ["disk I/O error", "errno 5"])))
    ),
    (40_000, .ended(step: 4, state: .skipped(.stopped(by: 3)))),
    (40_000, .ended(step: 6, state: .skipped(.dependency(3)))),
    (40_000, .ended(step: 7, state: .cancelled(.requested("the launch rolled back")))),
    (40_001, .undoStarted(step: 2)), (40_500, .undoEnded(step: 2, failure: nil)),
    (40_500, .undoStarted(step: 0)),
    (41_000, .undoEnded(step: 0, failure: Failure(message: "still in use", type: "Busy"))),
    (41_000, .launchEnded(.failed(step: 3))),
  ]
}

extension String {
  fileprivate func range(of text: String) -> Range<String.Index>? {
    var start = startIndex
    while start < endIndex {
      if self[start...].hasPrefix(text) { return start..<index(start, offsetBy: text.count) }
      start = index(after: start)
    }
    return nil
  }
}
