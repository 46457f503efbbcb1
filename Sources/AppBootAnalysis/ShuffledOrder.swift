/// A start order in place of the longest path, to find dependencies that the plan does not declare.
package enum ShuffledOrder {
  /// Returns the random rank of each step. The same seed gives the same ranks.
  ///
  /// Source: SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", 2014).
  package static func ranks(count: Int, seed: Int) -> [Int32] {
    let keys = (0..<count).map { step -> UInt64 in
      var key = (UInt64(seed) &* 1_000_003 &+ UInt64(step)) &* 0x9E37_79B9_7F4A_7C15
      key = (key ^ (key >> 30)) &* 0xBF58_476D_1CE4_E5B9
      key = (key ^ (key >> 27)) &* 0x94D0_49BB_1331_11EB
      return key ^ (key >> 31)
    }
    return ranks(of: keys.indices.sorted { keys[$0] < keys[$1] })
  }

  /// Returns the rank of each step in an order of all steps.
  package static func ranks(of order: [Int]) -> [Int32] {
    var ranks = [Int32](repeating: 0, count: order.count)
    for (rank, step) in order.enumerated() { ranks[step] = Int32(rank) }
    return ranks
  }
}
