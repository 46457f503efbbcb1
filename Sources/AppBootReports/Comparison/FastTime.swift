/// A function that estimates the fastest time of k launches from the times of n launches.
///
/// The estimate is the mean, over all choices of k values, of the smallest value chosen. A plain minimum decreases with
/// the number of values and depends on a single one. This mean does neither, so sets of different sizes are comparable.
/// It is a sum over the sorted values: the i-th smallest of n values is the smallest in C(n − i, k − 1) of the C(n, k)
/// choices.
enum FastTime {
  /// Returns the k to use for sets of these sizes: half of the smaller size, at least 1.
  static func size(_ base: Int, _ head: Int) -> Int { max(1, min(base, head) / 2) }

  /// Returns the estimated fastest time of `size` launches, in nanoseconds; 0 without values.
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
