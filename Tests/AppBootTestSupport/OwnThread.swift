import AppBootSystem
package import Testing

/// A trait that runs each test on threads of its own, at most two tests for each processor.
///
/// It is for tests that block, for example while a process runs. Without it they hold the threads of Swift's pool,
/// which has one for each processor, and the tasks of other tests wait.
package struct OwnThread: SuiteTrait, TestTrait, TestScoping {
  package let isRecursive = true

  package func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    // A suite and its test can both have the trait.
    if Self.hasSlot { return try await function() }
    try await OwnThreads.run {
      await Slots.shared.take()
      defer { Slots.shared.release() }
      let limit = Self.limits.schedule(after: Self.longest) {
        fatalError("\(test.sourceLocation): the test \(test.name) has not ended after 20 minutes")
      }
      defer { limit.cancel() }
      try await Self.$hasSlot.withValue(true) { try await TestTimes.measure(test, function) }
    }
  }

  /// The nanoseconds after which a test ends the process: nothing else ends a blocked thread.
  private static let longest: Int64 = 1_200_000_000_000
  private static let limits = ThreadTimer()
  @TaskLocal private static var hasSlot = false
}

extension Trait where Self == OwnThread {
  /// A trait that runs each test on threads of its own.
  package static var ownThread: Self { OwnThread() }
}

/// A namespace for a function that runs tests on threads of their own.
///
/// A test that waits for a slot, or has one, must not need Swift's pool: other tests may keep the pool busy for long,
/// and the slot would be of no use meanwhile.
enum OwnThreads {
  /// Runs a closure on threads of its own, if the system has executors of tasks.
  static func run(_ body: @Sendable () async throws -> Void) async rethrows {
    if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
      try await withTaskExecutorPreference(ThreadExecutor.shared) { try await body() }
    } else {
      try await body()
    }
  }
}

/// An executor that runs each job on a new thread.
@available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
private final class ThreadExecutor: TaskExecutor {
  static let shared = ThreadExecutor()

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    let executor = asUnownedTaskExecutor()
    Thread.detach(name: "test") { job.runSynchronously(on: executor) }
  }
}
