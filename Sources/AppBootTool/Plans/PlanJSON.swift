import AppBoot
import AppBootCommands
import AppBootRecords
import AppBootReports
import AppBootSystem

/// A writer of a plan as JSON, with the members of a record. Times are in nanoseconds.
struct PlanJSON {
  let order: StartOrder

  /// Writes the plans of the launch and of its event handlers.
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
    if let manifest = plan.outline.manifestName {
      json.key("manifest")
      json.object { $0.member("path", manifest) }
    }
    if let budget = plan.budgetTime { json.member("budget", budget) }
    if let timeout = plan.timeoutTime { json.member("timeout", timeout) }
    if let grace = plan.sharedGrace { json.member("grace", grace) }
    json.key("launch")
    json.object { json in
      json.member("reason", plan.options.reason.rawValue)
      if let url = plan.options.url { json.member("url", url) }
    }
    let locations = plan.outline.locations()
    json.key("steps")
    json.array { json in
      for index in order {
        json.object { write(index, of: plan, at: locations[index], to: &$0) }
      }
    }
  }

  private func write(
    _ index: Int, of plan: StartupPlan, at location: SourceLocation?, to json: inout JSONWriter
  ) {
    plan.outline.write(step: index, at: location, to: &json)
    let limits = plan.limits(ofStep: index)
    if !limits.isEmpty {
      json.key("limits")
      json.object { json in
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
    if let unless = plan[index].attributes.unless { json.member("unless", unless.description) }
    if let skip = plan[index].skip { json.member("reason", skip, in: plan.outline) }
  }
}
