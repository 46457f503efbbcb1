import AppBootSystem

/// The error that ends unnecessary work. It has the reason in words.
struct Unnecessary: Error {
  let reason: String
}

/// A program that decides whether a step is needed: exit code 0 makes the step unnecessary. Its output is dropped.
final class NeedCheck: Sendable {
  /// The interval between two checks for a cancellation, in nanoseconds.
  private static let interval: Int64 = 20_000_000
  /// Nanoseconds between asking the program to stop and killing it.
  private static let grace: Int64 = 2_000_000_000

  let program: String
  private let process: Subprocess
  private let exitDescriptor: Int32
  private let isOutputOpen = Lock(true)

  /// Starts the program.
  ///
  /// - Throws: ``NeedCheckError``.
  init(_ arguments: [String], in context: LaunchContext) throws(NeedCheckError) {
    program = arguments.first ?? ""
    let directory = context.directory
    let request = ProcessRequest(
      arguments, directory: directory == "." ? nil : directory, environment: context.processVariables,
      captureOutput: true)
    do throws(SpawnError) {
      (process, exitDescriptor) = try request.startWatched()
    } catch {
      throw NeedCheckError(reason: error.description)
    }
  }

  /// The descriptors to watch, open until ``release()``.
  var descriptors: [Int32] {
    [exitDescriptor] + (isOutputOpen.withLock(\.self) ? [process.outputDescriptor].compactMap(\.self) : [])
  }

  /// Drops the output, and returns the end of the program; `nil` while it runs. Never waits.
  ///
  /// Kills processes that the program left running.
  func advance() -> ProcessEnd? {
    isOutputOpen.withLock { isOpen in
      if isOpen { isOpen = process.readOutput { _ in } }
    }
    guard let end = process.end() else { return nil }
    process.killGroup(Signals.kill)
    return end
  }

  func stop(isForced: Bool) {
    guard process.end() == nil else { return }
    if isForced { process.killGroup(Signals.kill) } else { process.askToStop(Signals.terminate) }
  }

  /// Kills a program that still runs, reaps it, and closes the descriptors; further calls have no effect.
  func release() {
    process.killGroup(Signals.kill)
    process.finish()
  }

  /// Waits for the end of the program on the calling thread.
  ///
  /// - Throws: `CancellationError` once the step was cancelled and the program has ended; `SystemError`.
  func wait(isCancelled: () -> Bool) throws -> ProcessEnd {
    let poller = try Poller()
    var watched: [Int32] = []
    var cancelledAt: Int64?
    while true {
      if let end = advance() {
        if cancelledAt != nil { throw CancellationError() }
        return end
      }
      let now = MonotonicClock.now()
      if let cancelledAt {
        if now - cancelledAt >= Self.grace { stop(isForced: true) }
      } else if isCancelled() {
        cancelledAt = now
        stop(isForced: false)
      }
      let wanted = descriptors
      for descriptor in watched where !wanted.contains(descriptor) { poller.remove(descriptor) }
      for descriptor in wanted where !watched.contains(descriptor) { try poller.add(descriptor, token: 0) }
      watched = wanted
      _ = try poller.wait(deadline: now + Self.interval)
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
    if let operation { operation.stop(isForced: isForced) } else { check.stop(isForced: isForced) }
  }
}
