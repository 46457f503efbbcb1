/// Nelson's precedence test: how unlikely it is that so many of one sample lie below all of another, were they alike.
///
/// It holds whatever the values are spread like. Source: N. Balakrishnan, H. K. T. Ng, "Precedence-Type Tests
/// and Applications", 2006, chapter 3.
enum PrecedenceTest {
  /// The probability that at least `below` of `base` values come before all of `head` values.
  ///
  /// Of all values the smallest ones are then the base's: C(base + head − below, head) ÷ C(base + head, head).
  static func probability(below: Int, base: Int, head: Int) -> Double {
    guard below > 0 else { return 1 }
    return (0..<min(below, base)).reduce(1.0) { $0 * Double(base - $1) / Double(base + head - $1) }
  }

  /// The fewest base values that can show anything at a level against so many head values.
  static func baseNeeded(head: Int, level: Double) -> Int {
    (1...10_000).first { probability(below: $0, base: $0, head: head) <= level } ?? 10_000
  }
}
