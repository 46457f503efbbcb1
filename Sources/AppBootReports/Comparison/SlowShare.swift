/// The share of a head's launches that take longer than nearly all launches of the base, with an exact test.
///
/// A median does not show that a few launches become slow, for example by a cache miss or a retry. So the launches
/// beyond a high quantile of the base are counted on both sides, and compared with Fisher's exact test.
package struct SlowShare: Sendable, Hashable {
  /// The time of the fastest slow launch of the head in nanoseconds. Slow launches take this time or more.
  package let threshold: Int64
  /// The number of the base's launches that take at least the threshold.
  package let base: Int
  /// The number of the head's launches that take at least the threshold.
  package let head: Int
  package let baseLaunches: Int
  package let headLaunches: Int
  /// The probability that so many of the slow launches are the head's by chance, for all quantiles together.
  package let probability: Double
  /// The mean extra time of the head's slow launches over the base's median, in nanoseconds.
  let extra: Double

  /// The quantiles of the base beyond which launches are counted.
  private static let quantiles = [0.9, 0.95]

  /// Counts the slow launches beyond each quantile. Returns the count that is least probable by chance; `nil` if no
  /// launch of the head is slow.
  ///
  /// - Parameters:
  ///   - base: The base's times, with the machine's slowdown added. The order does not matter.
  ///   - least: The factor of the base's median that a slow launch exceeds.
  ///   - controls: The extra times of the head's other steps, from which the machine's own stalls show.
  init?(base: [Double], head: [Double], least: Double, controls: [SlowControl]) {
    let sorted = base.sorted()
    guard !sorted.isEmpty, !head.isEmpty else { return nil }
    let median = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    var cuts: [Double] = []
    for quantile in Self.quantiles {
      let place = Int((quantile * Double(sorted.count)).rounded(.up)) - 1
      let cut = max(sorted[max(0, place)], median * least)
      if cuts.last != cut { cuts.append(cut) }
    }
    let counts = cuts.compactMap { cut -> SlowShare? in
      SlowShare(sorted, head, median: median, cut: cut, tests: Double(cuts.count), controls)
    }
    guard let best = counts.min(by: { $0.probability < $1.probability }) else { return nil }
    self = best
  }

  private init?(
    _ base: [Double], _ head: [Double], median: Double, cut: Double, tests: Double, _ controls: [SlowControl]
  ) {
    let slow = head.filter { $0 > cut }
    guard let fastest = slow.min() else { return nil }
    threshold = Int64(min(fastest, 0x1p62))
    self.base = base.count { $0 >= fastest }
    self.head = slow.count
    baseLaunches = base.count
    headLaunches = head.count
    extra = slow.reduce(0) { $0 + ($1 - median) } / Double(slow.count)
    let chance = FisherTest.probability(
      slow.count, of: head.count, against: base.count { $0 > cut }, of: base.count)
    // The lower quartile of the slow launches: other steps must have lost as much.
    let typical = slow.sorted()[slow.count / 4]
    let strong = slow.count { $0 >= typical }
    let isShared = controls.contains { control in
      let own = control.isComputing ? slow.count : strong
      let others =
        control.isComputing
        ? control.count(extra: cut - median, factor: cut / max(1, median))
        : control.increase(extra: typical - median, factor: typical / max(1, median))
      return FisherTest.probability(own, of: head.count, against: others, of: control.launches)
        > FisherTest.level
    }
    probability = isShared ? 1 : min(1, chance * tests)
  }

  /// The share of the head's launches that are slow.
  package var fraction: Double { Double(head) / Double(max(1, headLaunches)) }

  /// The share of the head's launches that are slow, for example `40 %`.
  package var percentage: String { Self.percentage(head, of: headLaunches) }

  /// The share of the base's launches that are slow, for example `none` or `5 %`.
  package var formerPercentage: String { base == 0 ? "none" : Self.percentage(base, of: baseLaunches) }

  private static func percentage(_ count: Int, of all: Int) -> String {
    "\(Int((100 * Double(count) / Double(max(1, all))).rounded())) %"
  }
}

/// The times of another step in the same launches. They show whether the machine stalls launches.
struct SlowControl {
  private let median: Double
  private let base: [Double]
  private let head: [Double]

  /// True for CPU times, which the machine slows by a factor: all slow launches of the head count.
  let isComputing: Bool

  init(base: [Int64], head: [Int64], isComputing: Bool = false) {
    self.isComputing = isComputing
    median = Double(base.median)
    self.base = base.map(Double.init)
    self.head = head.map(Double.init)
  }

  /// The number of the head's launches.
  var launches: Int { head.count }

  /// Returns the number of the head's launches with this extra time beyond the number that the base's share explains.
  ///
  /// A considerable part of the extra time counts too if it is the same factor.
  func increase(extra: Double, factor: Double) -> Int {
    let former = count(base, extra: extra, factor: factor)
    let expected = Double(former * head.count) / Double(max(1, base.count))
    return max(0, count(extra: extra, factor: factor) - Int(expected.rounded()))
  }

  /// Returns the number of the head's launches with this extra time, or with a part of it and this factor.
  func count(extra: Double, factor: Double) -> Int { count(head, extra: extra, factor: factor) }

  private func count(_ times: [Double], extra: Double, factor: Double) -> Int {
    times.count { $0 - median >= extra || ($0 - median >= extra / 4 && $0 > median * factor) }
  }
}
