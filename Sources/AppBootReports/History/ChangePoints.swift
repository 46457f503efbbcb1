import AppBoot

/// A namespace for a function that divides times into stretches of launches that took about the same time.
///
/// The stretches are for pictures. They are no alarms: looked at after each launch, they change too often. Source:
/// D. S. Matteson, N. A. James, "A Nonparametric Approach for Multiple Change Point Analysis of Multivariate Data"
/// (E-divisive), 2014. The values are ranks, so that outliers count little.
enum ChangePoints {
  /// The minimum number of launches in a stretch.
  static let shortest = 8
  /// The number of permutations that must all divide worse. By chance, that happens once in 100 sequences.
  private static let permutations = 99

  /// Returns the indices at which stretches begin, except the first one. Takes O(n²) for each stretch and permutation.
  static func of(_ times: [Int64]) -> [Int] {
    var points: [Int] = []
    var open = [0..<times.count]
    var random = Shuffle()
    while let range = open.popLast() {
      let ranks = Ranks.of(Array(times[range]))
      guard let best = bestSplit(of: ranks) else { continue }
      let isChance = (0..<permutations).contains { _ in
        bestSplit(of: ranks.shuffled(using: &random)).map { $0.score >= best.score } ?? false
      }
      guard !isChance else { continue }
      let point = range.lowerBound + best.index
      points.append(point)
      open += [range.lowerBound..<point, point..<range.upperBound]
    }
    return points.sorted()
  }

  /// Returns the index that divides values into the two most different parts; `nil` if there are too few values.
  ///
  /// The difference is the energy distance of the parts, times n·m/(n+m).
  private static func bestSplit(of values: [Double]) -> (index: Int, score: Double)? {
    let count = values.count
    guard count >= 2 * shortest else { return nil }
    let distances = values.indices.map { row in values.map { abs($0 - values[row]) } }
    var right = distances.reduce(0.0) { $0 + $1.reduce(0, +) } / 2
    let total = right
    var left = 0.0
    var best: (index: Int, score: Double)?
    for index in 0..<count {
      // The first `index` values are on the left.
      if index >= shortest, count - index >= shortest {
        let (n, m) = (Double(index), Double(count - index))
        let distance =
          2 * (total - left - right) / (n * m) - 2 * left / (n * (n - 1)) - 2 * right / (m * (m - 1))
        let score = distance * n * m / (n + m)
        if score > best?.score ?? 0 { best = (index, score) }
      }
      left += distances[index][..<index].reduce(0, +)
      right -= distances[index][index...].reduce(0, +)
    }
    return best
  }

  /// A source of permutations that are always the same.
  private struct Shuffle: RandomNumberGenerator {
    private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

    /// Returns the next number (xorshift64, G. Marsaglia, "Xorshift RNGs", 2003).
    mutating func next() -> UInt64 {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return state
    }
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
