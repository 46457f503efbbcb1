package import AppBoot

/// The result of a check, which its Markdown, JUnit, HTML and JSON reports lead with.
package struct CheckSummary: Sendable {
  /// The verdict of a check.
  package enum Verdict: String, Sendable {
    case passed
    case failed
    /// The comparison cannot decide, or only the elapsed time on a busy machine is over a budget.
    case inconclusive
  }

  package let verdict: Verdict
  /// The verdict and its reason as one line, for example `check failed: words is slower than the baseline …`.
  package let line: String
  /// The reason as one line; empty if the check passed.
  package let reason: String
  /// True if the check ends with an exit code other than 0.
  package let isFailure: Bool
  /// The reasons why the check failed.
  package let findings: [CheckFinding]
  /// The reasons of the verdict: the findings, or the reason why the check is inconclusive.
  var reasons: [CheckFinding] {
    verdict == .inconclusive ? [CheckFinding(step: nil, message: reason)] : findings
  }
  /// The warnings: about flaky steps, allowed failures and retries, then about the comparison with the baseline.
  package let warnings: [CheckFinding]
  /// The warnings with one for all that differ only in the step.
  package var mergedWarnings: [CheckFinding] { FailureGroup.merged(warnings) }

  /// Returns the warnings that a function accepts, with one for all that differ only in the step.
  package func mergedWarnings(where isIncluded: (CheckFinding) -> Bool) -> [CheckFinding] {
    FailureGroup.merged(warnings.filter(isIncluded))
  }

  package let tally: LaunchTally
  /// The comparison with the baseline; `nil` without a baseline.
  package let comparison: Comparison?

  package init(
    verdict: Verdict, line: String, reason: String, isFailure: Bool, findings: [CheckFinding],
    warnings: [CheckFinding], tally: LaunchTally, comparison: Comparison?
  ) {
    (self.verdict, self.line, self.reason, self.isFailure) = (verdict, line, reason, isFailure)
    (self.findings, self.warnings, self.tally, self.comparison) = (findings, warnings, tally, comparison)
  }

  /// The verdict in words, for example `check failed`.
  package var title: String { "check \(verdict.rawValue)" }

  /// The words that introduce the shown launch, for example `The launch with the median time of 5 launches`.
  func caption(of record: LaunchRecord) -> String {
    guard record.succeeded else { return "The first launch that failed" }
    return tally.launches > 1 ? "The launch with the median time of \(tally.launches) launches" : "The launch"
  }

  /// The ids of the steps that the verdict names, in its order.
  private var named: [String] { findings.compactMap(\.step) + [comparison?.undecidedStep].compactMap(\.self) }
  /// The ids of the steps that the chart highlights.
  var highlighted: Set<String> { Set(named) }

  /// The compared steps and the launch: the steps that the verdict names, then those with the largest change of time,
  /// then the launch; empty if nothing was compared.
  var rows: [CheckRow] {
    guard let comparison else { return [] }
    let places = Dictionary(zip(named, 0...)) { first, _ in first }
    let steps = comparison.steps.filter { $0.effect.test != nil }
    let order = steps.ranked { abs($0.effect.test.map { $0.head - $0.base } ?? 0) }.enumerated().sorted {
      left, right in
      (places[left.element.id] ?? .max, left.offset) < (places[right.element.id] ?? .max, right.offset)
    }
    return (order.map(\.element.effect) + [comparison.launch]).compactMap { CheckRow($0, in: comparison) }
  }

  /// Returns the steps of a launch: those that the verdict names, then those with the largest change of time, then the
  /// others in manifest order.
  package func steps(of record: LaunchRecord) -> [StepRecord] {
    let places = Dictionary(zip(named + rows.map(\.name), 0...)) { first, _ in first }
    return record.sorted { (places[$0.id] ?? .max, $0.index) < (places[$1.id] ?? .max, $1.index) }
  }
}

/// A reason why a check failed, or a warning of a check.
package struct CheckFinding: Sendable, Hashable {
  /// The id of the step; `nil` if the finding is not about a step.
  package let step: String?
  package let message: String

  package init(step: String?, message: String) { (self.step, self.message) = (step, message) }
}

/// A row of the comparison in a check's report.
struct CheckRow {
  let test: SlowdownTest
  let isSlower: Bool
  /// True if there are too few launches for a decision, or if chance may explain a slowdown.
  private let isUndecided: Bool
  /// The slow launches if they are the reason; otherwise `nil`.
  private let share: SlowShare?

  /// Returns `nil` for a step or launch without a test.
  fileprivate init?(_ effect: Effect, in comparison: Comparison) {
    guard let test = effect.test else { return nil }
    self.test = test
    isSlower = effect.isSlower
    isUndecided = comparison.isUndecided(effect)
    share = comparison.slowShare(of: test)
  }

  /// The id of the step, or `the launch`.
  var name: String { test.subject.name }

  var words: SlowdownText { SlowdownText(test, ascii: false) }

  /// The decision, for example `slower` or `not decided`; empty if the row is not slower.
  var decision: String {
    guard isSlower else { return isUndecided ? SlowdownText.notDecided : "" }
    return share.map { "slower in \($0.percentage) of the launches" }
      ?? (words.clock.isEmpty ? "slower" : "slower in CPU time")
  }

  /// The row as one line of text.
  var line: String {
    "\(name): \(words.times), \(words.change)\(decision.isEmpty ? "" : ", \(decision)")"
  }
}

/// The counts over all launches of a check: failures, allowed failures and retries, for each step.
package struct LaunchTally: Sendable {
  /// The counts of one step.
  package struct Step: Sendable {
    package let id: String
    /// The number of launches in which the step started.
    package var launches = 0
    /// The number of launches in which the step failed and the manifest does not allow it.
    package var failures = 0
    /// The number of launches in which the step failed and the manifest allows it.
    package var allowedFailures = 0
    /// The number of launches in which the step succeeded only after a retry.
    package var retried = 0
    /// The cause of the step's last failure as one line; `nil` if it did not fail.
    package var cause: String?
  }

  /// A warning about a step: an allowed failure, or a retry.
  package struct Warning: Sendable {
    package let finding: CheckFinding
    /// True if the step behaved differently in other launches.
    package let isFlaky: Bool
  }

  /// The number of launches.
  package let launches: Int
  /// The number of launches that failed.
  package let failedLaunches: Int
  /// The counts of each step, in manifest order.
  package private(set) var steps: [Step]

  /// Counts the launches. All of them must have the same plan.
  package init(_ records: [LaunchRecord]) {
    launches = records.count
    failedLaunches = records.count { !$0.succeeded }
    steps = records.first?.outline.map { Step(id: $0.id) } ?? []
    for record in records where record.count == steps.count {
      for step in record where step.execution.startTime != nil { count(step) }
    }
  }

  private mutating func count(_ step: StepRecord) {
    let index = step.index
    steps[index].launches += 1
    if step.state.isFailure {
      if step.isAllowedFailure { steps[index].allowedFailures += 1 } else { steps[index].failures += 1 }
      steps[index].cause = step.cause
    } else if step.state == .succeeded, step.details.attempts.count > 1 {
      steps[index].retried += 1
    }
  }

  /// The warnings about allowed failures and retries, in manifest order.
  package var warnings: [Warning] {
    steps.flatMap { step in
      var warnings: [Warning] = []
      if step.allowedFailures > 0 {
        let place = Self.place(step.allowedFailures, of: step.launches)
        let cause = step.cause.map { ": \($0)" } ?? ""
        let finding = CheckFinding(step: step.id, message: "\(step.id) failed\(place) (allowed)\(cause)")
        warnings.append(Warning(finding: finding, isFlaky: step.allowedFailures < step.launches))
      }
      if step.retried > 0 {
        let place = Self.place(step.retried, of: step.launches)
        let finding = CheckFinding(step: step.id, message: "\(step.id) needed a retry\(place)")
        warnings.append(Warning(finding: finding, isFlaky: true))
      }
      return warnings
    }
  }

  /// Returns words for a number of launches, for example ` in 1 of 8 launches`; empty if there is one launch.
  package static func place(_ count: Int, of launches: Int) -> String {
    launches <= 1 ? "" : " in \(count) of \(launches) launches"
  }
}

extension [LaunchRecord] {
  /// The record with the median duration; `nil` without records. Of two middle records it is the faster one.
  package var median: LaunchRecord? {
    guard !isEmpty else { return nil }
    let order = indices.sorted { (self[$0].elapsedTime, $0) < (self[$1].elapsedTime, $1) }
    return self[order[(count - 1) / 2]]
  }
}
