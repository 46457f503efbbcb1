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

  /// Estimates the ratio of independent durations, in nanoseconds. Takes O(mn log mn).
  init(_ base: [Int64], _ head: [Int64]) {
    // A step can take less time than the clock measures.
    self.init(base.map { Double(max(1, $0)) }, head.map { Double(max(1, $0)) })
  }

  /// Estimates the ratio of independent positive values. Takes O(mn log mn).
  init(_ base: [Double], _ head: [Double]) {
    guard !base.isEmpty, !head.isEmpty else {
      self = .none
      return
    }
    var quotients: [Double] = []
    quotients.reserveCapacity(base.count * head.count)
    for value in base {
      for other in head { quotients.append(other / value) }
    }
    quotients.sort()
    let middle = quotients.count / 2
    let ranks = RankDistribution.mannWhitney(base.count, head.count)
    self.init(
      ratio: quotients.count.isMultiple(of: 2)
        ? (quotients[middle - 1] * quotients[middle]).squareRoot() : quotients[middle],
      interval: Self.interval(of: quotients, cut: ranks.quantile((1 - Self.confidence) / 2)),
      probability: ranks.probability(ofAtMost: quotients.count { $0 <= 1 }))
  }

  /// Estimates the ratio of pairs of positive values. Takes O(n² log n).
  init(pairs: [(base: Double, head: Double)]) {
    guard !pairs.isEmpty else {
      self = .none
      return
    }
    let quotients = pairs.map { $0.head / $0.base }
    var products: [Double] = []
    products.reserveCapacity(quotients.count * (quotients.count + 1) / 2)
    for index in quotients.indices {
      for other in quotients[...index] { products.append(quotients[index] * other) }
    }
    products.sort()
    let middle = products.count / 2
    let ranks = RankDistribution.signedRank(pairs.count)
    let squared = Self.interval(of: products, cut: ranks.quantile((1 - Self.confidence) / 2))
    self.init(
      ratio: products.count.isMultiple(of: 2)
        ? (products[middle - 1] * products[middle]).squareRoot().squareRoot() : products[middle].squareRoot(),
      interval: squared.lowerBound.squareRoot()...squared.upperBound.squareRoot(),
      probability: ranks.probability(ofAtMost: products.count { $0 <= 1 }))
  }

  /// The estimate without values.
  private static let none = RatioEstimate(ratio: 1, interval: 0...Double.infinity, probability: 1)

  private init(ratio: Double, interval: ClosedRange<Double>, probability: Double) {
    self.ratio = ratio
    self.interval = interval
    self.probability = probability
  }

  private static func interval(of values: [Double], cut: Int) -> ClosedRange<Double> {
    cut < 0 || 2 * cut >= values.count
      ? 0...Double.infinity : values[cut]...values[values.count - 1 - cut]
  }
}
