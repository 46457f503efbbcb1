import AppBoot
import AppBootReports

/// The result of a check as text: a line for each step, the failures, and a summary.
struct CheckVerdict {
  let records: [StartupRecord]
  let failed: StartupRecord?
  private let crash: LaunchFailure?
  let comparison: Comparison?
  let findings: [CheckFinding]
  let style: TextStyle

  init(_ result: CheckLaunches.Result, style: TextStyle) {
    records = result.records
    failed = result.failed
    crash = result.crash
    comparison = result.comparison
    self.style = style
    let successes = result.records.filter(\.succeeded)
    findings =
      result.failed != nil
      ? []
      : CheckFinding.overBudget(successes, ascii: style.usesASCII)
        + CheckFinding.slower(result.comparison, ascii: style.usesASCII)
  }

  /// The launch whose steps are shown: the failed one, or else the one with the median duration.
  var shown: StartupRecord? { failed ?? records.median }

  /// True if a launch failed without a crash of its process.
  var stepFailed: Bool { failed != nil && crash == nil }

  var exit: ToolExit {
    if let failed { return ToolExit(failed) }
    return findings.isEmpty ? .succeeded : .overBudget
  }

  // MARK: - The steps

  /// Returns a line for each step, the failures and the summary.
  ///
  /// - Parameter isQuiet: True to leave out the steps that passed.
  func text(isQuiet: Bool = false) -> String {
    guard let shown else { return "" }
    let rows = shown.map { row(of: $0, in: shown.outline) }.filter { !isQuiet || $0.role.isTrouble }
    let width = style.width ?? .max
    let column = min(rows.map { DisplayWidth.of($0.id) }.max() ?? 0, max(8, width / 2))
    let times = rows.map { DisplayWidth.of($0.time) }.max() ?? 0
    var text = ""
    for row in rows {
      let id = DisplayWidth.pad(style.fit(row.id, to: column), to: column)
      let facts = row.facts.isEmpty ? row.time : DisplayWidth.pad(row.time, to: times) + "  \(row.facts)"
      let room = width == .max ? .max : max(0, width - column - 10)
      let word = style.paint(DisplayWidth.pad(row.word, to: 6), row.role)
      text += "\(word)  \(id)  \(style.fit(facts, to: room))\n"
    }
    if let failed {
      let failures = TextReport(style: style, detail: .failures).text(of: failed)
      if !failures.isEmpty { text += "\n" + failures }
    }
    return (text.isEmpty ? "" : text + "\n") + warnings + summary + "\n"
  }

  private struct Row {
    let word: String
    let role: TextStyle.Role
    let id: String
    let time: String
    let facts: String
  }

  private func row(of step: StepRecord, in plan: LaunchOutline) -> Row {
    let (word, role, facts) = verdict(of: step, in: plan)
    let hasRun = step.execution.start != nil && step.state != .running
    return Row(
      word: word, role: role, id: style.visible(step.id), time: hasRun ? time(of: step) : "", facts: facts)
  }

  private func verdict(of step: StepRecord, in plan: LaunchOutline) -> (
    word: String, TextStyle.Role, facts: String
  ) {
    let failure: (String, TextStyle.Role) =
      step.isAllowedFailure ? ("allow", .warning) : ("FAIL", .failure)
    switch step.state {
    case .succeeded:
      let isSlow = findings.contains { $0.step == step.id }
      return (isSlow ? "slow" : "ok", isSlow ? .warning : .success, change(of: step))
    case .failed(let reason), .timedOut(let reason):
      return (failure.0, failure.1, style.visible(reason.firstLine))
    case .cancelled(let reason): return ("stopped", .warning, style.visible(reason.text))
    case .skipped(let reason): return ("skip", .faint, style.visible(reason.text(in: plan)))
    case .running: return ("CRASH", .failure, "it was running when the launch's process crashed")
    case .waiting, .ready: return ("never", .faint, "it did not start")
    }
  }

  /// Returns the change of a step's time since the baseline, for example `+12.0 %`; empty if it was not compared.
  private func change(of step: StepRecord) -> String {
    guard let comparison, comparison.canDecide, let test = comparison.test(of: step.id) else { return "" }
    return EffectPercent.text(test.change, ascii: style.usesASCII)
  }

  /// Returns the median running time of a step over the launches that ran it, with its budget. After a failure, returns
  /// the time in the failed launch.
  private func time(of step: StepRecord) -> String {
    let times = records.filter { $0.count > step.index && $0[step.index].execution.start != nil }
      .map { $0[step.index].execution.running }
    let time = DurationText.brief(
      nanoseconds: failed == nil ? times.median : step.execution.running, ascii: style.usesASCII)
    return step.step.budget.map { "\(time) of \(DurationText.exact(.nanoseconds($0)))" } ?? time
  }

  // MARK: - Summary

  private var warnings: String {
    (comparison?.warnings ?? [])
      .map { "\(style.paint("warning:", .warning)) \(style.visible($0.words))\n" }.joined()
  }

  /// The summary line: `check passed`, or `check failed` with the reason.
  var summary: String {
    let passed = style.paint("check passed", .success)
    guard exit == .succeeded else {
      return "\(style.paint("check failed", .failure)): \(reason)"
    }
    let median = shown.map { TextReport(style: style).verdict(of: $0) } ?? ""
    let count = records.count > 1 ? "; the median of \(records.count) launches" : ""
    let baseline = comparison?.canDecide == true ? ", not slower than the baseline" : ""
    return "\(passed): \(median)\(count)\(baseline)"
  }

  /// The maximum number of findings in the summary line.
  private static let mostFindings = 5

  /// The reason why the check failed, as one line.
  var reason: String {
    if let failed, let crash { return style.visible(crash.message(failed.lastRunning)) }
    if let failed { return TextReport(style: style).verdict(of: failed) }
    let more = findings.count > Self.mostFindings ? "; and \(findings.count - Self.mostFindings) more" : ""
    return findings.prefix(Self.mostFindings).map { style.visible($0.message) }.joined(separator: "; ") + more
  }
}

extension TextStyle.Role {
  fileprivate var isTrouble: Bool {
    switch self {
    case .failure, .warning: true
    case .success, .accent, .heading, .faint: false
    }
  }
}
