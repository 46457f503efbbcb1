/// An estimate of the ratio of two samples of durations, with a confidence interval.
///
/// It is Hodges and Lehmann's estimate of a shift, applied to logarithms. The estimate is the median of all quotients
/// of a value of the second sample and a value of the first. The interval inverts the Mann–Whitney test. Both describe
/// times as they were measured, and never decide "slower" or "faster". Source: Hollander, Wolfe, Chicken,
/// "Nonparametric Statistical Methods", 3rd edition, 4.2 and 4.3.
struct RatioEstimate {
  /// The confidence of the interval, as a probability.
  static let confidence = 0.95
  /// The value that a standard normal variable exceeds with probability (1 − 0.95) ÷ 2.
  private static let normalQuantile = 1.959963984540054

  /// The ratio; 1 if a sample is empty.
  let ratio: Double
  /// The interval that contains the true ratio with 95 % confidence; 0 to infinity if there are too few values.
  let interval: ClosedRange<Double>

  /// Estimates the ratio of the head's durations to the base's durations. Both are in nanoseconds. Takes O(mn log mn).
  init(_ base: [Int64], _ head: [Int64]) {
    // A step can take less time than the clock measures.
    self.init(base.map { Double(max(1, $0)) }, head.map { Double(max(1, $0)) })
  }

  /// Estimates the ratio of the second sample to the first. All values must be positive. Takes O(mn log mn).
  init(_ first: [Double], _ second: [Double]) {
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
    let cut = Self.cut(first.count, second.count)
    interval =
      cut < 0 || 2 * cut >= quotients.count
      ? 0...Double.infinity : quotients[cut]...quotients[quotients.count - 1 - cut]
  }

  /// Returns the number of quotients to leave out at each end for the interval; -1 if the samples are too small.
  private static func cut(_ m: Int, _ n: Int) -> Int {
    if max(m, n) <= RankDistribution.limit { return RankDistribution.of(m, n).quantile((1 - confidence) / 2) }
    let pairs = Double(m * n)
    let deviation = (pairs / 12 * Double(m + n + 1)).squareRoot()
    return Int((pairs / 2 - 0.5 - normalQuantile * deviation).rounded(.down))
  }
}
