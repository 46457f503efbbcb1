import AppBoot

/// A comparison as JSON, for programs: `Docs/ci.md` says what each member means.
public struct ComparisonJSON: Sendable {
  /// What the JSON says of itself under `format`.
  public static let formatName = "appboot-comparison"
  /// The version of the JSON.
  public static let formatVersion = 1

  /// Creates a report.
  public init() {}

  /// The comparison as JSON, with a line feed at its end.
  public func text(of comparison: Comparison) -> String {
    var writer = JSONWriter(pretty: true)
    writer.object { writer in
      writer.member("format", Self.formatName)
      writer.member("version", Self.formatVersion)
      writer.member("confidence", comparison.options.confidence)
      writer.member("minimumEffect", comparison.options.minimumEffect)
      write("base", comparison.base, to: &writer)
      write("head", comparison.head, to: &writer)
      writer.member("hostsDiffer", comparison.hostsDiffer)
      writer.key("launch")
      writer.object { write(comparison.launch, to: &$0) }
      writer.key("steps")
      writer.array { writer in
        for step in comparison.steps { write(step, to: &writer) }
      }
      writer.member("added", comparison.added)
      writer.member("removed", comparison.removed)
      writer.member("reordered", comparison.reordered)
    }
    writer.endLine()
    return writer.text
  }

  private func write(_ key: String, _ side: Comparison.Side, to writer: inout JSONWriter) {
    writer.key(key)
    writer.object { writer in
      writer.member("name", side.name)
      writer.member("launches", side.launches)
      writer.member("leftOut", side.leftOut)
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
    writer.member("verdict", effect.verdict.name)
    switch effect.verdict {
    case .faster, .slower: break
    case .inconclusive(let reason):
      switch reason {
      case .tooFewLaunches(let needed):
        writer.member("reason", "tooFewLaunches")
        writer.member("launchesNeeded", needed)
      case .withinNoise: writer.member("reason", "withinNoise")
      case .tooSmall: writer.member("reason", "tooSmall")
      }
    }
    guard !effect.base.isEmpty, !effect.head.isEmpty else { return }
    writer.member("base", effect.baseMedian)
    writer.member("head", effect.headMedian)
    writer.member("ratio", effect.ratio)
    if effect.interval.upperBound.isFinite {
      writer.member("ratioLow", effect.interval.lowerBound)
      writer.member("ratioHigh", effect.interval.upperBound)
    }
    writer.member("probability", effect.probability)
  }
}
