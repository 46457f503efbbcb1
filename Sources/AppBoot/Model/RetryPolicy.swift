/// A policy for repeating a failed step: the number of attempts, and the delays between them.
public struct RetryPolicy: Sendable, Hashable {
  /// The maximum number of attempts, at least 1.
  public var attempts: Int
  /// The delay before the second attempt in nanoseconds. It doubles before each further attempt.
  public var backoff: Int64
  /// The maximum delay in nanoseconds.
  public var maximumBackoff: Int64

  /// Creates a policy. The delays are in nanoseconds.
  public init(attempts: Int, backoff: Int64 = 100_000_000, maximumBackoff: Int64 = 30_000_000_000) {
    self.attempts = max(1, attempts)
    self.backoff = max(0, backoff)
    self.maximumBackoff = max(0, maximumBackoff)
  }

  /// Returns the delay in nanoseconds after a failed attempt: `backoff × 2^(attempt − 1)`, at most ``maximumBackoff``.
  ///
  /// - Parameter attempt: The number of the failed attempt. The first one is 1.
  public func delay(afterAttempt attempt: Int) -> Int64 {
    let factor = Int64(1) << Int64(Swift.min(62, Swift.max(0, attempt - 1)))
    let (product, overflow) = backoff.multipliedReportingOverflow(by: factor)
    return overflow ? maximumBackoff : Swift.min(product, maximumBackoff)
  }
}
