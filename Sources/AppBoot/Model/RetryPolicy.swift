/// The number of attempts of a step, and the delays between them.
public struct RetryPolicy: Sendable, Hashable {
  /// The number of attempts, at least 1.
  public var attempts: Int
  /// The delay before the second attempt, in nanoseconds; it doubles before each further attempt.
  public var backoff: Int64
  /// The longest delay, in nanoseconds.
  public var maximumBackoff: Int64

  /// Creates a policy; the delays are in nanoseconds.
  public init(attempts: Int, backoff: Int64 = 100_000_000, maximumBackoff: Int64 = 30_000_000_000) {
    self.attempts = max(1, attempts)
    self.backoff = max(0, backoff)
    self.maximumBackoff = max(0, maximumBackoff)
  }

  /// Returns the delay in nanoseconds after an attempt (1 for the first) failed: `backoff × 2^(attempt − 1)`, capped.
  public func delay(afterAttempt attempt: Int) -> Int64 {
    let factor = Int64(1) << Int64(Swift.min(62, Swift.max(0, attempt - 1)))
    let (product, overflow) = backoff.multipliedReportingOverflow(by: factor)
    return overflow ? maximumBackoff : Swift.min(product, maximumBackoff)
  }
}
