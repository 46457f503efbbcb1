import AppBoot
import AppBootAnalysis
import AppBootCommands
import AppBootRecords
import AppBootReports
import AppBootSystem

/// A writer of a plan as a table: number, step, lane, and the predecessors or the reason why the step is skipped.
struct PlanText {
  let style: TextStyle
  let order: StartOrder
  /// True to show the limits of services that have their default values, too.
  var showsDefaults = false

  /// Writes a table of the launch's steps, and a table of the handlers of each event.
  func write(_ plan: LaunchPlan, to output: StandardOutput) {
    output.write(header(plan) + "\n")
    writeSteps(plan, in: order.steps(ofLaunch: plan), to: output)
    for event in plan.events.keys.sorted() {
      guard let steps = plan.events[event], !steps.isEmpty, !output.isClosed else { continue }
      output.write("\n\(style.paint("on \(style.visible(event))", .heading)): \(count(steps))\n")
      writeSteps(steps, in: order.steps(ofEvent: steps), to: output)
    }
  }

  private func count(_ plan: LaunchPlan) -> String {
    let skipped = plan.indices.filter { plan.outline[$0].skip != nil }
    let excluded = skipped.count { leftOut($0, plan) != nil }
    return "\(plan.count) step\(plan.count == 1 ? "" : "s")"
      + StateCounts.exceptions(skipped: skipped.count - excluded, leftOut: excluded)
  }

  private func writeSteps(_ plan: LaunchPlan, in order: [Int], to output: StandardOutput) {
    let shown = order.filter { leftOut($0, plan) == nil }
    let numbers = String(plan.count).utf8.count
    let most = style.width.map { max(8, ($0 - numbers - 4) / 2) } ?? .max
    let columns: [TextTable.Column] = [.trailing(least: numbers), .leading(most: most), .leading()]
    let table = TextTable(columns, style: style)
      .fitted(to: shown.map { [("", nil), (title($0, plan), nil), ("", nil)] })
    let room = style.width.map { max(0, $0 - table.width) } ?? .max
    var position = 0
    for index in shown where !output.isClosed {
      let isSkipped = plan.outline[index].skip != nil
      if !isSkipped { position += 1 }
      let number = isSkipped ? style.usesASCII ? "-" : "–" : String(position)
      let cell = cell(index, plan, columns: room, at: table.width)
      let line = table.line([number, title(index, plan), cell].map { ($0, nil) })
      output.write((isSkipped ? style.paint(line, .faint) : line) + "\n")
    }
    if output.isClosed { return }
    output.write(LeftOutLine(style: style).text(of: order.compactMap { leftOut($0, plan) }))
  }

  /// Returns the reason why a command-line option left a step out; `nil` for any other step.
  private func leftOut(_ index: Int, _ plan: LaunchPlan) -> String? {
    guard let skip = plan.outline[index].skip, skip.leavesOut else { return nil }
    return skip.text(in: plan.outline)
  }

  private func header(_ plan: LaunchPlan) -> String {
    var text = "\(style.paint(style.visible(plan.name), .heading)): \(count(plan))"
    if let budget = plan.budgetTime { text += ", budget \(DurationText.exact(.nanoseconds(budget)))" }
    if let timeout = plan.timeoutTime { text += ", timeout \(DurationText.exact(.nanoseconds(timeout)))" }
    if plan.failsFast { text += ", failFast" }
    if showsDefaults, let grace = plan.sharedGrace {
      text += ", grace \(DurationText.exact(.nanoseconds(grace)))"
    }
    if plan.options.reason != .normal { text += ", launch \(plan.options.reason.rawValue)" }
    if let url = plan.options.url { text += " \(style.visible(url))" }
    return text
  }

  private func title(_ index: Int, _ plan: LaunchPlan) -> String {
    let (id, name) = (plan.outline[index].id, plan.outline[index].commandName)
    return style.visible(id == name ? id : "\(id) (\(name))")
  }

  /// Returns the last cell of a row, which begins at an indent. Attributes that do not fit follow on further lines.
  private func cell(_ index: Int, _ plan: LaunchPlan, columns: Int, at indent: Int) -> String {
    let facts = style.visible(facts(index, plan))
    let attributes = style.visible(attributes(index, plan))
    let width = DisplayWidth.of(facts)
    if attributes.isEmpty || width + DisplayWidth.of(attributes) <= columns {
      return style.fit(facts + attributes, to: columns)
    }
    let first = style.fit(width < columns ? facts + ";" : facts, to: columns)
    let others = lines(of: String(attributes.dropFirst(2)), columns: columns)
    return ([first] + others).joined(separator: "\n" + String(repeating: " ", count: indent))
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

  private func facts(_ index: Int, _ plan: LaunchPlan) -> String {
    let lane = DisplayWidth.pad(plan.outline[index].lane.rawValue, to: 12)
    if let skip = plan.outline[index].skip {
      return lane + "skipped: \(skip.text(in: plan.outline))"
    }
    let predecessors = plan.outline.predecessors(of: index).map { plan.outline[$0].id }
    return lane + (predecessors.isEmpty ? "at once" : "after " + predecessors.joined(separator: ", "))
  }

  /// Returns the attributes of a step that are not default, for example its budget. A semicolon precedes each.
  private func attributes(_ index: Int, _ plan: LaunchPlan) -> String {
    guard plan.outline[index].skip == nil else { return "" }
    let limits = plan.limits(ofStep: index).filter { showsDefaults || !StepLimit.defaults.contains($0) }
    let step = plan[index]
    var facts = ""
    if let budget = step.budget { facts += "; budget \(DurationText.exact(budget))" }
    if let timeout = step.timeout { facts += "; timeout \(DurationText.exact(timeout))" }
    if let retry = step.retry {
      facts += "; \(retry.attempts) \(retry.attempts == 1 ? "attempt" : "attempts")"
    }
    facts += limits.map { "; \($0.text)" }.joined()
    if let undo = plan.undoLine(ofStep: index) { facts += "; undo \(undo)" }
    if step.onFailure != .stop { facts += "; on failure \(step.onFailure.rawValue)" }
    if let condition = step.attributes.condition { facts += "; when \(condition)" }
    if let unless = step.unless { facts += "; unless \(unless)" }
    if let comment = step.comment { facts += "; \(comment)" }
    return facts
  }
}

extension StepLimit {
  /// The limits of a service that sets none of its own.
  fileprivate static let defaults: Set<StepLimit> = {
    let service = RunService()
    let restarts = ofService(
      grace: .nanoseconds(service.grace ?? 0), onExit: service.onExit,
      restart: RestartPolicy(.always))
    return Set(service.stepLimits + LivenessProbe().limits + restarts.filter { $0.name != "restart.when" })
  }()

  /// The limit's name and value, for example `stop.grace 10s`.
  fileprivate var text: String {
    switch value {
    case .duration(let time): "\(name) \(DurationText.exact(.nanoseconds(time)))"
    case .count(let count): "\(name) \(count)"
    case .word(let word): "\(name) \(word)"
    }
  }
}

extension LaunchPlan {
  /// Returns the command line of a process that undoes a step; `nil` for other steps.
  func undoLine(ofStep step: Int) -> String? {
    guard let undo = (commands[step] as? RunProcess)?.undo else { return nil }
    return CommandLineText.of(undo.arguments, hiding: environment.secrets)
  }

  /// The grace period in nanoseconds of the steps that start processes and set no grace period themselves.
  ///
  /// It is `nil` if there is no such step.
  var sharedGrace: Int64? {
    let isShared = indices.contains { step in
      guard steps[step].kind.isPolled, steps[step].skip == nil else { return false }
      let command = polledCommand(step)
      return command?.startsProcesses == true && command?.grace == nil
    }
    return isShared ? LaunchRunner.Configuration.defaultGrace : nil
  }
}

/// The order in which `run` would start the steps. It uses the same number of workers and the same recorded durations.
struct StartOrder {
  /// The maximum number of background steps that run at the same time.
  let jobs: Int
  /// The recorded durations of the launch's steps in nanoseconds, by step id.
  let history: [String: Int64]

  func steps(ofLaunch plan: LaunchPlan) -> [Int] { RunOrder.of(plan, jobs: jobs, history: history) }

  /// Returns the indices of the steps of an event's handlers in start order. No durations are recorded for them.
  func steps(ofEvent plan: LaunchPlan) -> [Int] { RunOrder.of(plan, jobs: jobs) }
}

/// A writer of a plan as JSON, with the members of a record. Times are in nanoseconds.
struct PlanJSON {
  let order: StartOrder

  /// Writes the plans of the launch and of its event handlers.
  func write(_ plan: LaunchPlan, to output: StandardOutput) {
    let json = JSONWriter.object(pretty: true) { json in
      write(plan, in: order.steps(ofLaunch: plan), to: &json)
      json.object("events") { json in
        for event in plan.events.keys.sorted() {
          guard let steps = plan.events[event] else { continue }
          json.object(event) { write(steps, in: order.steps(ofEvent: steps), to: &$0) }
        }
      }
    }
    output.write(json + "\n")
  }

  private func write(_ plan: LaunchPlan, in order: [Int], to json: inout JSONWriter) {
    json.member("name", plan.name)
    if let manifest = plan.outline.manifestName {
      json.object("manifest") { $0.member("path", manifest) }
    }
    if let budget = plan.budgetTime { json.member("budget", budget) }
    if let timeout = plan.timeoutTime { json.member("timeout", timeout) }
    if plan.failsFast { json.member("failFast", true) }
    if let grace = plan.sharedGrace { json.member("grace", grace) }
    json.object("launch") { json in
      json.member("reason", plan.options.reason.rawValue)
      if let url = plan.options.url { json.member("url", url) }
    }
    let locations = plan.outline.locations()
    json.array("steps") { json in
      for index in order {
        json.object { write(index, of: plan, at: locations[index], to: &$0) }
      }
    }
  }

  private func write(
    _ index: Int, of plan: LaunchPlan, at location: SourceLocation?, to json: inout JSONWriter
  ) {
    plan.outline.write(step: index, at: location, to: &json)
    let limits = plan.limits(ofStep: index)
    if !limits.isEmpty {
      json.object("limits") { json in
        for limit in limits {
          switch limit.value {
          case .duration(let time): json.member(limit.name, time)
          case .count(let count): json.member(limit.name, count)
          case .word(let word): json.member(limit.name, word)
          }
        }
      }
    }
    if let undo = plan.undoLine(ofStep: index) { json.member("undo", undo) }
    if let condition = plan[index].attributes.condition { json.member("when", condition.description) }
    if let unless = plan[index].unless { json.member("unless", unless.description) }
    if let skip = plan[index].skip { json.member("reason", skip, in: plan.outline) }
  }
}
