import AppBoot
import AppBootReports
import AppBootSystem

/// A plan as a table: number, step, lane, and its predecessors or the reason why it is skipped.
struct PlanText {
  let style: TextStyle
  let order: StartOrder

  /// Writes a table of the launch's steps, and one for the handlers of each event.
  func write(_ plan: StartupPlan, to output: StandardOutput) {
    output.write(header(plan) + "\n")
    writeSteps(plan, in: order.steps(ofLaunch: plan), to: output)
    for event in plan.events.keys.sorted() {
      guard let steps = plan.events[event], !steps.isEmpty, !output.isClosed else { continue }
      output.write("\n\(style.paint("on \(style.visible(event))", .heading)): \(count(steps))\n")
      writeSteps(steps, in: order.steps(ofEvent: steps), to: output)
    }
  }

  private func count(_ plan: StartupPlan) -> String {
    let skipped = plan.indices.count { plan.outline.isSkipped(step: $0) }
    return "\(plan.count) step\(plan.count == 1 ? "" : "s")" + (skipped > 0 ? ", \(skipped) skipped" : "")
  }

  private func writeSteps(_ plan: StartupPlan, in order: [Int], to output: StandardOutput) {
    let longest = plan.indices.reduce(0) { max($0, titleWidth($1, plan)) }
    let number = String(plan.count).utf8.count
    let rest = style.width.map { max(0, $0 - number - 4) } ?? .max
    let column = min(longest, max(8, rest == .max ? .max : rest / 2))
    var position = 0
    let line = TableLine(style: style)
    for index in order {
      let isSkipped = plan.outline.isSkipped(step: index)
      line.removeAll()
      if !isSkipped {
        position += 1
        line.append(number: position, width: number)
      } else {
        line.append(spaces: number - 1)
        line.append(style.usesASCII ? "-" : "–")
      }
      line.append(spaces: 2)
      let title = line.end
      appendTitle(index, plan, to: line)
      line.endCell(from: title, columns: column, isPadded: true)
      line.append(spaces: 2)
      let facts = line.end
      appendFacts(index, plan, to: line)
      line.endCell(from: facts, columns: rest == .max ? .max : rest - column, isPadded: false)
      line.write(to: output, as: isSkipped ? .faint : nil)
      if output.isClosed { return }
    }
  }

  private func header(_ plan: StartupPlan) -> String {
    var text = "\(style.paint(style.visible(plan.name), .heading)): \(count(plan))"
    if let budget = plan.budget { text += ", budget \(DurationText.exact(.nanoseconds(budget)))" }
    if let timeout = plan.timeout { text += ", timeout \(DurationText.exact(.nanoseconds(timeout)))" }
    if plan.options.reason != .normal { text += ", launch \(plan.options.reason.rawValue)" }
    if let url = plan.options.url { text += " \(style.visible(url))" }
    return text
  }

  private func appendTitle(_ index: Int, _ plan: StartupPlan, to line: TableLine) {
    let (id, name) = (plan.outline.id(ofStep: index), plan.outline.commandName(ofStep: index))
    line.append(id)
    guard id != name else { return }
    line.append(" (")
    line.append(name)
    line.append(")")
  }

  private func titleWidth(_ index: Int, _ plan: StartupPlan) -> Int {
    let (id, name) = (plan.outline.id(ofStep: index), plan.outline.commandName(ofStep: index))
    return id == name ? width(of: id) : width(of: id) + width(of: name) + 3
  }

  /// Returns the columns of a text in the style's form.
  private func width(of text: String) -> Int {
    DisplayWidth.isPrintableASCII(text) && !style.breaksWorkflowCommands
      ? text.utf8.count : DisplayWidth.of(style.visible(text))
  }

  private func appendFacts(_ index: Int, _ plan: StartupPlan, to line: TableLine) {
    let lane = plan.outline.lane(ofStep: index).rawValue
    line.append(lane)
    line.append(spaces: 12 - lane.utf8.count)
    if plan.outline.isSkipped(step: index), let skip = plan[index].skip {
      return line.append("skipped: \(skip.text(in: plan.outline))")
    }
    var isFirst = true
    for predecessor in plan.outline.predecessors(of: index) {
      line.append(isFirst ? "after " : ", ")
      line.append(plan.outline.id(ofStep: predecessor))
      isFirst = false
    }
    if isFirst { line.append("at once") }
    if plan.outline.isSpecial(step: index) { line.append(attributes(of: plan[index])) }
  }

  /// Returns the attributes that few steps have.
  private func attributes(of step: StartupStep) -> String {
    var facts = ""
    if let budget = step.budget { facts += "; budget \(DurationText.exact(.nanoseconds(budget)))" }
    if let timeout = step.timeout { facts += "; timeout \(DurationText.exact(.nanoseconds(timeout)))" }
    if let retry = step.retry { facts += "; \(retry.attempts) attempts" }
    if step.onFailure != .stop { facts += "; on failure \(step.onFailure.rawValue)" }
    if let condition = step.condition { facts += "; when \(condition)" }
    if let comment = step.comment { facts += "; \(comment)" }
    return facts
  }
}
