import AppBootSystem

/// A set of calibration runs, which show the speed of the machine. `check` times them before and after each launch.
///
/// A calibration run is a fixed piece of work. Other work on the machine slows some kinds of work more than others. So
/// there are three kinds of runs: a chain of dependent operations, many independent operations, and memory that is
/// allocated and freed.
enum CPUCalibration {
  private static let repetitions: UInt64 = 3
  /// The divisor of the amount of work in a run. Without optimization the full amount takes 30 times as long.
  private static let divisor = isOptimized ? 1 : 32
  #if DEBUG
  private static let isOptimized = false
  #else
  private static let isOptimized = true
  #endif

  /// The maximum time in nanoseconds that a check waits while the machine is busy.
  static let patience: Int64 = 5_000_000_000
  /// The maximum time in nanoseconds that a check waits before one launch.
  private static let patienceOfLaunch: Int64 = 500_000_000
  /// The pause in nanoseconds between two calibration runs while the check waits.
  private static let pause: Int64 = 25_000_000

  /// Repeats the calibration runs until their times are within the limits, or the time to wait is over.
  ///
  /// Returns the last times. Without limits, the runs are not repeated.
  ///
  /// - Parameters:
  ///   - limits: The maximum nanoseconds of each kind of run on an idle machine.
  ///   - patience: The nanoseconds that are left for waiting. The elapsed time is subtracted from it.
  static func measure(within limits: [Int64], patience: inout Int64) -> [Int64] {
    let start = MonotonicClock.now()
    let end = start + min(patience, patienceOfLaunch)
    defer { patience -= MonotonicClock.now() - start }
    while true {
      let times = measure()
      let isIdle = zip(times, limits).allSatisfy { $0 <= $1 }
      guard !isIdle, MonotonicClock.now() < end, let poller = try? Poller() else { return times }
      _ = try? poller.wait(deadline: MonotonicClock.now() + pause)
    }
  }

  /// Returns the CPU times of the kinds of runs in nanoseconds. Each is the fastest of three repetitions.
  static func measure() -> [Int64] { [chain, vector, memory].map(fastest) }

  private static func fastest(_ work: (UInt64) -> UInt64) -> Int64 {
    var fastest = Int64.max
    for seed in 1...repetitions {
      let start = ThreadClock.now()
      let result = work(seed)
      fastest = min(fastest, ThreadClock.now() - start)
      // The result is never 0. The check keeps the compiler from removing the work.
      if result == 0 { return 0 }
    }
    return fastest
  }

  /// Runs Marsaglia's xorshift generator ("Xorshift RNGs", 2003) as a chain of dependent operations. Returns its last
  /// number.
  private static func chain(_ seed: UInt64) -> UInt64 {
    var state = seed &+ 0x9E37_79B9_7F4A_7C15
    for _ in 0..<300_000 / divisor { state = next(state) }
    return state
  }

  private static func next(_ state: UInt64) -> UInt64 {
    var state = state
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }

  /// Runs eight generators at the same time, as independent operations. Returns a sum of their last numbers.
  private static func vector(_ seed: UInt64) -> UInt64 {
    var states = SIMD8<UInt64>(repeating: seed &+ 0x9E37_79B9_7F4A_7C15) &+ SIMD8(1, 2, 3, 4, 5, 6, 7, 8)
    for _ in 0..<100_000 / divisor {
      states ^= states &<< 13
      states ^= states &>> 7
      states ^= states &<< 17
    }
    return states.wrappedSum() | 1
  }

  /// Allocates, writes and frees memory blocks of different sizes. Returns a value that depends on their contents.
  ///
  /// It uses no type of the standard library: their cost differs by a third between processes on the same machine.
  private static func memory(_ seed: UInt64) -> UInt64 {
    let places = 256
    return withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: places) { blocks in
      blocks.initialize(repeating: nil)
      var (state, sum) = (seed, seed)
      for _ in 0..<32_000 / divisor {
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
