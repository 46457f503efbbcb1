import AppBootAnalysis
import AppBoot
import AppBootRecords
import AppBootReports

/// The verdict of a check, and its text: a line for each step, the failures, and a summary.
struct CheckVerdict {
  private let result: CheckLaunches.Result
  let findings: [CheckFinding]
  /// The budgets that only the elapsed time on a busy machine exceeds.
  private let unclearBudgets: [CheckFinding]
  private let tally: LaunchTally
  /// The warnings about steps.
  private let stepWarnings: [LaunchTally.Warning]
  /// The ids of the flaky steps.
  private let flakyIDs: Set<String>
  /// The ids of the steps with findings.
  private let foundIDs: Set<String>
  /// The ids of the steps that look too slow, although chance or the machine may explain it.
  private let openIDs: Set<String>
  /// The ids of the steps whose comparison has no decision.
  private let undecidedIDs: Set<String>
  /// The tests against the baseline, by the step's id.
  private let tests: [String: SlowdownTest]
  private let onFlaky: FlakyPolicy
  private let requiresBaseline: Bool
  private(set) var style: TextStyle

  init(_ result: CheckLaunches.Result, style: TextStyle, onFlaky: FlakyPolicy, requiresBaseline: Bool) {
    self.result = result
    tally = LaunchTally(result.records)
    stepWarnings = tally.warnings
    flakyIDs = Set(stepWarnings.filter(\.isFlaky).compactMap(\.finding.step))
    tests = result.comparison?.stepTests ?? [:]
    (self.onFlaky, self.requiresBaseline, self.style) = (onFlaky, requiresBaseline, style)
    let isASCII = style.usesASCII
    let budgets =
      result.failed == nil && result.search == nil
      ? CheckFinding.budgets(result.records, waits: result.waits, ascii: isASCII) : CheckFinding.Budgets()
    unclearBudgets = budgets.unclear
    findings =
      result.failed == nil
      ? budgets.exceeded + CheckFinding.slower(result.comparison, ascii: isASCII) : []
    foundIDs = Set(findings.compactMap(\.step))
    let comparison = result.comparison
    let steps = comparison?.steps ?? []
    undecidedIDs = Set(steps.filter { comparison?.isUndecided($0.effect) == true }.map(\.id))
    let open = steps.filter { comparison?.isOpen($0.effect) == true }.map(\.id)
    openIDs = Set(open + budgets.unclear.compactMap(\.step))
  }

  var records: [LaunchRecord] { result.records }
  var failed: LaunchRecord? { result.failed }
  private var comparison: Comparison? { result.comparison }

  /// The same verdict without colours and without a limit of the width, for files.
  var plain: CheckVerdict {
    var verdict = self
    verdict.style = TextStyle()
    return verdict
  }

  /// The launch whose steps are shown: the first failed one, or else the one with the median duration.
  var shown: LaunchRecord? { failed ?? records.median }

  private var failsAsFlaky: Bool { onFlaky == .fail && !flakyIDs.isEmpty }

  /// The findings, and the flaky steps if these fail the check.
  private var causes: [CheckFinding] {
    findings + (failed == nil && failsAsFlaky ? stepWarnings.filter(\.isFlaky).map(\.finding) : [])
  }

  private var state: CheckSummary.Verdict {
    if failed != nil || !findings.isEmpty || failsAsFlaky { return .failed }
    return comparison?.doubt == nil && unclearBudgets.isEmpty ? .passed : .inconclusive
  }

  var exit: ToolExit {
    if let failed { return ToolExit(failed) }
    if !findings.isEmpty { return .overBudget }
    if failsAsFlaky { return .commandFailed }
    return comparison?.doubt != nil && requiresBaseline ? .preconditionMissing : .succeeded
  }

  /// The result for the reports.
  var check: CheckSummary {
    let failures = failed.map { record in
      [CheckFinding(step: record.failedStep, message: reason)]
    }
    return CheckSummary(
      verdict: state, line: summary, reason: state == .passed ? "" : reason, isFailure: exit != .succeeded,
      findings: failures ?? causes, warnings: warnings, tally: tally, comparison: comparison)
  }

  // MARK: - The steps

  /// Returns a line for each step, the failures and the summary.
  ///
  /// - Parameter isQuiet: True to leave out the steps that passed.
  func text(isQuiet: Bool = false) -> String {
    guard let shown else { return "" }
    let check = check
    let rows = check.steps(of: shown).compactMap { row(of: $0, in: shown.outline, isQuiet: isQuiet) }
    let columns: [TextTable.Column] = [
      .leading(least: 6), .leading(most: style.columns(over: 2, least: 8)), .leading(), .leading(),
    ]
    var text = TextTable(columns, style: style, limit: style.width).text(rows)
    if let failed {
      let failures = TextReport(style: style, detail: .failures).text(of: failed)
      if !failures.isEmpty { text += "\n" + failures }
    }
    let merged = check.mergedWarnings
    let shownWarnings = isQuiet && exit == .succeeded ? merged.filter { $0.step == nil } : merged
    var lines = shownWarnings.map { "\(style.paint("warning:", .warning)) \(style.visible($0.message))" }
    lines.append(summary)
    return (text.isEmpty ? "" : text + "\n") + lines.map { style.wrapped($0) + "\n" }.joined()
  }

  /// Returns the row of a step; `nil` for a step that passed in a quiet report.
  private func row(of step: StepRecord, in plan: LaunchOutline, isQuiet: Bool) -> [TextTable.Cell]? {
    let (word, role, facts) = verdict(of: step, in: plan)
    if isQuiet, role != .failure, role != .warning { return nil }
    let time = step.execution.startTime != nil && step.state != .running ? time(of: step) : ""
    return [(word, role)] + [style.visible(step.id), time, facts].map { ($0, nil) }
  }

  private func verdict(of step: StepRecord, in plan: LaunchOutline) -> (
    word: String, TextStyle.Role, facts: String
  ) {
    let failure: (String, TextStyle.Role) =
      step.isAllowedFailure ? ("warn", .warning) : ("FAIL", .failure)
    switch step.state {
    case .succeeded:
      if let undo = step.details.undo, undo.failure != nil {
        return ("FAIL", .failure, style.visible(StepResult.undone(undo)))
      }
      let isOver = step.step.budgetTime.map { shownTime(of: step) > $0 } ?? false
      if foundIDs.contains(step.id) || (failed != nil && isOver) {
        return ("slow", .warning, change(of: step))
      }
      if openIDs.contains(step.id) || isOver { return ("?", .warning, change(of: step)) }
      let isFlaky = flakyIDs.contains(step.id)
      return (isFlaky ? "flaky" : "ok", isFlaky ? .warning : .success, change(of: step))
    case .failed, .timedOut: return (failure.0, failure.1, style.visible(step.cause ?? ""))
    case .cancelled(let reason): return ("stopped", .warning, style.visible(reason.text))
    case .skipped(let reason): return ("skip", .faint, style.visible(reason.text(in: plan)))
    case .running: return ("CRASH", .failure, "it was running when the launch's process crashed")
    case .waiting, .ready: return ("never", .faint, "it did not start")
    }
  }

  /// Returns the words of the test that compares a step with the baseline; `nil` if it was not compared.
  private func words(for step: StepRecord) -> SlowdownText? {
    tests[step.id].map { SlowdownText($0, ascii: style.usesASCII) }
  }

  /// Returns the change of a step's time since the baseline, for example `+12.0 %` or `+12.0 %, not decided`; empty if
  /// it was not compared.
  private func change(of step: StepRecord) -> String {
    guard let words = words(for: step) else { return "" }
    let clock = words.clock.isEmpty ? "median" : "elapsed median"
    let budget = step.step.budgetTime == nil ? "" : ", \(clock) \(median(of: step))"
    let share = tests[step.id].flatMap { comparison?.slowShare(of: $0) }
    let decision = undecidedIDs.contains(step.id) ? ", \(SlowdownText.notDecided)" : ""
    return (share.map(words.partly) ?? words.change + decision) + budget
  }

  /// Returns the two times of a step that was compared with the baseline. Otherwise, returns its median running time.
  /// After a failure, returns the time in the failed launch.
  private func time(of step: StepRecord) -> String {
    step.state == .succeeded ? words(for: step)?.times ?? median(of: step) : median(of: step)
  }

  /// Returns the median running time of a step over the launches in which it succeeded, with its budget.
  private func median(of step: StepRecord) -> String {
    let time = style.time(shownTime(of: step))
    return step.step.budgetTime.map { "\(time) of \(DurationText.exact(.nanoseconds($0)))" } ?? time
  }

  private func shownTime(of step: StepRecord) -> Int64 {
    guard failed == nil, !step.state.isFailure else { return step.execution.runningTime }
    return records.filter { $0.count > step.index && $0[step.index].execution.startTime != nil }
      .map { $0[step.index].execution.runningTime }.median
  }

  // MARK: - Summary

  /// The warnings about steps and the comparison, without those in the summary line.
  private var warnings: [CheckFinding] {
    let ofSteps = stepWarnings.filter { failed != nil || !failsAsFlaky || !$0.isFlaky }
    let ofComparison = (comparison?.warnings ?? []).filter {
      state != .inconclusive || $0 != comparison?.doubt
    }
    let ofBudgets = state == .failed ? unclearBudgets : []
    return ofSteps.map(\.finding) + ofBudgets
      + ofComparison.map { CheckFinding(step: nil, message: $0.words) }
  }

  /// The summary line: `check passed`, or `check failed` or `check inconclusive` with the reason.
  var summary: String {
    switch state {
    case .failed: return "\(style.paint("check failed", .failure)): \(reason)"
    case .inconclusive: return "\(style.paint("check inconclusive", .warning)): \(reason); \(median)"
    case .passed:
      let baseline = comparison.map { ", not slower than the \($0.baseName)" } ?? ""
      let orders = result.search.map {
        $0.untriedCount == 0 ? "; no order fails" : "; \(Self.untried($0.untriedCount))"
      }
      return "\(style.paint("check passed", .success)): \(median)\(baseline)\(orders ?? "")"
    }
  }

  /// The shown launch in words.
  private var median: String {
    let launch = shown.map { TextReport(style: style).verdict(of: $0) } ?? ""
    return launch + (records.count > 1 ? "; the median of \(records.count) launches" : "")
  }

  /// The maximum number of findings in the summary line.
  private static let mostFindings = 5

  /// The reason why the check failed or is inconclusive, as one line.
  private var reason: String {
    if let failed { return reason(ofFailed: failed) }
    let messages = causes.map(\.message)
    guard !messages.isEmpty else {
      return (unclearBudgets.map(\.message) + [comparison?.doubt?.words].compactMap(\.self))
        .map(style.visible).joined(separator: "; ")
    }
    let more = messages.count > Self.mostFindings ? "; and \(messages.count - Self.mostFindings) more" : ""
    return messages.prefix(Self.mostFindings).map(style.visible).joined(separator: "; ") + more
  }

  private func reason(ofFailed record: LaunchRecord) -> String {
    let place = LaunchTally.place(tally.failedLaunches, of: tally.launches)
    let others = tally.steps.filter { $0.failures > 0 && $0.id != record.failedStep }.prefix(
      Self.mostFindings
    )
    .map { "; \(style.visible($0.id)) failed\(LaunchTally.place($0.failures, of: tally.launches))" }
    let words =
      result.crash.map { style.visible($0.message(record.lastRunning)) + (place.isEmpty ? "" : ";\(place)") }
      ?? TextReport(style: style).verdict(of: record, launches: place)
    return orderWords(record.outline) + words + others.joined()
  }

  private static func untried(_ count: Int) -> String {
    "\(count) pair\(count == 1 ? "" : "s") of steps did not run in both orders: raise --max-runs"
  }

  /// Returns the steps whose order decides whether the launch succeeds, for the begin of the reason.
  private func orderWords(_ plan: LaunchOutline) -> String {
    guard let search = result.search else { return "" }
    var words = search.dependencies.prefix(Self.mostFindings).map { dependency in
      let (first, second) = (plan[dependency.first].id, plan[dependency.second].id)
      return "the launch fails if \(second) runs before \(first), and succeeds if it runs after: "
        + "add \(first.debugDescription) to the \"after\" of \(second)"
    }
    if search.isFlaky {
      let names = search.flakySteps.map { plan[$0].id }.listed(atMost: Self.mostFindings)
      let steps = search.flakySteps.count == 1 ? "is flaky" : "are flaky"
      words.append((names.isEmpty ? "" : "\(names) \(steps): ") + "the same order failed and succeeded")
    }
    if search.isCut {
      words.append("--max-runs ended the search for the two steps that decide: raise it")
    }
    if search.untriedCount > 0, !search.isFlaky, tally.failedLaunches < tally.launches {
      words.append(Self.untried(search.untriedCount))
    }
    return words.map { style.visible($0) + "; " }.joined()
  }
}

// MARK: - Files, JSON and annotations

extension CheckVerdict {
  private func render(_ body: (LaunchRecord) -> String) -> String { shown.map(body) ?? "" }

  /// The records of all launches, one on each line. `--baseline` reads this format.
  var recordLines: String { records.map { $0.json(pretty: false) + "\n" }.joined() }

  /// The JUnit XML with a case for the check itself, then the shown launch.
  var junit: String { render { JUnitReport().text(of: $0, check: check) } }

  /// The Markdown with the result, the comparison with the baseline, and the shown launch.
  var markdown: String { render { CheckMarkdown(check).text(of: $0) } }

  /// The HTML page with the result, the comparison with the baseline, and the shown launch.
  var html: String { render { LaunchPage().text(of: $0, check: check) } }

  /// The JSON with the result and the counts over all launches.
  var json: String { CheckJSON(check).text(of: records, exitCode: exit.code) }

  /// The annotations for GitHub Actions, at the manifest's lines.
  var annotations: String {
    render { record in
      // The shown launch has annotations for its own failures, except those that the warnings count.
      let failed = Set(record.failures.filter { !$0.isAllowedFailure }.map(\.id))
      let errors = self.failed == nil ? check.findings : []
      let warnings = check.mergedWarnings { $0.step.map { !failed.contains($0) } ?? false }
      return GitHubAnnotations(includesWarnings: false, fileNamed: GitHubActions.path)
        .text(of: record, errors: errors, warnings: warnings)
    }
  }
}

extension LaunchRecord {
  /// The id of the step that failed the launch, or that was running at its end.
  ///
  /// It is `nil` for other failures.
  fileprivate var failedStep: String? {
    if case .failed(let step) = outcome { return outline[step].id }
    return interrupted.first?.id
  }
}
