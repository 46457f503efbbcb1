import AppBootSystem

/// Fixed pieces of work of the processor, timed beside each launch of a check: they tell a slow machine from a slow launch.
///
/// A busy neighbour slows some kinds of work more than others, so there is one of each: a chain of dependent operations, many
/// independent ones, and memory that comes and goes.
enum CPUCalibration {
  private static let repetitions: UInt64 = 3

  /// How long a check waits for a busy machine to calm down, in all and before one launch, and how long between two
  /// looks; in nanoseconds.
  static let patience: Int64 = 5_000_000_000
  private static let patienceOfOne: Int64 = 500_000_000
  private static let pause: Int64 = 25_000_000

  /// The same once the machine is as quick as the limits say, or when patience ends; without limits at once.
  static func measure(within limits: [Int64], patience: inout Int64) -> [Int64] {
    let start = MonotonicClock.now()
    let end = start + min(patience, patienceOfOne)
    defer { patience -= MonotonicClock.now() - start }
    while true {
      let times = measure()
      let isCalm = zip(times, limits).allSatisfy { $0 <= $1 }
      guard !isCalm, MonotonicClock.now() < end, let poller = try? Poller() else { return times }
      _ = try? poller.wait(deadline: MonotonicClock.now() + pause)
    }
  }

  /// The processor time of each piece in nanoseconds, the fastest of three.
  static func measure() -> [Int64] { [chain, lanes, memory].map(fastest) }

  private static func fastest(_ work: (UInt64) -> UInt64) -> Int64 {
    var fastest = Int64.max
    for seed in 1...repetitions {
      let start = ThreadClock.now()
      let result = work(seed)
      fastest = min(fastest, ThreadClock.now() - start)
      // It never is 0; the compiler cannot know, and leaves the work in.
      if result == 0 { return 0 }
    }
    return fastest
  }

  /// Marsaglia's xorshift generator ("Xorshift RNGs", 2003): each step needs the one before.
  private static func chain(_ seed: UInt64) -> UInt64 {
    var state = seed &+ 0x9E37_79B9_7F4A_7C15
    for _ in 0..<300_000 { state = next(state) }
    return state
  }

  private static func next(_ state: UInt64) -> UInt64 {
    var state = state
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }

  /// Eight chains at once, which fill the processor.
  private static func lanes(_ seed: UInt64) -> UInt64 {
    var lanes = SIMD8<UInt64>(repeating: seed &+ 0x9E37_79B9_7F4A_7C15) &+ SIMD8(1, 2, 3, 4, 5, 6, 7, 8)
    for _ in 0..<100_000 {
      lanes ^= lanes &<< 13
      lanes ^= lanes &>> 7
      lanes ^= lanes &<< 17
    }
    return lanes.wrappedSum() | 1
  }

  /// Memory that is taken, written and given back, in sizes that differ.
  ///
  /// No type of the standard library takes part: what they cost differs by a third from one process to the next, which tells
  /// nothing of the machine.
  private static func memory(_ seed: UInt64) -> UInt64 {
    let places = 256
    return withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: places) { blocks in
      blocks.initialize(repeating: nil)
      var (state, sum) = (seed, seed)
      for _ in 0..<32_000 {
        state = next(state)
        let place = Int(truncatingIfNeeded: state) & (places - 1)
        if let former = blocks[place] {
          sum ^= former.load(as: UInt64.self)
          former.deallocate()
        }
        let size = 16 + Int(truncatingIfNeeded: state >> 8) & 511
        let block = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
        block.storeBytes(of: state, as: UInt64.self)
        blocks[place] = block
      }
      for block in blocks { block?.deallocate() }
      return sum | 1
    }
  }
}
