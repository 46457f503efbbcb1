import AppBoot

/// The noise of launches before a change. It decides whether an alarm can be believed.
///
/// An alarm assumes that the launches before the change are exchangeable: that their order says nothing. On a busy
/// machine they are not, and their times vary too much.
struct HistoryNoise {
  /// The maximum spread of launches that allows an alarm, as a fraction of their median.
  static let mostSpread = 0.06
  /// A change that exceeds the spread by this factor is believed in spite of the spread.
  static let clearChange = 8.0
  /// The maximum standardised serial correlation of the ranks: 1 % of exchangeable sequences exceed it.
  private static let mostCorrelation = 2.33
  private static let lags = 3

  /// The spread of the values as a fraction of their median: 1.48 times the median absolute deviation. For a normal
  /// distribution it is the standard deviation.
  let spread: Double
  /// The serial correlation of the ranks over three lags. For exchangeable values it is about normal.
  let correlation: Double

  init(_ values: [Int64]) {
    let median = values.median
    spread = 1.4826 * Double(values.map { abs($0 - median) }.median) / Double(max(1, median))
    correlation = Self.correlation(of: Ranks.of(values))
  }

  private static func correlation(of ranks: [Double]) -> Double {
    let middle = Double(ranks.count + 1) / 2
    let centered = ranks.map { $0 - middle }
    let variance = centered.reduce(0) { $0 + $1 * $1 }
    guard ranks.count > 2 * lags, variance > 0 else { return 0 }
    let sum = (1...lags).reduce(0.0) { sum, lag in
      sum + zip(centered, centered.dropFirst(lag)).reduce(0) { $0 + $1.0 * $1.1 } / variance
    }
    return sum * (Double(ranks.count) / Double(lags)).squareRoot()
  }

  /// Returns whether the noise may be the cause of a change, given as a fraction of the median.
  func mayCause(_ change: Double) -> Bool {
    correlation > Self.mostCorrelation
      || (spread > Self.mostSpread && abs(change) < Self.clearChange * spread)
  }
}
