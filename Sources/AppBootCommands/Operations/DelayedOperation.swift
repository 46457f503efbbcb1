import AppBoot
import AppBootBase

/// Work that could not start, because the system allows no further process or open descriptor.
///
/// It tries again every 10 ms while other work is under way. Without other work nothing would become free, so it fails.
final class DelayedOperation: PolledOperation {
  /// A function that starts the work. It is called for each attempt.
  typealias Start = @Sendable () throws -> any PolledOperation

  private struct State: Sendable {
    /// The work, once it has started.
    var operation: (any PolledOperation)?
    /// True for a stop by force; `nil` until the step is stopped.
    var stop: Bool?
    /// The time of the next attempt on the monotonic clock.
    var due: Int64
    /// The error of the last attempt.
    var error: any ShortageError
  }

  /// The nanoseconds between two attempts.
  private static let interval: Int64 = 10_000_000

  private let operations: PolledOperations
  private let start: Start
  private let endWait: @Sendable () -> Void
  private let state: Lock<State>

  private init(
    _ operations: PolledOperations, after error: any ShortageError, in context: LaunchContext,
    _ start: @escaping Start
  ) {
    (self.operations, self.start, endWait) = (operations, start, context.startSpan("cannot start yet"))
    state = Lock(State(due: MonotonicClock.now() + Self.interval, error: error))
  }

  /// Starts work. If a limit of the system prevents it and other work is under way, returns a delayed operation.
  ///
  /// - Parameters:
  ///   - operations: The operations of the launch.
  ///   - context: The context of the step. It receives the wait as a span.
  ///   - start: Starts the work. Called for each attempt.
  /// - Throws: The error of the start.
  static func start(
    _ operations: PolledOperations, in context: LaunchContext, _ start: @escaping Start
  ) throws -> any PolledOperation {
    do {
      return try start()
    } catch let error as any ShortageError {
      guard error.isShortage, operations.isBusy else { throw error }
      return DelayedOperation(operations, after: error, in: context, start)
    }
  }

  private var operation: (any PolledOperation)? { state.withLock(\.operation) }

  var descriptors: [Int32] { operation?.descriptors ?? [] }
  var cpuTime: Int64? { operation?.cpuTime }
  var unfinishedLine: String? { operation?.unfinishedLine }
  var isDelayed: Bool { operation?.isDelayed ?? true }
  var nextDeadline: Int64? {
    state.withLock { $0.operation == nil ? $0.due : nil } ?? operation?.nextDeadline
  }

  var obstacle: String? {
    guard let operation else { return state.withLock { "its process cannot start yet: \($0.error)" } }
    return operation.obstacle
  }

  func advance() -> Result<Void, any Error>? {
    let (operation, isStopped, due) = state.withLock { ($0.operation, $0.stop != nil, $0.due) }
    if let operation { return operation.advance() }
    if isStopped {
      endWait()
      return .failure(CancellationError())
    }
    guard MonotonicClock.now() >= due else { return nil }
    do {
      let operation = try start()
      endWait()
      let stop = state.withLock { state in
        state.operation = operation
        return state.stop
      }
      if let stop { operation.stop(isForced: stop) }
      return operation.descriptors.isEmpty ? operation.advance() : nil
    } catch let error as any ShortageError where error.isShortage && operations.isBusy {
      state.withLock { state in
        state.error = error
        if state.stop == nil { state.due = MonotonicClock.now() + Self.interval }
      }
      return nil
    } catch {
      endWait()
      return .failure(error)
    }
  }

  func release() { operation?.release() }

  func stop(isForced: Bool) {
    let operation = state.withLock { state in
      (state.stop, state.due) = (isForced, 0)
      return state.operation
    }
    operation?.stop(isForced: isForced)
  }
}
