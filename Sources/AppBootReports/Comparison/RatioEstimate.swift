import AppBootBase

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

  /// The maximum number of values of a sample. Each value of a sample is divided by each of the other one.
  private static let mostValues = 1000

  /// Estimates the ratio of independent positive values. Takes O(mn log mn).
  ///
  /// If there are more than 1000 values, it uses 1000 of them, evenly spaced in their order.
  init(_ base: [Double], _ head: [Double]) {
    let (base, head) = (Self.thinned(base), Self.thinned(head))
    let quotients = base.flatMap { value in head.map { $0 / value } }
    self.init(of: quotients, RankDistribution.mannWhitney(base.count, head.count))
  }

  private static func thinned(_ values: [Double]) -> [Double] {
    guard values.count > mostValues else { return values }
    return (0..<mostValues).map { values[$0 * values.count / mostValues] }
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

/// The distribution of a rank statistic of two samples without a difference.
///
/// It is exact for small samples. Larger ones use the normal distribution with a correction for continuity.
struct RankDistribution {
  private enum Shape {
    case exact(cumulative: [Double])
    case normal(mean: Double, deviation: Double)
  }

  private let shape: Shape

  private static let cache = Lock<[[Int]: RankDistribution]>([:])

  /// Returns the distribution for a key, and computes it if it is not known yet.
  private static func of(_ key: [Int], _ make: () -> RankDistribution) -> RankDistribution {
    if let known = cache.withLock({ $0[key] }) { return known }
    let distribution = make()
    cache.withLock { $0[key] = distribution }
    return distribution
  }

  // MARK: - The two statistics

  /// The largest number of pairs for which the Mann–Whitney distribution is exact. The normal distribution has no
  /// probability as small as that of a few launches that are all faster than many others.
  private static let mostExact = 2500

  /// Returns the distribution of the Mann–Whitney statistic: the number of pairs whose greater value is in the second
  /// sample.
  static func mannWhitney(_ m: Int, _ n: Int) -> RankDistribution {
    let pairs = Double(m) * Double(n)
    guard m * n <= mostExact else {
      return RankDistribution(
        shape: .normal(mean: pairs / 2, deviation: (pairs / 12 * Double(m + n + 1)).squareRoot()))
    }
    return of([min(m, n), max(m, n)]) { RankDistribution(mannWhitney: min(m, n), max(m, n)) }
  }

  /// The largest number of pairs whose signed-rank distribution is exact.
  private static let mostExactPairs = 100

  /// Returns the distribution of Wilcoxon's signed-rank statistic: the number of sums of two differences, each also
  /// with itself, that are positive.
  static func signedRank(_ n: Int) -> RankDistribution {
    guard n <= mostExactPairs else {
      let count = Double(n) * Double(n + 1)
      return RankDistribution(
        shape: .normal(mean: count / 4, deviation: (count * Double(2 * n + 1) / 24).squareRoot()))
    }
    return of([n]) { RankDistribution(signedRank: n) }
  }

  private init(shape: Shape) { self.shape = shape }

  private init(weights: [Double]) {
    var sum = 0.0
    shape = .exact(
      cumulative: weights.map { value in
        sum += value
        return sum
      })
  }

  /// Computes the distribution recursively over the sample that contains the largest value.
  ///
  /// p(m, n, u) = n/(m+n) · p(m, n−1, u−m) + m/(m+n) · p(m−1, n, u)
  private init(mannWhitney m: Int, _ n: Int) {
    var row = (0...n).map { _ in [1.0] }
    for i in stride(from: 1, through: m, by: 1) {
      var next = [[1.0]]
      for j in stride(from: 1, through: n, by: 1) {
        var values = [Double](repeating: 0, count: i * j + 1)
        let weight = Double(j) / Double(i + j)
        for (u, value) in next[j - 1].enumerated() { values[u + i] += weight * value }
        for (u, value) in row[j].enumerated() { values[u] += (1 - weight) * value }
        next.append(values)
      }
      row = next
    }
    self.init(weights: row[n])
  }

  /// Computes the distribution of a sum of the ranks 1 to n, each counted with probability ½.
  private init(signedRank n: Int) {
    var weights = [1.0]
    for rank in stride(from: 1, through: n, by: 1) {
      var next = [Double](repeating: 0, count: weights.count + rank)
      for (sum, weight) in weights.enumerated() {
        next[sum] += weight / 2
        next[sum + rank] += weight / 2
      }
      weights = next
    }
    self.init(weights: weights)
  }

  // MARK: - Its values

  /// Returns the probability that the statistic is at most a count.
  func probability(ofAtMost count: Int) -> Double {
    switch shape {
    case .exact(let cumulative): count < 0 ? 0 : min(1, cumulative[min(count, cumulative.count - 1)])
    case .normal(let mean, let deviation):
      deviation > 0 ? Self.normalTail((mean - Double(count) - 0.5) / deviation) : 1
    }
  }

  /// Returns the largest count whose cumulative probability is at most `probability`; -1 if there is none.
  func quantile(_ probability: Double) -> Int {
    switch shape {
    case .exact(let cumulative): return (cumulative.firstIndex { $0 > probability } ?? cumulative.count) - 1
    case .normal(let mean, _):
      var (low, high) = (-1, Int(mean))
      while low < high {
        let middle = (low + high + 1) / 2
        if self.probability(ofAtMost: middle) <= probability { low = middle } else { high = middle - 1 }
      }
      return low
    }
  }

  /// Returns the probability that a standard normal variable exceeds a value.
  ///
  /// It is the density times Mills' ratio as a continued fraction near the tail, or as a series. Source: Abramowitz,
  /// Stegun, "Handbook of Mathematical Functions", 26.2.11 and 26.2.14.
  static func normalTail(_ value: Double) -> Double {
    guard value >= 0 else { return 1 - normalTail(-value) }
    guard value < 37 else { return 0 }
    // e^(−y) is (e^(−y/1024))^1024, whose inner power is a short series.
    let part = value * value / 2048
    var density = 1 - part * (1 - part / 2 * (1 - part / 3 * (1 - part / 4)))
    for _ in 0..<10 { density *= density }
    density *= 0.3989422804014327
    if value < 2 {
      var (term, sum) = (value, value)
      for odd in stride(from: 3.0, to: 81, by: 2) {
        term *= value * value / odd
        sum += term
      }
      return 0.5 - density * sum
    }
    var fraction = value
    for number in stride(from: 60.0, to: 0, by: -1) { fraction = value + number / fraction }
    return density / fraction
  }
}
