import AppBootSystem

/// The exact distribution of the Mann–Whitney statistic for two samples from the same distribution.
///
/// The statistic is the number of pairs whose greater value is in the second sample.
struct RankDistribution {
  /// The largest size of a sample for which the distribution is computed.
  static let limit = 50

  private let cumulative: [Double]

  /// Returns the distribution for samples of `m` and `n` values. The first computation takes O(m²n²).
  static func of(_ m: Int, _ n: Int) -> RankDistribution {
    cache.withLock { cache in
      let key = [min(m, n), max(m, n)]
      if let known = cache[key] { return known }
      let distribution = RankDistribution(key[0], key[1])
      cache[key] = distribution
      return distribution
    }
  }

  private static let cache = Lock<[[Int]: RankDistribution]>([:])

  /// Computes the distribution recursively over the sample that contains the largest value.
  ///
  /// p(m, n, u) = n/(m+n) · p(m, n−1, u−m) + m/(m+n) · p(m−1, n, u)
  private init(_ m: Int, _ n: Int) {
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
    var sum = 0.0
    cumulative = row[n].map { value in
      sum += value
      return sum
    }
  }

  /// Returns the probability that the statistic is at most `pairs`.
  func probability(ofAtMost pairs: Int) -> Double {
    pairs < 0 ? 0 : min(1, cumulative[min(pairs, cumulative.count - 1)])
  }

  /// Returns the largest value of the statistic whose cumulative probability is at most `probability`; -1 if there is
  /// none.
  func quantile(_ probability: Double) -> Int {
    (cumulative.firstIndex { $0 > probability } ?? cumulative.count) - 1
  }
}
