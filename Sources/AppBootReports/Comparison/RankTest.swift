import AppBootSystem

/// The Mann–Whitney U test of two samples: whether one is shifted against the other, whatever they are spread like.
///
/// Exact where there are no ties and no sample has more than 50 values; else the normal approximation with
/// corrections for ties and continuity. Source: Hollander, Wolfe, Chicken, "Nonparametric Statistical
/// Methods", 3rd edition, 4.1.
struct RankTest {
  /// How many of the pairs have the greater value in the second sample; a tie counts one half.
  let pairsAbove: Double
  /// The probability, were the samples alike, of a difference at least as great in either direction.
  let probability: Double

  init(_ first: [Double], _ second: [Double]) {
    let (rankSum, tieTerm) = Self.ranks(first, second)
    let (m, n) = (Double(first.count), Double(second.count))
    pairsAbove = rankSum - n * (n + 1) / 2
    guard m > 0, n > 0 else {
      probability = 1
      return
    }
    let isExact = tieTerm == 0 && max(first.count, second.count) <= RankDistribution.limit
    probability =
      isExact
      ? Self.exact(pairsAbove, first.count, second.count) : Self.approximate(pairsAbove, m, n, tieTerm)
  }

  /// The sum of the second sample's ranks among all values, and Σ(t³ − t) over groups of t equal values.
  private static func ranks(_ first: [Double], _ second: [Double]) -> (sum: Double, tieTerm: Double) {
    let all = (first.map { ($0, 0.0) } + second.map { ($0, 1.0) }).sorted { $0.0 < $1.0 }
    var sum = 0.0
    var tieTerm = 0.0
    var start = 0
    while start < all.count {
      var end = start + 1
      while end < all.count, all[end].0 == all[start].0 { end += 1 }
      let size = Double(end - start)
      let rank = Double(start + 1 + end) / 2
      for index in start..<end { sum += rank * all[index].1 }
      tieTerm += size * size * size - size
      start = end
    }
    return (sum, tieTerm)
  }

  private static func exact(_ pairs: Double, _ m: Int, _ n: Int) -> Double {
    let distribution = RankDistribution.of(m, n)
    let smaller = min(Int(pairs), m * n - Int(pairs))
    return min(1, 2 * distribution.probability(ofAtMost: smaller))
  }

  private static func approximate(_ pairs: Double, _ m: Double, _ n: Double, _ tieTerm: Double) -> Double {
    let deviation = standardDeviation(m, n, tieTerm: tieTerm)
    guard deviation > 0 else { return 1 }
    let distance = max(0, abs(pairs - m * n / 2) - 0.5)
    return min(1, NormalDistribution.probability(above: distance / deviation) * 2)
  }

  /// The standard deviation of the number of pairs where the samples are alike.
  static func standardDeviation(_ m: Double, _ n: Double, tieTerm: Double = 0) -> Double {
    let count = m + n
    guard count > 1 else { return 0 }
    return (m * n / 12 * (count + 1 - tieTerm / (count * (count - 1)))).squareRoot()
  }

  /// The smallest probability that samples of these sizes can show: 2 ÷ C(m + n, m).
  static func smallestProbability(_ m: Int, _ n: Int) -> Double {
    guard m > 0, n > 0 else { return 1 }
    return min(1, (1...min(m, n)).reduce(2.0) { $0 * Double($1) / Double(max(m, n) + $1) })
  }
}

/// How many pairs have the greater value in the second of two samples that are alike: exact probabilities.
struct RankDistribution {
  /// The largest samples that it is computed for.
  static let limit = 50

  private let cumulative: [Double]

  /// The distribution for samples of `m` and `n` values; O(m²n²) the first time.
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

  /// By the largest value's sample: p(m, n, u) = n/(m+n) · p(m, n−1, u−m) + m/(m+n) · p(m−1, n, u).
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

  /// The probability of at most so many pairs.
  func probability(ofAtMost pairs: Int) -> Double {
    pairs < 0 ? 0 : min(1, cumulative[min(pairs, cumulative.count - 1)])
  }

  /// The largest number of pairs that has at most this probability together with all below; -1 where none has.
  func quantile(_ probability: Double) -> Int {
    (cumulative.firstIndex { $0 > probability } ?? cumulative.count) - 1
  }
}

/// The standard normal distribution.
enum NormalDistribution {
  /// The probability of a greater value.
  static func probability(above value: Double) -> Double {
    Mathematics.complementaryError(value / 2.0.squareRoot()) / 2
  }

  /// The value that is exceeded with this probability, found by bisection; between -40 and 40.
  static func value(exceededWith probability: Double) -> Double {
    var (low, high) = (-40.0, 40.0)
    for _ in 0..<80 {
      let middle = (low + high) / 2
      if self.probability(above: middle) > probability { low = middle } else { high = middle }
    }
    return (low + high) / 2
  }
}
