import Testing

@testable import AppBoot

@Suite("The delays of a retry")
struct RetryPolicyTests {
  @Test(
    "The delay doubles after each attempt, up to maxBackoff",
    arguments: [
      (RetryPolicy(attempts: 9), [100, 200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]),
      (RetryPolicy(attempts: 9, backoff: .milliseconds(5), maxBackoff: .milliseconds(12)), [5, 10, 12, 12]),
      (RetryPolicy(attempts: 9, backoff: .milliseconds(5), maxBackoff: .zero), [0, 0]),
      (RetryPolicy(attempts: 9, backoff: .zero), [0, 0]),
    ])
  func delays(policy: RetryPolicy, expected: [Int64]) {
    let delays = (1...expected.count).map { policy.delay(afterAttempt: $0) }
    #expect(delays == expected.map { $0 * 1_000_000 })
  }

  @Test("The delay after a very late attempt is maxBackoff", arguments: [40, 63, 64, 1000, Int.max])
  func late(attempt: Int) {
    #expect(RetryPolicy(attempts: 1000).delay(afterAttempt: attempt) == 30_000_000_000)
  }
}
