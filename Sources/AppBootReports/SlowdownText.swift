import AppBoot
import AppBootRecords

/// The two times and the change of a ``SlowdownTest`` in words. All reports of a check use them, so that they agree.
package struct SlowdownText {
  private let test: SlowdownTest
  private let ascii: Bool

  /// Creates the words for a test.
  package init(_ test: SlowdownTest, ascii: Bool) { (self.test, self.ascii) = (test, ascii) }

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

  /// Returns a sentence part for a slower step or launch, for example `slower than the baseline by 19.8 %`.
  package func slower(than base: String) -> String {
    "slower than the \(base) by \(EffectPercent.unsigned(test.medianRatio))"
  }

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
      + EffectPercent.unsigned(test.medianRatio / test.machineSlowdown)
  }
}
