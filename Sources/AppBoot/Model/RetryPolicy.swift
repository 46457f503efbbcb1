/// A policy for repeating a failed step: the number of attempts, and the delays between them.
public struct RetryPolicy: Sendable, Hashable {
  /// The maximum number of attempts, at least 1.
  public internal(set) var attempts: Int
  /// The delay before the second attempt in nanoseconds.
  package var backoffTime: Int64
  /// The maximum delay in nanoseconds.
  package var maxBackoffTime: Int64

  /// Creates a policy.
  ///
  /// - Parameters:
  ///   - attempts: The maximum number of attempts; at least 1 is used.
  ///   - backoff: The delay before the second attempt; at least 0 is used. It doubles before each further attempt.
  ///   - maxBackoff: The maximum delay; at least 0 is used.
  public init(
    attempts: Int, backoff: Duration = .milliseconds(100), maxBackoff: Duration = .seconds(30)
  ) {
    self.init(
      attempts: max(1, attempts), backoffTime: max(0, backoff.nanoseconds),
      maxBackoffTime: max(0, maxBackoff.nanoseconds))
  }

  package init(attempts: Int, backoffTime: Int64, maxBackoffTime: Int64) {
    (self.attempts, self.backoffTime, self.maxBackoffTime) = (attempts, backoffTime, maxBackoffTime)
  }

  /// The delay before the second attempt. It doubles before each further attempt.
  public var backoff: Duration { .nanoseconds(backoffTime) }
  /// The maximum delay.
  public var maxBackoff: Duration { .nanoseconds(maxBackoffTime) }

  /// Returns the delay in nanoseconds after a failed attempt: `backoff × 2^(attempt − 1)`, at most ``maxBackoff``.
  ///
  /// - Parameter attempt: The number of the failed attempt. The first one is 1.
  package func delay(afterAttempt attempt: Int) -> Int64 {
    let factor = Int64(1) << Int64(Swift.min(62, Swift.max(0, attempt - 1)))
    let (product, overflow) = backoffTime.multipliedReportingOverflow(by: factor)
    return overflow ? maxBackoffTime : Swift.min(product, maxBackoffTime)
  }
}
