import AppBoot
import AppBootReports
import AppBootSystem

/// `check`: the smoke check for CI.
enum CheckSubcommand: Subcommand {
  static let name = "check"
  static let abstract =
    "The smoke check for CI: validates, boots once, holds the budgets, and says who is to blame."
  static var discussion: String {
    "Exit codes: 0 passed; 1 a command failed; 3 the manifest is invalid; 4 a file or a permission is missing; 5 over "
      + "budget; 124 the time limit passed."
  }
  static var operands: [Operand] { [.manifest] }
  static var options: [OptionDeclaration] {
    [.only, .skip, .launch, .url, .jobs, .timeout, .state, .noState, .quiet, .color]
  }

  static func run(_ arguments: ParsedArguments, in tool: ToolContext) throws -> ToolExit {
    let color = arguments.color
    let isQuiet = arguments.isSet(.quiet)
    let boot = Boot(tool: tool, request: try BootRequest(arguments), color: color, showsText: false) {
      record in
      let verdict = CheckVerdict(record: record, style: tool.outputStyle(color))
      if !isQuiet || verdict.exit != .succeeded { tool.output.write(verdict.text) }
      return verdict.exit
    }
    return try boot.run()
  }
}

/// What a check says of a launch: a line per step, what failed, and one line in all.
struct CheckVerdict {
  let record: StartupRecord
  let style: TextStyle

  var exit: ToolExit {
    let exit = ToolExit(record.outcome)
    return exit == .succeeded && !overruns.isEmpty ? .overBudget : exit
  }

  /// What took longer than its budget, in words: the steps, then the launch.
  private var overruns: [String] {
    var overruns: [String] = []
    for step in record where step.isOverBudget {
      overruns.append("\(style.visible(step.id)) took \(time(step.execution.running, step.step.budget))")
    }
    if let budget = record.plan.budget, record.duration > budget {
      overruns.append("the launch took \(time(record.duration, budget))")
    }
    return overruns
  }

  var text: String {
    let width = style.width ?? .max
    let column = min(record.map { DisplayWidth.of(style.visible($0.id)) }.max() ?? 0, max(8, width / 2))
    var text = ""
    for step in record {
      let (word, role, facts) = verdict(of: step)
      let id = DisplayWidth.pad(style.fit(style.visible(step.id), to: column), to: column)
      let room = width == .max ? .max : max(0, width - column - 10)
      text += "\(style.paint(DisplayWidth.pad(word, to: 6), role))  \(id)  \(style.fit(facts, to: room))\n"
    }
    let failures = TextReport(style: style, detail: .failures).text(of: record)
    if !failures.isEmpty { text += "\n" + failures }
    return text + "\n" + summary + "\n"
  }

  private var summary: String {
    let report = TextReport(style: style)
    switch exit {
    case .succeeded: return "\(style.paint("check passed", .success)): \(report.verdict(of: record))"
    case .overBudget:
      return "\(style.paint("check failed", .failure)): \(overruns.joined(separator: "; "))"
    case .commandFailed, .usage, .invalidManifest, .preconditionMissing, .deadlinePassed, .signalled:
      return "\(style.paint("check failed", .failure)): \(report.verdict(of: record))"
    }
  }

  private func verdict(of step: StepRecord) -> (word: String, TextStyle.Role, facts: String) {
    let running = time(step.execution.running, step.step.budget)
    switch step.state {
    case .succeeded where step.isOverBudget: return ("slow", .warning, running)
    case .succeeded: return ("ok", .success, running)
    case .failed(let failure):
      return (failed(step), .failure, "\(running)  \(style.visible(failure.firstLine))")
    case .timedOut(let failure):
      return (failed(step), .failure, "\(running)  \(style.visible(failure.firstLine))")
    case .cancelled(let reason): return ("stopped", .warning, style.visible(reason.words))
    case .skipped(let reason): return ("skip", .faint, style.visible(reason.words(in: record.plan)))
    case .waiting, .ready, .running: return ("?", .faint, step.state.name)
    }
  }

  private func failed(_ step: StepRecord) -> String { step.step.onFailure == .continue ? "allow" : "FAIL" }

  private func time(_ nanoseconds: Int64, _ budget: Int64?) -> String {
    let time = DurationText.brief(nanoseconds: nanoseconds, ascii: style.usesASCII)
    return budget.map { "\(time) of \(DurationText.exact(.nanoseconds($0)))" } ?? time
  }
}
