import AppBootSystem
import Testing

/// A barrier that blocks threads until it is opened. Tests use it to force an order without sleeping.
///
/// A gate that does not open within ten minutes is a failure, and the test goes on: a time limit of Swift Testing does
/// not end a blocked thread.
package final class Gate: Sendable {
  private let state = Condition(false)

  /// Creates a closed gate.
  package init() {}

  /// Opens the gate. It cannot be closed again.
  package func open() {
    state.withLock { $0 = true }
    state.broadcast()
  }

  /// Blocks the calling thread until the gate is open.
  package func wait() {
    let limit = MonotonicClock.now() + 600_000_000_000
    if state.wait(until: limit, for: { $0 ? () : nil }) == nil {
      Issue.record("a gate was not opened within ten minutes")
    }
  }
}

extension Gate {
  /// Suspends the calling task until the gate is open. It blocks no thread of Swift's cooperative pool.
  package func passed() async {
    await withCheckedContinuation { continuation in
      do {
        try Thread.start(name: "gate") { [self] in
          wait()
          continuation.resume()
        }
      } catch {
        continuation.resume()
      }
    }
  }
}

/// Suspends the calling task until it is cancelled.
///
/// - Throws: `CancellationError`, always.
package func untilCancelled() async throws -> Never {
  let (values, continuation) = AsyncStream.makeStream(of: Never.self)
  for await _ in values {}
  withExtendedLifetime(continuation) {}
  throw CancellationError()
}

/// Runs `body` on a new thread, and suspends the caller until `body` returns.
///
/// Use it for blocking work, for example the synchronous `run()`. Swift's cooperative pool has few threads, and the
/// tasks that the blocking work waits for may need them.
package func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
  await withCheckedContinuation { continuation in
    Thread.detach(name: "test") { continuation.resume(returning: body()) }
  }
}
