/// How often a step is tried and how long it waits in between.
public struct RetryPolicy: Sendable, Hashable {
  /// How often it is tried in all, at least 1.
  public var attempts: Int
  /// Nanoseconds before the second attempt; doubled before each further one.
  public var backoff: Int64
  /// The longest wait in nanoseconds.
  public var maximumBackoff: Int64

  /// Creates a policy.
  public init(attempts: Int, backoff: Int64 = 100_000_000, maximumBackoff: Int64 = 30_000_000_000) {
    self.attempts = max(1, attempts)
    self.backoff = max(0, backoff)
    self.maximumBackoff = max(0, maximumBackoff)
  }

  /// Nanoseconds to wait after the attempt (1 for the first) failed: `backoff × 2^(attempt − 1)`, capped.
  public func delay(afterAttempt attempt: Int) -> Int64 {
    let factor = Int64(1) << Int64(Swift.min(62, Swift.max(0, attempt - 1)))
    let (product, overflow) = backoff.multipliedReportingOverflow(by: factor)
    return overflow ? maximumBackoff : Swift.min(product, maximumBackoff)
  }
}
