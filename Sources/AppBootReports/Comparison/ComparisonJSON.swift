import AppBoot

/// A report that writes a comparison as JSON, for programs. `Docs/ci.md` explains its members.
package struct ComparisonJSON: Sendable {
  /// The value of the member `format`.
  package static let formatName = "appboot-comparison"
  /// The version of the JSON's format.
  package static let formatVersion = 1

  /// Creates a report as JSON.
  package init() {}

  /// Returns the comparison as JSON. The text ends with a line feed.
  package func text(of comparison: Comparison) -> String {
    var writer = JSONWriter(pretty: true)
    writer.object { write(comparison, to: &$0) }
    writer.endLine()
    return writer.text
  }

  /// Writes the members of the comparison's object.
  func write(_ comparison: Comparison, to writer: inout JSONWriter) {
    writer.member("format", Self.formatName)
    writer.member("version", Self.formatVersion)
    writer.member("maximumSlowdown", comparison.options.maximumSlowdown)
    writer.member("confidence", RatioEstimate.confidence)
    write("base", comparison.base, to: &writer)
    write("head", comparison.head, to: &writer)
    writer.member("hostsDiffer", comparison.hostsDiffer)
    writer.member("appsDiffer", comparison.appsDiffer)
    writer.member("paired", comparison.isPaired)
    writer.key("launch")
    writer.object { write(comparison.launch, to: &$0) }
    writer.key("steps")
    writer.array { writer in
      for step in comparison.steps { write(step, to: &writer) }
    }
    writer.key("states")
    writer.array { writer in
      for change in comparison.states { write(change, to: &writer) }
    }
    writer.member("added", comparison.added)
    writer.member("removed", comparison.removed)
    writer.member("reordered", comparison.reordered)
  }

  private func write(_ key: String, _ side: Comparison.Side, to writer: inout JSONWriter) {
    writer.key(key)
    writer.object { writer in
      writer.member("name", side.name)
      writer.member("launches", side.launches)
      writer.member("leftOut", side.leftOut)
    }
  }

  private func write(_ change: StateChange, to writer: inout JSONWriter) {
    writer.object { writer in
      if let step = change.step { writer.member("step", step) }
      for (key, count) in [("before", change.before), ("now", change.now)] {
        writer.key(key)
        writer.object { writer in
          for (state, number) in count.counts.sorted(by: { $0.key < $1.key }) { writer.member(state, number) }
        }
      }
    }
  }

  private func write(_ step: Comparison.Step, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("id", step.id)
      if let former = step.formerID { writer.member("formerId", former) }
      writer.member("command", step.command)
      write(step.effect, to: &writer)
    }
  }

  private func write(_ effect: Effect, to writer: inout JSONWriter) {
    writer.member("decision", effect.decision.name)
    switch effect.decision {
    case .slower(let factor), .faster(let factor): writer.member("factor", factor)
    case .partlySlower, .unchanged, .same: break
    case .inconclusive(let reason):
      writer.member("reason", reason.name)
      if case .tooFewLaunches(let needed) = reason { writer.member("launchesNeeded", needed) }
      if case .notMeasured(let words) = reason { writer.member("detail", words) }
    }
    guard effect.hasTimes else { return }
    writer.member("base", effect.baseMedian)
    writer.member("head", effect.headMedian)
    writer.member("basePercentile90", effect.basePercentile90)
    writer.member("headPercentile90", effect.headPercentile90)
    writer.member("ratio", effect.ratio)
    if effect.interval.upperBound.isFinite {
      writer.member("ratioLow", effect.interval.lowerBound)
      writer.member("ratioHigh", effect.interval.upperBound)
    }
    if let test = effect.test { write(test, to: &writer) }
  }

  private func write(_ test: SlowdownTest, to writer: inout JSONWriter) {
    writer.key("test")
    writer.object { writer in
      writer.member("clock", test.clock.rawValue)
      writer.member("base", test.base)
      writer.member("head", test.head)
      writer.member("machineSlowdown", test.machineSlowdown)
      writer.member("factor", test.factor)
      writer.member("probability", test.probability)
      if let share = test.share { write(share, to: &writer) }
    }
  }

  private func write(_ share: SlowShare, to writer: inout JSONWriter) {
    writer.key("slowLaunches")
    writer.object { writer in
      writer.member("threshold", share.threshold)
      writer.member("base", share.base)
      writer.member("head", share.head)
      writer.member("probability", share.probability)
    }
  }
}
