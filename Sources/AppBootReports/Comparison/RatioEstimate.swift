/// An estimate of the ratio of two samples of durations, with a confidence interval and a test.
///
/// It is Hodges and Lehmann's estimate of a shift, applied to logarithms. Independent samples use the quotients of all
/// values and the Mann–Whitney test. Pairs use the products of all quotients and Wilcoxon's signed-rank test. Source:
/// Hollander, Wolfe, Chicken, "Nonparametric Statistical Methods", 3rd edition, 3.1, 3.2, 4.2 and 4.3.
package struct RatioEstimate: Sendable, Hashable {
  /// The confidence of the interval, as a probability.
  static let confidence = 0.95

  /// The ratio of the head's durations to the base's; 1 if a sample is empty.
  package let ratio: Double
  /// The interval that contains the true ratio with 95 % confidence; 0 to infinity if there are too few values.
  package let interval: ClosedRange<Double>
  /// The probability that the head looks this slow by chance.
  let probability: Double
}

extension RatioEstimate {
  /// Estimates the ratio of independent durations, in nanoseconds. Takes O(mn log mn).
  init(_ base: [Int64], _ head: [Int64]) {
    // A step can take less time than the clock measures.
    self.init(base.map { Double(max(1, $0)) }, head.map { Double(max(1, $0)) })
  }

  /// Estimates the ratio of independent positive values. Takes O(mn log mn).
  init(_ base: [Double], _ head: [Double]) {
    let quotients = base.flatMap { value in head.map { $0 / value } }
    self.init(of: quotients, RankDistribution.mannWhitney(base.count, head.count))
  }

  /// Estimates the ratio of pairs of positive values. Takes O(n² log n).
  init(pairs: [(base: Double, head: Double)]) {
    let quotients = pairs.map { $0.head / $0.base }
    let products = quotients.indices.flatMap { index in quotients[...index].map { quotients[index] * $0 } }
    let squared = RatioEstimate(of: products, RankDistribution.signedRank(pairs.count))
    self.init(
      ratio: squared.ratio.squareRoot(),
      interval: squared.interval.lowerBound.squareRoot()...squared.interval.upperBound.squareRoot(),
      probability: squared.probability)
  }

  /// Creates the estimate from the ratios of all values, or the products of the ratios of all pairs.
  private init(of unsorted: [Double], _ ranks: RankDistribution) {
    let values = unsorted.sorted()
    guard !values.isEmpty else {
      self.init(ratio: 1, interval: 0...Double.infinity, probability: 1)
      return
    }
    let middle = values.count / 2
    let cut = ranks.quantile((1 - Self.confidence) / 2)
    self.init(
      ratio: values.count.isMultiple(of: 2)
        ? (values[middle - 1] * values[middle]).squareRoot() : values[middle],
      interval: cut < 0 || 2 * cut >= values.count
        ? 0...Double.infinity : values[cut]...values[values.count - 1 - cut],
      probability: ranks.probability(ofAtMost: values.count { $0 <= 1 }))
  }
}
