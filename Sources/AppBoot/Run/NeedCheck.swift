import AppBootSystem

/// The error that ends unnecessary work. It has the reason in words.
struct Unnecessary: Error {
  let reason: String
}

/// A program that decides whether a step is needed: exit code 0 makes the step unnecessary.
///
/// Its standard streams are `/dev/null`.
final class NeedCheck: Sendable {
  /// The interval between two checks for a cancellation, in nanoseconds.
  private static let interval: Int64 = 20_000_000

  let program: String
  private let process: Subprocess
  private let exitDescriptor: Int32

  /// Starts the program.
  ///
  /// - Throws: ``NeedCheckError``.
  init(_ arguments: [String], in context: LaunchContext) throws(NeedCheckError) {
    program = arguments.first ?? ""
    var request = ProcessRequest(arguments, of: context)
    request.passing = []
    do throws(SpawnError) {
      (process, exitDescriptor) = try request.startWatched()
    } catch {
      throw NeedCheckError(reason: error.description)
    }
  }

  /// The descriptors to watch, open until ``release()``.
  var descriptors: [Int32] { [exitDescriptor] }

  /// Returns the end of the program; `nil` while it runs. Never waits.
  ///
  /// Kills processes that the program left running.
  func advance() -> ProcessEnd? {
    guard let end = process.end() else { return nil }
    process.killGroup(Signals.kill)
    return end
  }

  /// Kills the program without a grace period, because a check has nothing to clean up.
  func stop() { process.killGroup(Signals.kill) }

  /// Kills a program that still runs, reaps it, and closes the descriptors; further calls have no effect.
  func release() {
    stop()
    _ = process.wait()
    process.finish()
  }

  /// Waits for the end of the program on the calling thread.
  ///
  /// - Throws: `CancellationError` if the step was cancelled; the program may then run until ``release()``.
  ///   `SystemError` if the poller fails.
  func wait(isCancelled: () -> Bool) throws -> ProcessEnd {
    let poller = try Poller()
    try poller.add(exitDescriptor, token: 0)
    while true {
      if let end = advance() { return end }
      if isCancelled() { throw CancellationError() }
      _ = try poller.wait(deadline: MonotonicClock.now() + Self.interval)
    }
  }
}

/// A program of `unless` that cannot be started.
struct NeedCheckError: Error, CustomStringConvertible {
  let reason: String

  var description: String { "the program of \"unless\" cannot be started: \(reason)" }
}

/// The work of a polled step, which starts after the program of its `unless`.
final class CheckedOperation: PolledOperation {
  private struct State: Sendable {
    /// The step's own work, once it has started.
    var operation: (any PolledOperation)?
    /// True for a stop by force; `nil` until the step is stopped.
    var stop: Bool?
  }

  private let check: NeedCheck
  private let start: @Sendable (ProcessEnd) throws -> any PolledOperation
  private let state = Lock(State())

  /// - Parameter start: Starts the step's work when the check has ended, or throws if it is unnecessary.
  init(_ check: NeedCheck, start: @escaping @Sendable (ProcessEnd) throws -> any PolledOperation) {
    (self.check, self.start) = (check, start)
  }

  private var operation: (any PolledOperation)? { state.withLock(\.operation) }

  var descriptors: [Int32] { operation?.descriptors ?? check.descriptors }
  var laterDescriptors: [Int32] { operation?.laterDescriptors ?? [] }
  var nextDeadline: Int64? { operation?.nextDeadline }
  var cpuTime: Int64? { operation?.cpuTime }
  var unfinishedLine: String? { operation?.unfinishedLine }

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
