import AppBoot
import AppBootRecords

/// The texts of an ``Effect``: its times, change and decision. All formats of a comparison use them.
struct EffectText {
  let effect: Effect
  let ascii: Bool

  /// The test of the CPU time if it decided; otherwise `nil`. All numbers of a row are from the clock that decided.
  private var test: SlowdownTest? {
    (effect.isSlower || effect.isFaster) && effect.test?.clock == .cpu ? effect.test : nil
  }

  /// The median of the base's times, for example `38.0 ms`.
  var base: String { time(test?.base ?? effect.baseMedian, effect.base) }
  /// The median of the head's times, for example `45.7 ms`.
  var head: String { time(test?.head ?? effect.headMedian, effect.head) }
  /// The change of the median in nanoseconds.
  var difference: Int64 { test.map { $0.head - $0.base } ?? effect.medianDifference }

  /// The numbers of a row: median and 90th percentile of each side, the change and its interval.
  var numbers: [String] { [base, base90, head, head90, change, interval] }

  /// The 90th percentile of the base's times.
  var base90: String { time(test?.basePercentile90 ?? effect.basePercentile90, effect.base) }
  /// The 90th percentile of the head's times.
  var head90: String { time(test?.headPercentile90 ?? effect.headPercentile90, effect.head) }

  private func time(_ median: Int64, _ values: [Int64]) -> String {
    values.isEmpty ? (ascii ? "-" : "–") : DurationText.brief(nanoseconds: median, ascii: ascii)
  }

  /// The estimated change, for example `+20.1 %`; empty if a side has no times.
  var change: String {
    guard effect.hasTimes else { return "" }
    return EffectPercent.text(test?.change ?? effect.ratio, ascii: ascii)
  }

  /// The change of the medians, which can differ from the estimated change.
  var medianChange: String {
    let ratio = test?.medianRatio ?? EffectPercent.factor(from: effect.baseMedian, to: effect.headMedian)
    return EffectPercent.text(ratio, ascii: ascii)
  }

  /// The interval of the change, for example `+18.2 to +22.4 %`; empty if there are too few launches.
  var interval: String {
    let (interval, factor) = (test?.interval ?? effect.interval, test?.machineSlowdown ?? 1)
    guard interval.upperBound.isFinite else { return "" }
    let low = EffectPercent.number(interval.lowerBound * factor, ascii: ascii)
    return "\(low) to \(EffectPercent.text(interval.upperBound * factor, ascii: ascii))"
  }

  /// The decision, with its factor or its reason.
  var decision: String {
    effect.decision.factor.map {
      "\(effect.decision.name) by \(EffectPercent.unsigned($0))\(isOfCPU ? " of CPU time" : "")"
    } ?? verdict
  }

  private var isOfCPU: Bool { test != nil }

  /// The decision with its reason, but without its factor.
  var verdict: String {
    switch effect.decision {
    case .slower, .faster: return effect.decision.name + (isOfCPU ? " in CPU time" : "")
    case .partlySlower(let share):
      return "slower in \(share.percentage) of the launches" + (isOfCPU ? ", in CPU time" : "")
    case .unchanged: return "unchanged"
    case .same: return effect.interval.contains(1) ? "same" : "within the limit"
    case .inconclusive(let reason): return "inconclusive: \(reason.words)"
    }
  }
}

extension Effect.Reason {
  var words: String {
    switch self {
    case .tooFewLaunches(let needed): "too few launches, at least \(needed) of each are needed"
    case .notMeasured(let words): words
    case .withinNoise: "within noise"
    case .tooSmall: "too small to matter"
    case .machineSpeed: "the machine may explain it"
    case .otherMachine: "measured on different machines"
    }
  }
}

extension Comparison.Side {
  /// The numbers of launches in words, for example `20 launches, 1 failed and left out`.
  var counts: String {
    "\(launches) \(launches == 1 ? "launch" : "launches")"
      + (leftOut > 0 ? ", \(leftOut) failed and left out" : "")
  }
}

extension Comparison {
  /// Returns the lists of changed steps that are not empty, with their names.
  func changedSteps(
    arrow: String = "→", mark: (String) -> String = { $0 }
  ) -> [(name: String, steps: [String])] {
    let renamed = renamed.map { "\(mark($0.formerID ?? "")) \(arrow) \(mark($0.id))" }
    let lists = [
      ("Added", added.map(mark)), ("Removed", removed.map(mark)), ("Renamed", renamed),
      ("Reordered", reordered.map(mark)),
    ]
    return lists.filter { !$0.1.isEmpty }
  }

  /// True if the decisions on steps say more than the decision on the launch.
  ///
  /// This is so if a step is slower and the launch is not, or if steps are faster and the launch is not decided.
  private var isDecidedBySteps: Bool {
    switch launch.decision {
    case .slower, .partlySlower: false
    case .faster: decided.contains(where: \.effect.isSlower)
    case .unchanged, .same, .inconclusive: !decided.isEmpty
    }
  }

  /// The decision in a few words, for example `slower`, or `2 steps are slower` if the steps say more than the launch.
  ///
  /// If the outcome of the launch differs, the headline says so.
  var headline: String {
    if let launchChange { return launchChange.headline }
    if !hasTimes { return "fails, as before" }
    guard isDecidedBySteps else { return launch.decision.name }
    let slower = decided.count(where: \.effect.isSlower)
    let count = slower > 0 ? slower : decided.count
    return "\(count) \(count == 1 ? "step is" : "steps are") \(slower > 0 ? "slower" : "faster")"
  }

  /// Returns one line: the decision on the launch, then the slower steps, then the faster steps.
  ///
  /// The steps come first if their decisions say more than that on the launch.
  ///
  /// If the outcome of the launch differs, the line begins with it. It has times if launches succeeded on both sides.
  func summary(ascii: Bool = false) -> String {
    guard let launchChange else {
      return hasTimes ? timeSummary(ascii: ascii) : "\(head.name) \(headline): no launch succeeded"
    }
    let start = "\(head.name) \(launchChange.sentence)"
    return launch.hasTimes ? "\(start); \(timeSummary(ascii: ascii))" : start
  }

  private func timeSummary(ascii: Bool) -> String {
    let words = EffectText(effect: launch, ascii: ascii)
    let times = launch.hasTimes ? "\(words.base) before, \(words.head) now" : ""
    let launchWords =
      switch launch.decision {
      case .slower, .partlySlower, .faster: "is \(words.decision): \(times)"
      case .unchanged: "is unchanged: \(times)"
      case .same: "\(sameWords): \(times)"
      case .inconclusive(let reason):
        "is inconclusive: \(reason.words)" + (times.isEmpty ? "" : "; \(times)")
      }
    let steps =
      list(decided.filter(\.effect.isSlower), "slower steps")
      + list(decided.filter(\.effect.isFaster), "faster steps")
    let parts =
      isDecidedBySteps
      ? ["has \(steps.joined(separator: "; "))", "the launch \(launchWords)"] : [launchWords] + steps
    return "\(head.name) \(parts.joined(separator: "; "))"
  }

  /// The words for a launch whose change is within the limit. They agree with the interval of the change.
  private var sameWords: String {
    if launch.interval.contains(1) { return "takes the same time" }
    let change = EffectPercent.unsigned(launch.ratio)
    return launch.interval.lowerBound > 1
      ? "takes \(change) longer, within the allowed \(EffectPercent.unsigned(1 + options.maximumSlowdown))"
      : "takes \(change) less time"
  }

  /// Returns a list of steps with their factors, largest change first; empty without steps.
  private func list(_ steps: [Step], _ name: String) -> [String] {
    guard !steps.isEmpty else { return [] }
    let names = steps.map { step in
      if case .partlySlower(let share) = step.effect.decision {
        return "\(step.id) (in \(share.percentage) of the launches)"
      }
      let factor = step.effect.decision.factor.map(EffectPercent.unsigned) ?? ""
      return "\(step.id) (by \(factor))"
    }
    return ["\(name): \(names.listed(atMost: 3))"]
  }
}

extension Effect.Decision {
  /// The factor of a slower or faster head; `nil` for other decisions.
  var factor: Double? {
    switch self {
    case .slower(let factor), .faster(let factor): factor
    case .partlySlower, .unchanged, .same, .inconclusive: nil
    }
  }
}

/// A formatter that writes a ratio of two times as a change in percent: `+12 %` for 1.12.
package enum EffectPercent {
  /// Returns the factor between two times. A time of 0 counts as one nanosecond.
  static func factor(from base: Int64, to head: Int64) -> Double {
    Double(max(1, head)) / Double(max(1, base))
  }

  /// Returns the change with its sign, for example `+20.1 %` for 1.201.
  package static func text(_ factor: Double, ascii: Bool) -> String { "\(number(factor, ascii: ascii)) %" }

  /// Returns the change without its sign, for example `20.1 %` for 1.201. Use it in text that names the direction.
  package static func unsigned(_ factor: Double) -> String {
    String(text(factor, ascii: true).drop { $0 == "+" || $0 == "-" })
  }

  static func number(_ factor: Double, ascii: Bool) -> String {
    let tenths = ((factor - 1) * 1000).rounded()
    guard tenths.isFinite, abs(tenths) < 1e9 else { return "more than +1000000" }
    let value = Int(tenths)
    let sign = value < 0 ? (ascii ? "-" : "−") : "+"
    return "\(sign)\(abs(value) / 10).\(abs(value) % 10)"
  }
}

/// The two times and the change of a ``SlowdownTest`` in words. All reports of a check use them, so that they agree.
package struct SlowdownText {
  private let test: SlowdownTest
  private let ascii: Bool
  private let allowed: Double

  /// Creates the words for a test.
  ///
  /// - Parameter allowed: The allowed slowdown as a fraction.
  package init(_ test: SlowdownTest, ascii: Bool, allowed: Double = 0) {
    self.test = test
    self.ascii = ascii
    self.allowed = allowed
  }

  /// The time of the base, for example `3.4 ms`.
  package var base: String { DurationText.brief(nanoseconds: test.base, ascii: ascii) }
  /// The time of the head, for example `4.1 ms`.
  package var head: String { DurationText.brief(nanoseconds: test.head, ascii: ascii) }
  /// The 90th percentile of the base, for example `3.9 ms`.
  package var base90: String { DurationText.brief(nanoseconds: test.basePercentile90, ascii: ascii) }
  /// The 90th percentile of the head, for example `4.6 ms`.
  package var head90: String { DurationText.brief(nanoseconds: test.headPercentile90, ascii: ascii) }
  /// Both times, for example `3.4 ms → 4.1 ms`.
  package var times: String { "\(base) \(ascii ? "->" : "→") \(head)" }
  /// The change from one time to the other, for example `+19.8 %` or `+19.8 % of CPU time`.
  package var change: String { EffectPercent.text(test.medianRatio, ascii: ascii) + clock }
  /// The decision of a comparison with too few launches.
  package static let notDecided = "not decided"
  /// The words ` of CPU time` if the test compares CPU times; otherwise empty.
  package var clock: String { test.clock == .cpu ? " of CPU time" : "" }

  /// True if the medians are within the allowed slowdown: the estimate decides, and can be beyond it.
  private var isEstimated: Bool { test.medianRatio <= (1 + allowed) * test.machineSlowdown }
  private var ratio: Double { isEstimated ? test.change : test.medianRatio }
  /// The change without its sign, for example `19.8 %` or `an estimated 11.2 %`.
  var slowdown: String { (isEstimated ? "an estimated " : "") + EffectPercent.unsigned(ratio) }

  /// Returns a sentence part for a slower step or launch, for example `slower than the baseline by 19.8 %`.
  package func slower(than base: String) -> String { "slower than the \(base) by \(slowdown)" }

  /// A sentence part for a share of slow launches, for example
  /// `40 % of the launches take 300 ms or more, none before`.
  package func partly(_ share: SlowShare) -> String {
    let threshold = DurationText.brief(nanoseconds: share.threshold, ascii: ascii)
    return "\(share.percentage) of the launches take \(threshold)\(clock) or more, "
      + "\(share.formerPercentage) before"
  }

  /// Both times in words: `3.4 ms before, 4.1 ms now`.
  package var sentence: String { "\(base)\(clock) before, \(head) now" }

  /// The machine's own change, and the rest of the step's change; empty if the machine did not change.
  package var machine: String {
    guard test.machineSlowdown >= 1.02 else { return "" }
    return "the machine explains up to \(EffectPercent.unsigned(test.machineSlowdown)), which leaves "
      + EffectPercent.unsigned(ratio / test.machineSlowdown)
  }
}
