import AppBootSystem
import AppBootTestKit
import AppBootTestSupport

@testable import AppBoot
import AppBootRecords

/// Records to make reports of.
enum ReportSample: String, CaseIterable {
  /// Ten steps that boot, some side by side.
  case ten
  /// A launch with every fact of a record: failures, skips, undo, attempts, spans.
  case failed
  /// A thousand steps on one lane and four rows in the background.
  case thousand
  /// Names, notes and messages that try to be something else than text.
  case hostile
  /// No steps.
  case empty
  /// A launch that has not ended.
  case running
  /// A launch that timed out.
  case timedOut
  /// A launch that was cancelled while a step ran.
  case cancelled
  /// A launch that booted; then a service failed.
  case late

  /// All samples except `thousand`, which is slow to render.
  static let small = allCases.filter { $0 != .thousand }

  var record: LaunchRecord {
    get throws {
      switch self {
      case .ten: Self.tenRecord
      case .failed: try Self.fixture
      case .thousand: Self.many(1000, "A thousand steps")
      case .hostile: Self.hostileRecord
      case .empty: Self.plan("Nothing", []).finished(.succeeded, at: 1000)
      case .running: Self.runningRecord
      case .timedOut: Self.interrupted(by: .deadline, .timedOut)
      case .cancelled: Self.interrupted(by: .requested("SIGINT"), .cancelled("SIGINT"))
      case .late: Self.lateRecord
      }
    }
  }

  /// The committed record of version 1.
  private static var fixture: LaunchRecord {
    get throws {
      let path = FileSystem.directory(of: #filePath) + "/../AppBootRecordsTests/Fixtures/record-1.json"
      return try LaunchRecord(json: SourceText(name: path, bytes: FileSystem.readFile(path)))
    }
  }

  // MARK: - Plans and their records

  /// A step of a sample: id, lane, predecessors by index, and running time in µs.
  struct Planned {
    let id: String
    var lane = Lane.main
    var after: [Int] = []
    var duration: Int64 = 1000
    var onFailure = FailurePolicy.stop
  }

  private static func plan(_ name: String, _ steps: [Planned]) -> LaunchRecord {
    var planned = steps.map {
      StepOutline(
        id: $0.id, commandName: $0.lane == .main ? FakeCommand.name : FakeBackgroundCommand.name,
        lane: $0.lane)
    }
    for index in planned.indices { planned[index].onFailure = steps[index].onFailure }
    let outline = LaunchOutline(
      name: name, options: LaunchOptions(), steps: planned,
      graph: DependencyGraph(predecessors: steps.map(\.after)))
    var record = LaunchRecord(outline: outline, startedAt: "2026-07-28T09:05:03.250Z")
    record.header.tool = .init(name: "appboot", version: "1.0.0")
    record.header.host = .init(
      system: "Linux", release: "6.18.44", architecture: "x86_64", processor: "A fast one", cores: 4)
    return record
  }

  /// Runs the steps on one main lane and so many rows in the background, in manifest order.
  static func run(_ name: String, _ steps: [Planned], jobs: Int = 4) -> LaunchRecord {
    var record = plan(name, steps)
    var main: Int64 = 0
    var rows = [Int64](repeating: 0, count: jobs)
    var end: Int64 = 0
    for (index, step) in steps.enumerated() {
      let ready = step.after.compactMap { record.executions[$0].endTime }.max() ?? 0
      let row = rows.indices.min { rows[$0] < rows[$1] } ?? 0
      let start = max(ready, step.lane == .main ? main : rows[row]) + 2000
      let stop = start + step.duration * 1000
      var execution = StepExecution(succeededFrom: start, to: stop)
      execution.readyTime = ready
      record.executions[index] = execution
      if step.lane == .main { main = stop } else { rows[row] = stop }
      end = max(end, stop)
    }
    return record.finished(.succeeded, at: end)
  }

  // MARK: - The samples

  /// A launch of three steps in sequence. The second one needed three attempts.
  static var retried: LaunchRecord {
    var record = run(
      "Shop",
      [
        .init(id: "config", duration: 20_000), .init(id: "fetch", after: [0], duration: 360_000),
        .init(id: "window", after: [1], duration: 70_000),
      ]
    ).with { $0.steps[1].retry = RetryPolicy(attempts: 3, backoff: .milliseconds(110)) }
    let start = record.executions[1].startTime ?? 0
    let failure = Failure(message: "exit 56:\n  curl: (56) reset", type: "")
    record.details[1, default: StepDetails()].attempts = [0, 120, 350].map { (offset: Int64) in
      StepAttempt(
        startTime: start + offset * 1_000_000, endTime: start + (offset + 10) * 1_000_000,
        failure: offset < 350 ? failure : nil)
    }
    return record
  }

  private static var tenRecord: LaunchRecord {
    var record = run(
      "Notes",
      [
        Planned(id: "CheckEnvironment", duration: 1200),
        Planned(id: "Keychain", after: [0], duration: 14_300),
        Planned(id: "Crashes", lane: .background, after: [0], duration: 38_000),
        Planned(id: "Analytics", lane: .background, after: [0], duration: 61_250),
        Planned(id: "MigrateStore", lane: .background, after: [0], duration: 84_900),
        Planned(id: "Appearance", after: [1], duration: 3100),
        Planned(id: "Fonts", lane: .background, after: [1], duration: 22_000),
        Planned(id: "RemoteConfiguration", lane: .background, after: [1], duration: 47_700),
        Planned(id: "InitialScreen", after: [4, 5], duration: 31_600),
        Planned(id: "RegisterRemoteNotifications", after: [3, 8], duration: 8400),
      ], jobs: 3)
    record.details[1] = StepDetails(note: "2 items")
    record.details[4] = StepDetails(note: "12 migrations, 1.4 MB")
    let start = record.executions[4].startTime ?? 0
    for (index, name) in ["open", "migrate", "vacuum"].enumerated() {
      record.details[4]?.spans.append(
        StepSpan(
          name: name, id: index, parent: nil, startTime: start + Int64(index) * 25_000_000,
          endTime: start + Int64(index) * 25_000_000 + 24_000_000))
    }
    return record
  }

  /// A launch of so many steps, of which two fail and are allowed to.
  static func many(_ count: Int, _ name: String) -> LaunchRecord {
    var random: UInt64 = 42
    func next(_ limit: Int) -> Int {
      random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(random >> 33) % max(1, limit)
    }
    var steps = (0..<count).map { index in
      Planned(
        id: "Step\(index)", lane: next(4) == 0 ? .main : .background,
        after: index == 0 ? [] : Array(Set((0...next(2)).map { _ in max(0, index - 1 - next(12)) })).sorted(),
        duration: Int64(next(20) == 0 ? 2000 + next(9000) : 50 + next(900)))
    }
    let failing = [200, 640]
    for index in failing { steps[index].onFailure = .continue }
    var record = run(name, steps)
    for index in steps.indices {
      record.details[index, default: StepDetails()].commandLine =
        "./work --database notes.db --step Step\(index)"
    }
    for index in failing {
      record.executions[index].state = .failed(Failure(message: "no such table: notes", type: "SQLite.Error"))
    }
    return record
  }

  /// The texts of the hostile sample.
  static let attacks = [
    "<script>alert(1)</script>", "</script><img src=x onerror=alert(1)>", "]]><x/>", "a\n::error::injected",
    "%0A::error::x", "\u{1B}[31mred\u{7}\u{0}", "\"quoted\" 'single' & amp", "👩‍👩‍👧‍👦 family 🇩🇪", "\u{202E}txt.exe",
    "| pipe | `tick` **bold** [link](https://x.example) @user #1", "<!--", "{{x}} ${y} \\u003c",
    "tab\there\r\nand there",
    "www.example.com", "*/ } body { display: none", "\u{FFFE}\u{FFFF}",
  ]

  private static var hostileRecord: LaunchRecord {
    let base = run(attacks[0], attacks.enumerated().map { Planned(id: "\($0.offset) \($0.element)") })
    let source = SourceText(name: "a,b:c\n::error::.json", text: "{}")
    var outline = LaunchOutline(
      name: attacks[1], options: LaunchOptions(url: attacks[0], payload: attacks[1]),
      steps: base.outline.steps, graph: base.outline.graph, manifest: ManifestReference(source))
    outline.budgetTime = 1
    var record = LaunchRecord(outline: outline, startedAt: attacks[0], executions: base.executions)
    record.header.tool = .init(name: attacks[1], version: attacks[3])
    record.header.host = .init(
      system: attacks[0], release: "<", architecture: "&", processor: attacks[1], cores: 2)
    for (index, attack) in attacks.enumerated() {
      var details = StepDetails(note: attack)
      details.lastOutput = attack
      details.commandLine = attack
      details.provides = [attack]
      details.spans = [
        StepSpan(name: attack, id: 0, parent: nil, startTime: 2000, endTime: 3000, error: attack)
      ]
      details.undo = StepAttempt(
        startTime: 20_000_000, endTime: 20_000_500, failure: Failure(message: attack, type: attack))
      record.details[index] = details
      if index % 2 == 0 {
        record.executions[index].state = .failed(Failure(message: attack, type: attack, causes: [attack]))
      }
    }
    record.executions[3].state = .skipped(.condition(attacks[0]))
    return record.finished(.cancelled(attacks[1]), at: base.elapsedTime)
  }

  private static var runningRecord: LaunchRecord {
    var record = plan(
      "Halfway", [Planned(id: "a"), Planned(id: "b", after: [0]), Planned(id: "c", after: [1])])
    for (kind, time) in [
      (LaunchEvent.Kind.ready(step: 0), Int64(0)), (.started(step: 0, attempt: 1), 10),
      (.ended(step: 0, state: .succeeded), 5000), (.ready(step: 1), 5000),
      (.started(step: 1, attempt: 1), 5100),
      (.spanStarted(.init(step: 1, span: 0, parent: nil, name: "half")), 6000),
    ] { record.apply(LaunchEvent(kind, at: time)) }
    return record
  }

  private static func interrupted(by reason: CancelReason, _ outcome: LaunchOutcome) -> LaunchRecord {
    var record = plan("Late", [Planned(id: "a"), Planned(id: "b", after: [0])])
    for (kind, time) in [
      (LaunchEvent.Kind.ready(step: 0), Int64(0)), (.started(step: 0, attempt: 1), 10),
      (.output(.init(step: 0, attempt: 1, stream: .stdout, line: "indexing")), 20),
      (.cancelled(reason: reason), 2_000_000), (.ended(step: 0, state: .cancelled(reason)), 2_000_000),
      (.ended(step: 1, state: .cancelled(reason)), 2_000_000),
    ] { record.apply(LaunchEvent(kind, at: time)) }
    return record.finished(outcome, at: 2_000_000)
  }

  private static var lateRecord: LaunchRecord {
    var record = run("Site", [Planned(id: "web", lane: .background, duration: 17_000)])
    let message = "\"sh\" was killed by SIGSEGV after it was ready, after this output:\n  out of memory"
    for kind in [
      LaunchEvent.Kind.noted(step: 0, text: "later it was killed by SIGSEGV, which ended the app"),
      .ended(step: 0, state: .failed(Failure(message: message, type: "ServiceError"))),
    ] { record.apply(LaunchEvent(kind, at: 732_000_000)) }
    return record
  }
}

extension LaunchRecord {
  /// Returns the record with a changed outline.
  func with(_ change: (inout LaunchOutline) -> Void) -> LaunchRecord {
    var outline = outline
    change(&outline)
    var copy = LaunchRecord(outline: outline, startedAt: startedAt, executions: executions)
    (copy.header, copy.details) = (header, details)
    return copy.finished(outcome, at: elapsedTime)
  }

  fileprivate func finished(_ outcome: LaunchOutcome, at time: Int64) -> LaunchRecord {
    var copy = self
    copy.apply(LaunchEvent(.launchEnded(outcome), at: time))
    return copy
  }
}

extension StepDetails {
  fileprivate init(note: String) {
    self.init()
    self.note = note
  }
}
