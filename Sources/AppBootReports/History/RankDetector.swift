/// A rank e-detector, which notices that values become larger than before.
///
/// Each value is ranked among all values so far. The ranks of exchangeable values are uniform, whatever their
/// distribution. The p-values of the ranks become e-values `κ·p^(κ−1)`, which a Shiryaev–Roberts sum accumulates for
/// several κ. Without a change, an alarm comes after at least ``runLength`` values on average. Source: J. Shin,
/// A. Ramdas, A. Rinaldo, "E-detectors: a nonparametric framework for sequential change detection", 2022.
struct RankDetector {
  /// The average number of values before a false alarm, if the values are exchangeable.
  static let runLength = 1000.0
  /// The number of values that are only ranked. The first ranks are too coarse to say anything.
  static let warmUp = 20
  /// The number of exponents: κ is 1/8, 2/8, … 7/8.
  private static let exponents = 7

  /// Returns the index of the value at which the evidence suffices for an alarm; `nil` if it never does. Takes O(n²).
  ///
  /// - Parameters:
  ///   - factor: The factor by which more evidence is needed than for ``runLength``.
  ///   - isLarge: A function that returns whether the change up to an index is large enough for an alarm. It is
  ///   called only if the evidence suffices.
  static func alarm(
    in values: [Int64], factor: Double = 1, where isLarge: (Int) -> Bool = { _ in true }
  ) -> Int? {
    var sums = [Double](repeating: 0, count: exponents)
    for index in values.indices.dropFirst(warmUp) {
      let root = (1 / probability(of: index, in: values)).squareRoot().squareRoot().squareRoot()
      var power = root
      for place in (0..<exponents).reversed() {
        let exponent = Double(place + 1) / 8
        sums[place] = (sums[place] + 1) * exponent * power
        power *= root
      }
      if sums.reduce(0, +) >= factor * runLength * Double(exponents), isLarge(index) { return index }
    }
    return nil
  }

  /// Returns the share of the values up to an index that are larger than its value. Of equal values half count.
  ///
  /// The mean of a convex function over the ranks of equal values is at least its value at their middle rank, so that
  /// equal values never increase the evidence.
  private static func probability(of index: Int, in values: [Int64]) -> Double {
    let value = values[index]
    var (larger, equal) = (0, 0)
    for other in values[...index] {
      if other > value { larger += 1 } else if other == value { equal += 1 }
    }
    return (Double(larger) + Double(equal) / 2) / Double(index + 1)
  }

  /// Returns the index at which the larger values most probably begin.
  ///
  /// There the standardised rank sum of the later values is largest (Wilcoxon).
  static func start(in values: [Int64]) -> Int {
    let ranks = Ranks.of(values)
    let count = Double(values.count)
    var rest = ranks.reduce(0, +)
    var best = (index: 0, score: -Double.infinity)
    for (index, rank) in ranks.enumerated() {
      let (before, after) = (Double(index), Double(values.count - index))
      if index >= warmUp / 2, after >= 2 {
        let deviation = (before * after * (count + 1) / 12).squareRoot()
        let score = (rest - after * (count + 1) / 2) / deviation
        if score > best.score { best = (index, score) }
      }
      rest -= rank
    }
    return best.index
  }
}

/// A namespace for functions on the ranks of values.
enum Ranks {
  /// Returns the rank of each value, from 1. Equal values share the mean of their ranks.
  static func of(_ values: [Int64]) -> [Double] {
    let order = values.indices.sorted { (values[$0], $0) < (values[$1], $1) }
    var ranks = [Double](repeating: 0, count: values.count)
    var place = 0
    while place < order.count {
      var end = place
      while end < order.count, values[order[end]] == values[order[place]] { end += 1 }
      for index in order[place..<end] { ranks[index] = Double(place + end + 1) / 2 }
      place = end
    }
    return ranks
  }
}
