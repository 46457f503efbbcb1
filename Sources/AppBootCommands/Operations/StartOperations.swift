import AppBoot
import AppBootBase

/// The wait for the program of a step's `unless`. It succeeds when the program has ended in any way.
final class NeedCheckOperation: PolledOperation {
  private struct State: Sendable {
    var hasSucceeded = false
    var isStopped = false
  }

  private let check: any NeedCheck
  private let state = Lock(State())

  init(_ check: any NeedCheck) { self.check = check }

  /// True if the program has ended with a success.
  var hasSucceeded: Bool { state.withLock(\.hasSucceeded) }

  var descriptors: [Int32] { check.descriptors }
  var obstacle: String? { "\"\(check.program)\" of \"unless\" has not ended" }

  func advance() -> Result<Void, any Error>? {
    guard let hasSucceeded = check.advance() else { return nil }
    let isStopped = state.withLock { state in
      state.hasSucceeded = hasSucceeded
      return state.isStopped
    }
    return isStopped ? .failure(CancellationError()) : .success(())
  }

  func release() { check.release() }

  func stop(isForced: Bool) {
    state.withLock { $0.isStopped = true }
    check.stop()
  }
}

/// The wait after a start that failed, because the system allows no further process or open descriptor.
final class ShortageOperation: PolledOperation {
  private let error: any ShortageError
  private let endWait: @Sendable () -> Void
  private let due = MonotonicClock.now() + ShortageRetry.pause
  private let isStopped = Lock(false)

  /// - Parameter endWait: A function that is called if the step is stopped during the wait.
  init(_ error: any ShortageError, endWait: @escaping @Sendable () -> Void) {
    (self.error, self.endWait) = (error, endWait)
  }

  var descriptors: [Int32] { [] }
  var isDelayed: Bool { true }
  var nextDeadline: Int64? { isStopped.withLock(\.self) ? 0 : due }
  var obstacle: String? { "its process cannot start yet: \(error)" }

  func advance() -> Result<Void, any Error>? {
    if isStopped.withLock(\.self) {
      endWait()
      return .failure(CancellationError())
    }
    return MonotonicClock.now() >= due ? .success(()) : nil
  }

  func release() {}

  func stop(isForced: Bool) { isStopped.withLock { $0 = true } }
}
