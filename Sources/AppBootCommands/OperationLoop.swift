import AppBoot
import AppBootSystem

/// A loop that runs the operation of a polled command whose `execute(in:)` is called directly, not by the engine.
///
/// It occupies one thread while the operation runs. If the caller's task is cancelled, the loop asks the operation to
/// stop. After the default grace period of a launch it stops the operation by force.
final class OperationLoop: Sendable {
  private let operation: any PolledOperation
  private let poller: Poller
  private let cancelledAt = Lock<Int64?>(nil)

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

  private init(_ operation: any PolledOperation) throws(SystemError) {
    self.operation = operation
    poller = try Poller()
  }

  private func cancel() {
    cancelledAt.withLock { $0 = $0 ?? MonotonicClock.now() }
    operation.stop(isForced: false)
    poller.wake()
  }

  private func runOnThread() async -> Result<Void, any Error> {
    await withCheckedContinuation { continuation in
      do {
        try Thread.start(name: "appboot-process") { [self] in continuation.resume(returning: watch()) }
      } catch {
        operation.stop(isForced: true)
        continuation.resume(returning: .failure(error))
      }
    }
  }

  private func watch() -> Result<Void, any Error> {
    do {
      var watched: [Int32] = []
      while true {
        let result = operation.advance()
        let wanted = result == nil ? operation.descriptors + operation.laterDescriptors : []
        for descriptor in watched where !wanted.contains(descriptor) { poller.remove(descriptor) }
        for descriptor in wanted where !watched.contains(descriptor) { try poller.add(descriptor, token: 0) }
        watched = wanted
        if let result {
          operation.release()
          return result
        }
        try wait()
      }
    } catch {
      operation.stop(isForced: true)
      return .failure(error)
    }
  }

  /// Waits until the operation can continue. Stops it by force if its grace period is over.
  private func wait() throws(SystemError) {
    let next = operation.nextDeadline
    guard let cancelled = cancelledAt.withLock(\.self) else {
      _ = try poller.wait(deadline: next)
      return
    }
    let deadline = cancelled + StartupRunner.Configuration.defaultGrace
    if try poller.wait(deadline: min(deadline, next ?? .max)).isEmpty, MonotonicClock.now() >= deadline {
      operation.stop(isForced: true)
      _ = try poller.wait(deadline: operation.nextDeadline)
    }
  }
}
