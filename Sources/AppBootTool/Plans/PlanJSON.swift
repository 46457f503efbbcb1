import AppBoot
import AppBootReports
import AppBootSystem

/// A plan as JSON; times are nanoseconds.
struct PlanJSON {
  let order: StartOrder

  /// Writes the launch's plan and the lists of its events.
  func write(_ plan: StartupPlan, to output: StandardOutput) {
    var json = JSONWriter(pretty: true)
    json.object { json in
      write(plan, in: order.steps(ofLaunch: plan), to: &json)
      json.key("events")
      json.object { json in
        for event in plan.events.keys.sorted() {
          guard let steps = plan.events[event] else { continue }
          json.key(event)
          json.object { write(steps, in: order.steps(ofEvent: steps), to: &$0) }
        }
      }
    }
    json.endLine()
    json.take().withUnsafeBufferPointer { output.write($0) }
  }

  private func write(_ plan: StartupPlan, in order: [Int], to json: inout JSONWriter) {
    json.member("name", plan.name)
    if let budget = plan.budget { json.member("budget", budget) }
    if let timeout = plan.timeout { json.member("timeout", timeout) }
    json.key("launch")
    json.object { json in
      json.member("reason", plan.options.reason.rawValue)
      if let url = plan.options.url { json.member("url", url) }
    }
    let places = plan.source.map { SourceLines($0) }
    json.key("steps")
    json.array { json in
      for index in order { write(index, of: plan, places, to: &json) }
    }
  }

  private func write(
    _ index: Int, of plan: StartupPlan, _ places: SourceLines?, to json: inout JSONWriter
  ) {
    let step = plan[index]
    json.object { json in
      json.member("id", step.id)
      json.member("command", step.commandName)
      json.member("lane", step.lane.rawValue)
      json.member("after", plan.outline.predecessors(of: index).map { plan[$0].id })
      if let places, let range = step.range {
        let place = places.location(of: Int(range.start))
        json.member("file", places.source.name)
        json.member("line", place.line)
        json.member("column", place.column)
      }
      json.member("onFailure", step.onFailure.rawValue)
      if let timeout = step.timeout { json.member("timeout", timeout) }
      if let budget = step.budget { json.member("budget", budget) }
      if let retry = step.retry { json.member("attempts", retry.attempts) }
      if let note = step.note { json.member("note", note) }
      if let condition = step.condition { json.member("when", condition.description) }
      if let skip = step.skip { json.member("skipped", skip.words(in: plan.outline)) }
    }
  }
}
