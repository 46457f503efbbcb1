import AppBootBase

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
