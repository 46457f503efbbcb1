/// Numbers by a key. They are in one array, instead of one array for each key, so that few allocations create them.
struct NumberBuckets: Sendable {
  private let starts: [UInt32]
  private let numbers: [UInt64]

  /// Creates the buckets. The numbers of a key keep their order.
  ///
  /// - Parameters:
  ///   - count: The number of keys. The keys are 0 to `count - 1`.
  ///   - keys: The keys of the numbers, in the same order.
  init(count: Int, keys: [Int], numbers: [UInt64]) {
    var starts = [UInt32](repeating: 0, count: count + 1)
    for key in keys { starts[key + 1] += 1 }
    for key in 0..<count { starts[key + 1] += starts[key] }
    var ends = starts
    var sorted = numbers
    for (index, key) in keys.enumerated() {
      sorted[Int(ends[key])] = numbers[index]
      ends[key] += 1
    }
    (self.starts, self.numbers) = (starts, sorted)
  }

  /// The numbers of a key.
  subscript(key: Int) -> ArraySlice<UInt64> { numbers[Int(starts[key])..<Int(starts[key + 1])] }
}
