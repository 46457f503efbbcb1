/// Fisher's exact test, one-sided, of whether a larger share of launches fails on one side.
///
/// Source: R. A. Fisher, "Statistical Methods for Research Workers", 1934, section 21.02.
enum FisherTest {
  /// The significance level of the test.
  static let level = 0.05

  /// Returns whether a side's share of failures is larger than the other side's, and significantly so.
  static func isLarger(_ side: StateCount, than other: StateCount, level: Double = level) -> Bool {
    let (share, otherShare) = (side.failures * other.total, other.failures * side.total)
    guard share > otherShare else { return false }
    return probability(side.failures, of: side.total, against: other.failures, of: other.total) <= level
  }

  /// Returns the probability that at least `failures` of all failures are on the first side by chance.
  static func probability(
    _ failures: Int, of launches: Int, against others: Int, of otherLaunches: Int
  ) -> Double {
    let all = failures + others
    let (least, most) = (max(0, all - otherLaunches), min(all, launches))
    // The weights are hypergeometric up to a common factor.
    var (weight, total, tail) = (1.0, 0.0, 0.0)
    for count in least...max(least, most) {
      total += weight
      if count >= failures { tail += weight }
      let ways = Double(all - count) * Double(launches - count)
      weight *= ways / (Double(count + 1) * Double(otherLaunches - all + count + 1))
      // Scaling keeps many launches within the range of a Double.
      if weight > 1e200 { (weight, total, tail) = (weight * 1e-200, total * 1e-200, tail * 1e-200) }
    }
    return tail / total
  }
}
