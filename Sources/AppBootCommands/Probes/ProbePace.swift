/// The pauses between the checks of a probe.
enum ProbePace: Sendable, Hashable {
  /// Short pauses for a socket or a file of this machine, which is noticed within milliseconds.
  case local
  /// Growing pauses with jitter for an address of another machine, and for a program.
  case remote
  /// A fixed time in nanoseconds from the start of one attempt to the start of the next.
  case every(Int64)

  /// The pauses in nanoseconds.
  private static let (shortest, longestLocal, short, long, longest): (Int64, Int64, Int64, Int64, Int64) =
    (1_000_000, 4_000_000, 5_000_000, 100_000_000, 1_000_000_000)

  /// Returns the nanoseconds until the next attempt, with jitter.
  ///
  /// - Parameters:
  ///   - elapsed: The nanoseconds since the start of the probe.
  ///   - duration: The nanoseconds that the last attempt took.
  func pause(after elapsed: Int64, attempt duration: Int64) -> Int64 {
    .random(in: pauses(after: elapsed, attempt: duration))
  }

  /// Returns the range of the nanoseconds until the next attempt.
  ///
  /// On this machine they are 1/32 of the elapsed time, from 1 ms to 4 ms, and from 8 s on 1/2000 of it, at most 1 s.
  /// Otherwise they are 1/4 to 1/2 of the elapsed time, from 5 ms to 1 s. They are at least as long as the attempt,
  /// so that a program uses at most half of a processor.
  func pauses(after elapsed: Int64, attempt duration: Int64) -> ClosedRange<Int64> {
    switch self {
    case .local:
      let quick = min(max(elapsed / 32, Self.shortest), Self.longestLocal)
      let pause = max(quick, min(elapsed / 2000, Self.longest))
      return pause...pause
    case .remote:
      let most = min(max(elapsed / 2, Self.short), Self.longest)
      return max(most / 2, Self.short, duration)...max(most, duration)
    case .every(let interval):
      let pause = max(interval - duration, Self.shortest)
      return pause...pause
    }
  }

  /// Returns the nanoseconds until an attempt that has not ended is looked at again: 1/32 of its time, at least 1 ms.
  func look(after duration: Int64) -> Int64 {
    min(max(duration / 32, Self.shortest), self == .local ? Self.longestLocal : Self.long)
  }
}
