import AppBoot
import AppBootReports
import AppBootSystem

/// A plan as a table: number, step, lane, and what it comes after or why it is skipped.
struct PlanText {
  let style: TextStyle

  func write(_ plan: StartupPlan, to output: StandardOutput) {
    output.write(header(plan) + "\n")
    writeSteps(plan, to: output)
    for event in plan.events.keys.sorted() {
      guard let steps = plan.events[event], !steps.isEmpty, !output.isClosed else { continue }
      output.write("\n\(style.paint("on \(style.visible(event))", .heading)): \(count(steps))\n")
      writeSteps(steps, to: output)
    }
  }

  private func count(_ plan: StartupPlan) -> String {
    let skipped = plan.reduce(0) { $0 + ($1.skip == nil ? 0 : 1) }
    return "\(plan.count) step\(plan.count == 1 ? "" : "s")" + (skipped > 0 ? ", \(skipped) skipped" : "")
  }

  private func writeSteps(_ plan: StartupPlan, to output: StandardOutput) {
    let ids = plan.map { style.visible(title(of: $0)) }
    let longest = ids.reduce(0) { max($0, DisplayWidth.of($1)) }
    let number = String(plan.count).utf8.count
    let rest = style.width.map { max(0, $0 - number - 4) } ?? .max
    let column = min(longest, max(8, rest == .max ? .max : rest / 2))
    var position = 0
    var line = ""
    for index in RunOrder.of(plan) {
      let step = plan[index]
      position += step.skip == nil ? 1 : 0
      let mark = step.skip == nil ? "\(position)" : style.usesASCII ? "-" : "–"
      line.removeAll(keepingCapacity: true)
      line += String(repeating: " ", count: max(0, number - DisplayWidth.of(mark)))
      line += mark
      line += "  "
      line += DisplayWidth.pad(style.fit(ids[index], to: column), to: column)
      line += "  "
      line += style.fit(style.visible(facts(of: step, index, plan)), to: rest == .max ? .max : rest - column)
      output.write(step.skip == nil ? line : style.paint(line, .faint))
      output.write("\n")
      if output.isClosed { return }
    }
  }

  private func header(_ plan: StartupPlan) -> String {
    var text = "\(style.paint(style.visible(plan.name), .heading)): \(count(plan))"
    if let budget = plan.budget { text += ", budget \(DurationText.exact(.nanoseconds(budget)))" }
    if let timeout = plan.timeout { text += ", limit \(DurationText.exact(.nanoseconds(timeout)))" }
    if plan.options.reason != .normal { text += ", launch \(plan.options.reason.rawValue)" }
    if let url = plan.options.url { text += " \(style.visible(url))" }
    return text
  }

  private func title(of step: StartupStep) -> String {
    step.id == step.commandName ? step.id : "\(step.id) (\(step.commandName))"
  }

  private func facts(of step: StartupStep, _ index: Int, _ plan: StartupPlan) -> String {
    let lane = DisplayWidth.pad(step.lane.rawValue, to: 10)
    if let skip = step.skip { return "\(lane)  skipped: \(skip.words(in: plan))" }
    var facts = lane + "  "
    var isFirst = true
    for predecessor in plan.predecessors(of: index) {
      facts += isFirst ? "after " : ", "
      facts += plan.id(ofStep: predecessor)
      isFirst = false
    }
    if isFirst { facts += "at once" }
    if let budget = step.budget { facts += "; budget \(DurationText.exact(.nanoseconds(budget)))" }
    if let timeout = step.timeout { facts += "; limit \(DurationText.exact(.nanoseconds(timeout)))" }
    if let retry = step.retry { facts += "; \(retry.attempts) attempts" }
    if step.onFailure != .stop { facts += "; on failure \(step.onFailure.rawValue)" }
    if let condition = step.condition { facts += "; when \(condition)" }
    if let note = step.note { facts += "; \(note)" }
    return facts
  }
}
