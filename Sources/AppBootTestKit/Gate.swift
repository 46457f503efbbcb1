import AppBootSystem

/// Holds threads back until it is opened: order in tests comes from gates, never from sleeping.
public final class Gate: Sendable {
  private let state = Condition(false)

  /// Creates a closed gate.
  public init() {}

  /// Opens the gate, for good.
  public func open() {
    state.withLock { $0 = true }
    state.broadcast()
  }

  /// Blocks the calling thread until the gate is open.
  public func wait() {
    _ = state.wait { $0 ? () : nil }
  }
}

extension Gate {
  /// Suspends the calling task until the gate is open; no thread of the cooperative pool is blocked.
  public func passed() async {
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

/// Runs the body on a thread of its own and suspends until it has returned.
///
/// For work that blocks, such as the synchronous `run()`: the cooperative pool's threads are few, and the
/// tasks that such work waits for may need them.
public func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
  await withCheckedContinuation { continuation in
    Thread.detach(name: "test") { continuation.resume(returning: body()) }
  }
}
