import AppBootSystem

/// A fixed piece of work of the processor, timed beside each launch of a check: it tells a slow machine from a slow launch.
enum Yardstick {
  /// Some milliseconds of work in a release build.
  private static let rounds = 1_000_000
  private static let repetitions = 3

  /// The processor time of the work in nanoseconds, the fastest of three.
  static func measure() -> Int64 {
    var fastest = Int64.max
    for seed in 1...repetitions {
      let start = ThreadClock.now()
      let result = work(UInt64(seed))
      fastest = min(fastest, ThreadClock.now() - start)
      // It never is 0; the compiler cannot know, and leaves the work in.
      if result == 0 { return 0 }
    }
    return fastest
  }

  /// Marsaglia's xorshift generator ("Xorshift RNGs", 2003): each step needs the one before.
  private static func work(_ seed: UInt64) -> UInt64 {
    var state = seed &+ 0x9E37_79B9_7F4A_7C15
    for _ in 0..<rounds {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
    }
    return state
  }
}
