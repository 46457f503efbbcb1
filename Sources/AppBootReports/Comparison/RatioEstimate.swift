/// By what factor a second sample of durations differs from a first one: Hodges and Lehmann's estimate of a shift,
/// taken of the logarithms, with its confidence interval.
///
/// It is the median of all quotients of a value of the second sample by one of the first. The interval is that
/// of the Mann–Whitney test, inverted. Source: Hollander, Wolfe, Chicken, "Nonparametric Statistical
/// Methods", 3rd edition, 4.2 and 4.3.
struct RatioEstimate {
  /// The factor; 1 where nothing differs.
  let ratio: Double
  /// The interval that holds the true factor with the confidence asked for; 0 to infinity where there are too few values.
  let interval: ClosedRange<Double>

  /// Compares two samples of positive values; O(mn log mn).
  init(_ first: [Double], _ second: [Double], confidence: Double) {
    var quotients: [Double] = []
    quotients.reserveCapacity(first.count * second.count)
    for base in first {
      for value in second { quotients.append(value / base) }
    }
    quotients.sort()
    guard !quotients.isEmpty else {
      (ratio, interval) = (1, 0...Double.infinity)
      return
    }
    let middle = quotients.count / 2
    ratio =
      quotients.count.isMultiple(of: 2)
      ? (quotients[middle - 1] * quotients[middle]).squareRoot() : quotients[middle]
    let cut = Self.cut(first.count, second.count, tail: (1 - confidence) / 2)
    interval =
      cut < 0 || 2 * cut >= quotients.count
      ? 0...Double.infinity : quotients[cut]...quotients[quotients.count - 1 - cut]
  }

  /// How many quotients are cut off at each end; -1 where the samples are too small.
  private static func cut(_ m: Int, _ n: Int, tail: Double) -> Int {
    if max(m, n) <= RankDistribution.limit { return RankDistribution.of(m, n).quantile(tail) }
    let deviation = RankTest.standardDeviation(Double(m), Double(n))
    let count = Double(m * n) / 2 - 0.5 - NormalDistribution.value(exceededWith: tail) * deviation
    return Int(count.rounded(.down))
  }
}

/// Holm's correction: probabilities of many tests, so raised that the whole family keeps one error rate.
///
/// Source: S. Holm, "A simple sequentially rejective multiple test procedure", 1979.
enum HolmCorrection {
  /// The corrected probabilities, in the order of those given.
  static func adjusted(_ probabilities: [Double]) -> [Double] {
    let order = probabilities.indices.sorted { probabilities[$0] < probabilities[$1] }
    var adjusted = [Double](repeating: 1, count: probabilities.count)
    var largest = 0.0
    for (rank, index) in order.enumerated() {
      largest = max(largest, min(1, probabilities[index] * Double(probabilities.count - rank)))
      adjusted[index] = largest
    }
    return adjusted
  }
}
