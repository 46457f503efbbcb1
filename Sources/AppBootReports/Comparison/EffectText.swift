import AppBoot

/// An effect in words and numbers, for every form of a comparison.
struct EffectText {
  let effect: Effect
  let ascii: Bool

  /// `38.0 ms`
  var base: String { time(effect.baseMedian, effect.base) }
  var head: String { time(effect.headMedian, effect.head) }

  private func time(_ median: Int64, _ values: [Int64]) -> String {
    values.isEmpty ? (ascii ? "-" : "–") : DurationText.brief(nanoseconds: median, ascii: ascii)
  }

  /// `+20.1 %`; empty where there is nothing to compare.
  var change: String {
    effect.base.isEmpty || effect.head.isEmpty ? "" : Self.percent(effect.ratio, ascii: ascii)
  }

  /// `+18.2 to +22.4 %`; empty where there were too few launches for one.
  var interval: String {
    guard effect.interval.upperBound.isFinite else { return "" }
    let low = Self.number(effect.interval.lowerBound, ascii: ascii)
    return "\(low) to \(Self.percent(effect.interval.upperBound, ascii: ascii))"
  }

  /// The verdict, and why there is none.
  var verdict: String {
    switch effect.verdict {
    case .faster, .slower: effect.verdict.name
    case .inconclusive(let reason): "inconclusive: \(Self.words(reason))"
    }
  }

  static func words(_ reason: Effect.Reason) -> String {
    switch reason {
    case .tooFewLaunches(let needed): "too few launches, it takes \(needed) of each"
    case .withinNoise: "not beyond noise"
    case .tooSmall: "too small to matter"
    }
  }

  /// A factor as a change in percent, with a sign and one decimal.
  static func percent(_ ratio: Double, ascii: Bool) -> String { "\(number(ratio, ascii: ascii)) %" }

  private static func number(_ ratio: Double, ascii: Bool) -> String {
    let tenths = ((ratio - 1) * 1000).rounded()
    guard tenths.isFinite, abs(tenths) < 1e9 else { return "more than +1000000" }
    let value = Int(tenths)
    let sign = value < 0 ? (ascii ? "-" : "−") : "+"
    return "\(sign)\(abs(value) / 10).\(abs(value) % 10)"
  }
}

extension Comparison {
  /// One line: what can be said of the whole launch, and who is to blame or to praise.
  func summary(ascii: Bool = false) -> String {
    let words = EffectText(effect: launch, ascii: ascii)
    let name = head.name
    let percent = Int((options.confidence * 100).rounded(.down))
    switch launch.verdict {
    case .slower, .faster:
      return "\(name) is \(launch.verdict.name): \(words.base) to \(words.head), \(words.change) "
        + "(\(percent) % sure of \(words.interval))\(culprits(ascii: ascii))"
    case .inconclusive(let reason):
      let times = launch.base.isEmpty || launch.head.isEmpty ? "" : ", \(words.base) and \(words.head)"
      return "\(name) is neither faster nor slower for sure\(times): \(EffectText.words(reason))"
        + culprits(ascii: ascii)
    }
  }

  /// The steps with a verdict, those that weigh most first.
  private func culprits(ascii: Bool) -> String {
    var text = ""
    for verdict in [Effect.Verdict.slower, .faster] {
      let steps = decided.filter { $0.effect.verdict == verdict }
      guard !steps.isEmpty else { continue }
      let names = steps.prefix(3).map {
        "\($0.id) (\(EffectText(effect: $0.effect, ascii: ascii).change))"
      }
      let more = steps.count > 3 ? " and \(steps.count - 3) more" : ""
      text += "; \(verdict.name): \(names.joined(separator: ", "))\(more)"
    }
    return text
  }

  /// The steps with a verdict, by how many nanoseconds their median moved.
  package var decided: [Step] {
    func moved(_ step: Step) -> Int64 { abs(step.effect.headMedian - step.effect.baseMedian) }
    return steps.filter { $0.effect.verdict == .slower || $0.effect.verdict == .faster }
      .enumerated().sorted { (-moved($0.element), $0.offset) < (-moved($1.element), $1.offset) }
      .map(\.element)
  }
}

/// A factor as a change in percent.
package enum EffectPercent {
  /// `+20.1 %` for 1.201.
  package static func text(_ factor: Double, ascii: Bool) -> String {
    EffectText.percent(factor, ascii: ascii)
  }

  /// `20.1 %` for 1.201, where the words say in which direction.
  package static func unsigned(_ factor: Double) -> String {
    String(EffectText.percent(factor, ascii: true).drop { $0 == "+" || $0 == "-" })
  }
}
