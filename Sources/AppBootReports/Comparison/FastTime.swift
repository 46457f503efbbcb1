/// The expected fastest time of k launches: the mean, over all choices of k values, of the smallest value chosen.
///
/// A plain minimum decreases with the number of values and depends on a single one. This mean does neither, so sets of
/// different sizes are comparable. It is a sum over order statistics: the i-th smallest of n values is the smallest in
/// C(n − i, k − 1) of the C(n, k) choices.
enum FastTime {
  /// Returns k for sets of these sizes: half of the smaller size, at least 1.
  static func size(_ base: Int, _ head: Int) -> Int { max(1, min(base, head) / 2) }

  /// Returns the expected fastest of `size` values, in nanoseconds; 0 if there is no value.
  static func of(_ values: [Int64], size: Int) -> Int64 {
    guard !values.isEmpty else { return 0 }
    let size = min(size, values.count)
    var weight = Double(size) / Double(values.count)
    var sum = 0.0
    for (index, value) in values.sorted().enumerated() {
      sum += weight * Double(value)
      // C(n − i − 1, k − 1) from C(n − i, k − 1).
      let rest = values.count - index - 1
      guard rest >= size else { break }
      weight *= Double(rest - size + 1) / Double(rest)
    }
    return Int64(sum.rounded())
  }
}
