import AppBootSystem

/// An error that ends the work of an unnecessary step. It has the reason in words.
package struct Unnecessary: Error {
  let reason: String

  package init(reason: String) { self.reason = reason }
}

/// A program of `unless` that decides whether a step is needed. If it exits with 0, the step is unnecessary.
///
/// Its standard streams are `/dev/null`.
final class NeedCheck: Sendable {
  /// The nanoseconds between two checks for a cancellation.
  private static let interval: Int64 = 20_000_000
  /// The nanoseconds between two looks at the program if nothing watches its end.
  private static let unwatchedInterval: Int64 = 2_000_000

  let program: String
  private let process: Subprocess
  private let exitDescriptor: Int32

  /// Starts the program.
  ///
  /// - Throws: ``NeedCheckError`` if it cannot be started.
  init(_ arguments: [String], in context: LaunchContext) throws(NeedCheckError) {
    program = arguments.first ?? ""
    var request = ProcessRequest(arguments, of: context)
    request.passing = []
    do throws(SpawnError) {
      (process, exitDescriptor) = try request.startWatched()
    } catch {
      throw NeedCheckError(error)
    }
  }

  /// The descriptors to watch. They are open until ``release()``.
  var descriptors: [Int32] { [exitDescriptor] }

  /// Returns the exit code or signal of the program; `nil` while it runs. It never waits.
  ///
  /// Kills the processes that the program left running once it has ended.
  func advance() -> ProcessEnd? {
    guard let end = process.end() else { return nil }
    process.killGroup(Signals.kill)
    return end
  }

  /// Kills the program. It has no grace period, because it has nothing to clean up.
  func stop() { process.killGroup(Signals.kill) }

  /// Kills the program if it runs, reaps it, and closes the descriptors. Further calls have no effect.
  func release() {
    stop()
    _ = process.wait()
    process.finish()
  }

  /// Waits on the calling thread until the program has ended.
  ///
  /// - Throws: `CancellationError` if the step was cancelled; the program may then run until ``release()``.
  func wait(isCancelled: () -> Bool) throws -> ProcessEnd {
    // Without a free descriptor there is no poller, and the loop looks every few milliseconds.
    let poller = try? Poller()
    let isWatched = (try? poller?.add(exitDescriptor, token: 0)) != nil
    while true {
      if let end = advance() { return end }
      if isCancelled() { throw CancellationError() }
      if !isWatched || (try? poller?.wait(deadline: MonotonicClock.now() + Self.interval)) == nil {
        Thread.sleep(for: Self.unwatchedInterval)
      }
    }
  }
}

/// An error that reports that the program of `unless` cannot be started.
struct NeedCheckError: ShortageError, CustomStringConvertible {
  private let reason: SpawnError

  init(_ reason: SpawnError) { self.reason = reason }

  /// True also if the program was started and killed again: it only looks, so that a second start does no harm.
  var isShortage: Bool {
    if case .unwatchable(let error) = reason { return error.isShortage }
    return reason.isShortage
  }
  var description: String { "the program of \"unless\" cannot be started: \(reason)" }
}

/// The operation of a polled step with a program in its `unless`. The step's own work starts after that program.
final class CheckedOperation: PolledOperation {
  private struct State: Sendable {
    /// The operation of the step's work; `nil` before it has started.
    var operation: (any PolledOperation)?
    /// True if the step was stopped by force, false if it was asked to stop; `nil` if it was not stopped.
    var stop: Bool?
  }

  private let check: NeedCheck
  private let start: @Sendable (ProcessEnd) throws -> any PolledOperation
  private let state = Lock(State())

  /// Creates the operation.
  ///
  /// - Parameter start: A function that starts the step's work when the program has ended. It throws an error if the
  ///   step is unnecessary.
  init(_ check: NeedCheck, start: @escaping @Sendable (ProcessEnd) throws -> any PolledOperation) {
    (self.check, self.start) = (check, start)
  }

  private var operation: (any PolledOperation)? { state.withLock(\.operation) }

  var descriptors: [Int32] { operation?.descriptors ?? check.descriptors }
  var laterDescriptors: [Int32] { operation?.laterDescriptors ?? [] }
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
    guard let end = check.advance() else { return nil }
    if state.withLock({ $0.stop != nil }) { return .failure(CancellationError()) }
    do {
      let operation = try start(end)
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
