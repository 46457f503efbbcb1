import AppBoot
import AppBootReports
import AppBootSystem

/// A writer of a plan as a table: number, step, lane, and the predecessors or the reason why the step is skipped.
struct PlanText {
  let style: TextStyle
  let order: StartOrder

  /// Writes a table of the launch's steps, and a table of the handlers of each event.
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
    let skipped = plan.indices.filter { plan.outline.isSkipped(step: $0) }
    let excluded = skipped.count { leftOut($0, plan) != nil }
    return "\(plan.count) step\(plan.count == 1 ? "" : "s")"
      + StateCounts.exceptions(skipped: skipped.count - excluded, leftOut: excluded)
  }

  private func writeSteps(_ plan: StartupPlan, in order: [Int], to output: StandardOutput) {
    let longest = plan.indices.reduce(0) { leftOut($1, plan) == nil ? max($0, titleWidth($1, plan)) : $0 }
    let number = String(plan.count).utf8.count
    let rest = style.width.map { max(0, $0 - number - 4) } ?? .max
    let column = min(longest, max(8, rest == .max ? .max : rest / 2))
    var position = 0
    let line = TableLine(style: style)
    var reasons: [String] = []
    for index in order {
      let isSkipped = plan.outline.isSkipped(step: index)
      if let reason = leftOut(index, plan) {
        reasons.append(reason)
        continue
      }
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
      appendCell(index, plan, to: line, columns: rest == .max ? .max : rest - column, at: number + 4 + column)
      line.write(to: output, as: isSkipped ? .faint : nil)
      if output.isClosed { return }
    }
    output.write(LeftOutLine(style: style).text(of: reasons))
  }

  /// Returns the reason why a command-line option left a step out; `nil` for any other step.
  private func leftOut(_ index: Int, _ plan: StartupPlan) -> String? {
    guard plan.outline.isSkipped(step: index), let skip = plan.outline[index].skip, skip.leavesOut else {
      return nil
    }
    return skip.text(in: plan.outline)
  }

  private func header(_ plan: StartupPlan) -> String {
    var text = "\(style.paint(style.visible(plan.name), .heading)): \(count(plan))"
    if let budget = plan.budgetTime { text += ", budget \(DurationText.exact(.nanoseconds(budget)))" }
    if let timeout = plan.timeoutTime { text += ", timeout \(DurationText.exact(.nanoseconds(timeout)))" }
    if let grace = plan.sharedGrace { text += ", grace \(DurationText.exact(.nanoseconds(grace)))" }
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

  /// Returns the number of columns of a text when it is printed in the style.
  private func width(of text: String) -> Int {
    DisplayWidth.isPrintableASCII(text) && !style.breaksWorkflowCommands
      ? text.utf8.count : DisplayWidth.of(style.visible(text))
  }

  /// Appends the last cell of a row, which begins at an indent. Attributes that do not fit follow on further lines.
  private func appendCell(
    _ index: Int, _ plan: StartupPlan, to line: TableLine, columns: Int, at indent: Int
  ) {
    let start = line.end
    appendFacts(index, plan, to: line)
    let attributes = attributes(index, plan)
    let fits = attributes.isEmpty || line.end - start + DisplayWidth.of(attributes) <= columns
    if fits { line.append(attributes) } else if line.end - start < columns { line.append(";") }
    line.endCell(from: start, columns: columns, isPadded: false)
    guard !fits else { return }
    for more in lines(of: String(attributes.dropFirst(2)), columns: columns) {
      line.append("\n")
      line.append(spaces: indent)
      line.append(more)
    }
  }

  /// Returns attributes as lines that end between two of them. An attribute that is too long is wrapped between words.
  private func lines(of attributes: String, columns: Int) -> [String] {
    var lines: [String] = []
    for attribute in attributes.split(separator: "; ") {
      // One column is for the semicolon at the end of a line.
      if let last = lines.last, DisplayWidth.of(last) + DisplayWidth.of(String(attribute)) + 3 <= columns {
        lines[lines.count - 1] += "; \(attribute)"
      } else {
        if !lines.isEmpty { lines[lines.count - 1] += ";" }
        lines.append(String(attribute))
      }
    }
    return lines.flatMap { style.wrap($0, to: columns) }
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
  }

  /// Returns the attributes of a step that are not default, for example its budget. A semicolon precedes each.
  private func attributes(_ index: Int, _ plan: StartupPlan) -> String {
    guard !plan.outline.isSkipped(step: index) else { return "" }
    let limits = plan.limits(ofStep: index)
    let step = plan[index]
    var facts = ""
    if let budget = step.budget { facts += "; budget \(DurationText.exact(budget))" }
    if let timeout = step.timeout { facts += "; timeout \(DurationText.exact(timeout))" }
    if let retry = step.retry { facts += "; \(retry.attempts) attempts" }
    facts += limits.map { "; \($0.text)" }.joined()
    if step.onFailure != .stop { facts += "; on failure \(step.onFailure.rawValue)" }
    if let condition = step.condition { facts += "; when \(condition)" }
    if let unless = step.unless { facts += "; unless \(unless)" }
    if let comment = step.comment { facts += "; \(comment)" }
    return facts
  }
}

extension StepLimit {
  /// The limit's name and value, for example `stop.grace 10s`.
  fileprivate var text: String {
    switch value {
    case .duration(let time): "\(name) \(DurationText.exact(.nanoseconds(time)))"
    case .count(let count): "\(name) \(count)"
    case .word(let word): "\(name) \(word)"
    }
  }
}
