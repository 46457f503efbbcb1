import AppBootSystem
package import Testing

/// A trait that runs each test on threads of its own, as many tests at once as the machine has use for.
///
/// It is for tests that block, for example while a process runs. Without it they hold the threads of Swift's pool, of
/// which there is one for each processor, and the tasks of other tests wait.
package struct OwnThread: SuiteTrait, TestTrait, TestScoping {
  package let isRecursive = true

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    await Self.slots.take()
    defer { Self.slots.release() }
    try await withTaskExecutorPreference(ThreadExecutor()) { try await function() }
  }

  private static let slots = Slots(2 * Host.usableProcessorCount)
}

extension Trait where Self == OwnThread {
  /// A trait that runs each test on threads of its own.
  package static var ownThread: Self { OwnThread() }
}

/// An executor that runs each job on a new thread.
private final class ThreadExecutor: TaskExecutor {
  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    Thread.detach(name: "test") { job.runSynchronously(on: executor) }
  }
}

/// A number of slots that tasks wait for without blocking a thread. The first to wait is the first to get one.
private final class Slots: Sendable {
  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Lock<State>

  init(_ count: Int) { state = Lock(State(free: count)) }

  func take() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.free > 0 else {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  func release() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard !state.waiting.isEmpty else {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}
