import AppBoot
import AppBootBase

/// The operation of a polled step with a program in its `unless`. The step's own work starts after that program.
final class CheckedOperation: PolledOperation {
  private struct State: Sendable {
    /// The operation of the step's work; `nil` before it has started.
    var operation: (any PolledOperation)?
    /// True if the step was stopped by force, false if it was asked to stop; `nil` if it was not stopped.
    var stop: Bool?
  }

  private let check: any NeedCheck
  private let start: @Sendable (_ succeeded: Bool) throws -> any PolledOperation
  private let state = Lock(State())

  /// Creates the operation.
  ///
  /// - Parameter start: A function that starts the step's work when the program has ended. It throws an error if the
  ///   step is unnecessary.
  init(_ check: any NeedCheck, start: @escaping @Sendable (_ succeeded: Bool) throws -> any PolledOperation) {
    (self.check, self.start) = (check, start)
  }

  private var operation: (any PolledOperation)? { state.withLock(\.operation) }

  var descriptors: [Int32] { operation?.descriptors ?? check.descriptors }
  var nextDeadline: Int64? { operation?.nextDeadline }
  var cpuTime: Int64? { operation?.cpuTime }
  var unfinishedLine: String? { operation?.unfinishedLine }
  var isDelayed: Bool { operation?.isDelayed ?? false }

  var obstacle: String? {
    guard let operation else { return "\"\(check.program)\" of \"unless\" has not ended" }
    return operation.obstacle
  }

  func advance() -> Result<Void, any Error>? {
    if let operation {
      // No poller watches the program's descriptors any more.
      check.release()
      return operation.advance()
    }
    guard let hasSucceeded = check.advance() else { return nil }
    if state.withLock({ $0.stop != nil }) { return .failure(CancellationError()) }
    do {
      let operation = try start(hasSucceeded)
      let stop = state.withLock { state in
        state.operation = operation
        return state.stop
      }
      if let stop { operation.stop(isForced: stop) }
      return operation.descriptors.isEmpty ? operation.advance() : nil
    } catch {
      return .failure(error)
    }
  }

  func release() {
    check.release()
    operation?.release()
  }

  func stop(isForced: Bool) {
    let operation = state.withLock { state in
      state.stop = isForced
      return state.operation
    }
    if let operation { operation.stop(isForced: isForced) } else { check.stop() }
  }
}
