/// Nelson's precedence test of whether the values of one sample are smaller than those of another one.
///
/// It computes the probability that, by chance, a given number of one sample's values are below all values of the other
/// sample. It assumes nothing about the distribution. Source: N. Balakrishnan, H. K. T. Ng, "Precedence-Type Tests and
/// Applications", 2006, chapter 3.
enum PrecedenceTest {
  /// Returns the probability that at least `below` of `base` values are smaller than all of `head` values by chance.
  ///
  /// This is the probability that the `below` smallest of all values are the base's: C(base + head − below, head) ÷
  /// C(base + head, head).
  static func probability(below: Int, base: Int, head: Int) -> Double {
    guard below > 0 else { return 1 }
    return (0..<min(below, base)).reduce(1.0) { $0 * Double(base - $1) / Double(base + head - $1) }
  }

  /// Returns the minimum number of base values with which a test against `head` values can reach a significance level.
  static func baseNeeded(head: Int, level: Double) -> Int {
    // The probability falls with each value of the base, so a binary search finds the first that is low enough.
    var (low, high) = (1, 10_000)
    while low < high {
      let middle = (low + high) / 2
      if probability(below: middle, base: middle, head: head) <= level {
        high = middle
      } else {
        low = middle + 1
      }
    }
    return high
  }

  /// Returns the minimum size of two equally large samples whose test can reach a significance level.
  static func launchesNeeded(level: Double) -> Int {
    (1...1000).first { probability(below: $0, base: $0, head: $0) <= level } ?? 1000
  }
}
