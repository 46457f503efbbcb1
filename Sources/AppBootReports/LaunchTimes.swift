import AppBoot
import AppBootRecords
import AppBootAnalysis

/// A breakdown of a launch's time. The text, Markdown and HTML reports use it.
struct LaunchTimes {
  let path: CriticalPath
  private let record: StartupRecord

  init(_ record: StartupRecord) {
    self.record = record
    path = CriticalPath(of: record)
  }

  /// The steps that waited for a slot or for the main lane, longest wait first, with the words for that place.
  ///
  /// They waited longer than 1 ms and longer than 5 % of the launch.
  var waiting: [(step: StepRecord, place: String)] {
    let least = max(1_000_000, record.elapsedTime / 20)
    let waited = record.filter { $0.execution.endTime != nil && $0.execution.waitingTime > least }
    guard !waited.isEmpty else { return [] }
    let reasons = StartReasons(of: record)
    return Self.ranked(waited) { $0.execution.waitingTime }
      .compactMap { step in reasons[step.index]?.reason.resourceText.map { (step, "for \($0)") } }
  }

  /// The steps that are not on the critical path, with their slack in nanoseconds; least slack first.
  var slacks: [(step: StepRecord, slack: Int64)] {
    record.compactMap { step in
      path.contains(step.index) ? nil : path.slack(of: step.index).map { (step, $0) }
    }
    .sorted { ($0.slack, $0.step.index) < ($1.slack, $1.step.index) }
  }

  /// The maximum number of exceeded budgets to show.
  static let maximumBudgets = 6

  /// The steps that exceeded their budgets, largest excess first.
  var overBudget: [StepRecord] {
    Self.ranked(record.filter(\.isOverBudget)) { $0.execution.runningTime - ($0.step.budgetTime ?? 0) }
  }

  /// Returns the steps sorted by a measure, largest first. Steps with the same measure keep their order.
  private static func ranked(_ steps: [StepRecord], by measure: (StepRecord) -> Int64) -> [StepRecord] {
    steps.map { (measure($0), $0) }.sorted { ($1.0, $0.1.index) < ($0.0, $1.1.index) }.map(\.1)
  }
}

extension StartChain.Reason {
  /// The resource that the step waited for, in words; `nil` if it waited for none.
  var resource: (article: String, noun: String)? {
    switch self {
    case .launch, .after: nil
    case .lane: ("the", "main lane")
    case .slot: ("a", "slot")
    }
  }

  /// The resource with its article, for example `a slot`.
  var resourceText: String? { resource.map { "\($0.article) \($0.noun)" } }
}
