/// The share of a head's launches that take longer than nearly all launches of the base, with an exact test.
///
/// A median does not show that a few launches become slow, for example by a cache miss or a retry. So the slowest
/// launches of both sides are counted, and compared with Fisher's exact test. Of all counts the least probable one is
/// chosen. ``probability`` allows for that choice: it is the share of all orders in which some count is as improbable.
package struct SlowShare: Sendable, Hashable {
  /// The time of the fastest slow launch of the head in nanoseconds. Slow launches take this time or more.
  package let threshold: Int64
  /// The number of the base's launches that take at least the threshold.
  package let base: Int
  /// The number of the head's launches that take at least the threshold.
  package let head: Int
  package let baseLaunches: Int
  package let headLaunches: Int
  /// The probability that so many of the slow launches are the head's by chance, for all counts together.
  package let probability: Double
  /// The mean extra time of the head's slow launches over the base's median, in nanoseconds.
  let extra: Double

  /// The maximum share of the base's launches that may count as slow.
  private static let mostOfBase = 0.1

  /// Counts the slow launches down to each slow launch of the head. Returns the count that is least probable by
  /// chance; `nil` if no launch of the head is slow.
  ///
  /// - Parameters:
  ///   - base: The base's times, with the machine's slowdown added. The order does not matter.
  ///   - least: The factor of the base's median that a slow launch exceeds.
  ///   - controls: The extra times of the head's other steps, from which the machine's own stalls show.
  init?(base: [Double], head: [Double], least: Double, controls: @autoclosure () -> [SlowControl]) {
    guard !base.isEmpty, !head.isEmpty else { return nil }
    let sorted = base.sorted()
    let median = (sorted[(sorted.count - 1) / 2] + sorted[sorted.count / 2]) / 2
    let slow = head.filter { $0 > median * least }.sorted(by: >)
    let former = Array(sorted.reversed().prefix { $0 > median * least })
    let most = Int(Self.mostOfBase * Double(base.count))
    var best: (chance: Double, head: Int, base: Int)?
    var others = 0
    for (index, time) in slow.enumerated() {
      while others < former.count, former[others] >= time { others += 1 }
      guard others <= most else { break }
      let chance = FisherTest.probability(index + 1, of: head.count, against: others, of: base.count)
      if chance < best?.chance ?? .infinity { best = (chance, index + 1, others) }
    }
    guard let best else { return nil }
    let times = slow.prefix(best.head)
    let fastest = times[best.head - 1]
    threshold = Int64(min(fastest, 0x1p62))
    self.base = best.base
    self.head = best.head
    baseLaunches = base.count
    headLaunches = head.count
    extra = times.reduce(0) { $0 + ($1 - median) } / Double(best.head)
    // The lower quartile of the slow launches: other steps must have lost as much.
    let strong = best.head - best.head / 4
    let typical = times[strong - 1]
    let isShared = controls().contains { control in
      let own = control.isComputing ? best.head : strong
      let stalls =
        control.isComputing
        ? control.count(extra: fastest - median, factor: fastest / max(1, median))
        : control.increase(extra: typical - median, factor: typical / max(1, median))
      return FisherTest.probability(own, of: head.count, against: stalls, of: control.launches)
        > FisherTest.level
    }
    probability =
      isShared
      ? 1
      : Self.probability(
        of: best.chance, base: base.count, head: head.count, most: most, slowest: slow.count + former.count)
  }

  /// Returns the probability that, in a random order of the launches, some count is as improbable as `chance`.
  ///
  /// It adds the launches of both sides from the slowest one on. `paths` has the probability of each number of the
  /// base's launches so far.
  ///
  /// - Parameters:
  ///   - most: The number of launches of the base after which no place counts.
  ///   - slowest: The number of places.
  private static func probability(
    of chance: Double, base: Int, head: Int, most: Int, slowest: Int
  ) -> Double {
    var count = 1
    let improbable = (0...most).map { others in
      while count <= head,
        FisherTest.probability(count, of: head, against: others, of: base) > chance * 1.000001
      {
        count += 1
      }
      return count
    }
    var paths = [1.0] + [Double](repeating: 0, count: most)
    var sum = 0.0
    for place in 0..<slowest {
      var next = [Double](repeating: 0, count: most + 1)
      for (others, path) in paths.enumerated() where path > 0 {
        let own = place - others
        let isNextHead = Double(head - own) / Double(base + head - place)
        if own + 1 >= improbable[others] {
          sum += path * isNextHead
        } else {
          next[others] += path * isNextHead
        }
        if others < most { next[others + 1] += path * (1 - isNextHead) }
      }
      paths = next
    }
    return min(1, sum)
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
