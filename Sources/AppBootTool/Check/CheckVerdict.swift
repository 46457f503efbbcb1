import AppBoot
import AppBootReports

/// What a check says of its launches: a line per step, what failed, and one line in all.
struct CheckVerdict {
  let records: [StartupRecord]
  let failed: StartupRecord?
  private let death: LaunchFailure?
  let gate: SlowdownGate?
  let findings: [CheckFinding]
  let style: TextStyle

  init(_ result: CheckLaunches.Result, style: TextStyle) {
    records = result.records
    failed = result.failed
    death = result.death
    gate = result.gate
    self.style = style
    let booted = result.records.filter(\.succeeded)
    findings =
      result.failed != nil
      ? []
      : CheckFinding.overBudget(booted, ascii: style.usesASCII)
        + CheckFinding.slower(result.gate, booted.count, ascii: style.usesASCII)
  }

  /// The launch that is shown: the one that did not boot, or that of the median time.
  var shown: StartupRecord? { failed ?? records.median }

  /// Whether a launch failed that says so itself.
  var stepFailed: Bool { failed != nil && death == nil }

  var exit: ToolExit {
    if let failed { return ToolExit(failed.outcome) }
    return findings.isEmpty ? .succeeded : .overBudget
  }

  // MARK: - The steps

  /// A line for each step, the failures and the verdict.
  ///
  /// - Parameter isQuiet: Whether only the steps are shown that did not do as they should.
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
    return (text.isEmpty ? "" : text + "\n") + remarks + summary + "\n"
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
    case .running: return ("DIED", .failure, "it ran when the launch's process died")
    case .waiting, .ready: return ("never", .faint, "it did not start")
    }
  }

  /// How it compares with the baseline.
  private func change(of step: StepRecord) -> String {
    guard gate?.isDecisive == true, let test = gate?.test(of: step.id) else { return "" }
    return EffectPercent.text(test.change, ascii: style.usesASCII)
  }

  /// The median of the launches in which it ran.
  private func time(of step: StepRecord) -> String {
    let times = records.filter { $0.count > step.index && $0[step.index].execution.start != nil }
      .map { $0[step.index].execution.running }
    let time = DurationText.brief(
      nanoseconds: failed == nil ? times.median : step.execution.running, ascii: style.usesASCII)
    return step.step.budget.map { "\(time) of \(DurationText.exact(.nanoseconds($0)))" } ?? time
  }

  // MARK: - In all

  private var remarks: String {
    (gate?.remarks ?? []).map { "\(style.paint("remark:", .accent)) \(style.visible($0.words))\n" }.joined()
  }

  /// One line: passed or failed, and why.
  var summary: String {
    let passed = style.paint("check passed", .success)
    guard exit == .succeeded else {
      return "\(style.paint("check failed", .failure)): \(reason)"
    }
    let median = shown.map { TextReport(style: style).verdict(of: $0) } ?? ""
    let count = records.count > 1 ? "; the median of \(records.count) launches" : ""
    let baseline = gate?.isDecisive == true ? ", not slower than the baseline" : ""
    return "\(passed): \(median)\(count)\(baseline)"
  }

  /// How many findings one line has room for.
  private static let longest = 5

  /// Why the check failed, in one line.
  var reason: String {
    if let failed, let death { return style.visible(death.message(failed.lastRunning)) }
    if let failed { return TextReport(style: style).verdict(of: failed) }
    let more = findings.count > Self.longest ? "; and \(findings.count - Self.longest) more" : ""
    return findings.prefix(Self.longest).map { style.visible($0.message) }.joined(separator: "; ") + more
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

extension SlowdownGate.Remark {
  /// The remark in words.
  var words: String {
    switch self {
    case .baselineTooSmall(let launches, let needed):
      "the baseline has \(launches) launch\(launches == 1 ? "" : "es"), too few to tell a slow-down from noise: "
        + "it takes \(needed), and 20 are better"
    case .busyMachine:
      "the machine was busier than at its best, or launches were uneven: a slow-down may not show"
    case .slowerAltogether(let factor, isMachine: false):
      "most steps took longer than in the baseline, by about \(EffectPercent.unsigned(factor)), and fixed work did not: if that is "
        + "not the machine, it is all of them, and check cannot tell them apart"
    case .slowerAltogether(let factor, isMachine: true):
      "most steps took longer than in the baseline, by about \(EffectPercent.unsigned(factor)), and so did fixed work: the machine "
        + "was slower, and a slow-down may not show"
    case .otherMachine:
      "the baseline was measured on another machine: only the steps are compared, each with the others"
    case .changed(let added, let removed):
      "the baseline has other steps: "
        + [
          added.isEmpty ? "" : "new are \(Self.list(added))",
          removed.isEmpty ? "" : "gone are \(Self.list(removed))",
        ].filter { !$0.isEmpty }.joined(separator: ", ")
    }
  }

  /// Ids in words, however many.
  static func list(_ ids: [String]) -> String {
    ids.prefix(5).joined(separator: ", ") + (ids.count > 5 ? " and \(ids.count - 5) more" : "")
  }
}
