import AppBoot

/// The noise of launches.
struct HistoryNoise {
  /// The maximum spread of launches in which a small change is visible, as a fraction of their median.
  static let mostSpread = 0.06

  /// The spread of the values as a fraction of their median: 1.48 times the median absolute deviation. For a normal
  /// distribution it is the standard deviation.
  let spread: Double

  init(_ values: [Int64]) {
    let median = values.median
    spread = 1.4826 * Double(values.map { abs($0 - median) }.median) / Double(max(1, median))
  }
}
