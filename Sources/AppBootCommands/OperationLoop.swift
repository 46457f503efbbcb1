import AppBoot
import AppBootBase

/// A loop that runs the operation of a polled command whose `execute(in:)` is called directly, not by the engine.
///
/// It occupies one thread while the operation runs. If the caller's task is cancelled, the loop asks the operation to
/// stop. After the default grace period of a launch it stops the operation by force.
final class OperationLoop: Sendable {
  private static let work = EngineWork(step: 0, attempt: 1, kind: .polled)

  private let operations: PolledOperations
  /// The time at which the operation is stopped by force; `nil` before the task is cancelled, and after that stop.
  private let forceDue = Lock<Int64?>(nil)

  /// Runs the operation to its end.
  ///
  /// - Throws: The operation's error; `CancellationError` if the task was cancelled.
  static func run(_ operation: any PolledOperation) async throws {
    let result: Result<Void, any Error>
    do {
      let loop = try OperationLoop(operation)
      result = await withTaskCancellationHandler {
        await loop.runOnThread()
      } onCancel: {
        loop.cancel()
      }
    } catch {
      operation.stop(isForced: true)
      throw error
    }
    try result.get()
  }

  private init(_ operation: any PolledOperation) throws {
    operations = try PolledOperations(watch: nil)
    operations.add(operation, for: Self.work)
  }

  private func cancel() {
    forceDue.withLock { $0 = MonotonicClock.now() + StartupRunner.Configuration.defaultGrace }
    operations.stop(Self.work, isForced: false)
    operations.wake()
  }

  private func runOnThread() async -> Result<Void, any Error> {
    await withCheckedContinuation { continuation in
      do {
        try Thread.start(name: "appboot-process") { [self] in continuation.resume(returning: watch()) }
      } catch {
        operations.stopAll()
        continuation.resume(returning: .failure(error))
      }
    }
  }

  private func watch() -> Result<Void, any Error> {
    while true {
      if let end = operations.advance(Self.work) { return end.result }
      let forceDue = forceDue.withLock(\.self)
      _ = operations.wait(until: forceDue)
      if let forceDue, MonotonicClock.now() >= forceDue {
        self.forceDue.withLock { $0 = nil }
        operations.stop(Self.work, isForced: true)
      }
    }
  }
}
