package import AppBoot
import AppBootBase

/// A polled command whose work is a ``PolledOperation``.
package protocol OperationCommand: PolledCommand {
  /// The limits that the command's parameters set, including default values.
  var stepLimits: [StepLimit] { get }

  /// Throws an error if this machine cannot start the work. The tool calls it before the first step of a launch.
  func checkPreconditions(in context: LaunchContext) throws

  /// Starts the work of the command.
  ///
  /// - Throws: An error if the work cannot be started. No process or open descriptor then remains.
  func start(in context: LaunchContext) throws -> any PolledOperation

  /// Starts the undo of the command, if that is polled work too.
  ///
  /// - Throws: An error if the undo cannot be started. No process or open descriptor then remains.
  func startUndo(in context: LaunchContext) throws -> any PolledOperation
}

extension OperationCommand {
  /// The operations with the poller of this module.
  package static var makeOperations: LaunchOperationsMaker? { PolledOperations.maker() }

  /// No limits.
  package var stepLimits: [StepLimit] { [] }

  /// Checks nothing.
  package func checkPreconditions(in context: LaunchContext) throws {}

  /// Undoes nothing.
  package func startUndo(in context: LaunchContext) throws -> any PolledOperation {
    FinishedOperation(.success(()))
  }
}

extension LaunchPlan {
  /// Returns the limits that the parameters of a step's command set. Only commands that take no slot of `jobs` are
  /// asked.
  package func limits(ofStep step: Int) -> [StepLimit] {
    guard outline[step].placement.takesNoSlot else { return [] }
    return (polledCommand(step) as? any OperationCommand)?.stepLimits ?? []
  }

  /// Throws the first error of a step that this machine cannot start (``OperationCommand/checkPreconditions(in:)``).
  ///
  /// Steps that may be unnecessary, and steps that may fail, are not checked.
  package func checkPreconditions() throws {
    lazy var contexts = detachedContexts()
    for (index, step) in outline.steps.enumerated()
    where step.skip == nil && step.unless == nil && step.onFailure != .continue {
      guard let command = polledCommand(index) as? any OperationCommand else { continue }
      do {
        try command.checkPreconditions(in: contexts(index))
      } catch let error as any MissingPrecondition {
        throw MissingStepPrecondition(step: step.id, error: error)
      }
    }
  }
}

/// An error that reports that a step cannot start on this machine, before the first step of its launch.
struct MissingStepPrecondition: MissingPrecondition, CustomStringConvertible {
  let step: String
  let error: any MissingPrecondition

  var description: String { "\(step): \(error)" }
}

/// A limit that a parameter of a step's command sets, for example a grace period. `appboot list` shows it.
package struct StepLimit: Sendable, Hashable {
  /// The value of a limit.
  package enum Value: Sendable, Hashable {
    case duration(Int64)
    case count(Int)
    case word(String)
  }

  /// The path of the parameter, for example `stop.grace`.
  package let name: String
  package let value: Value

  package init(_ name: String, _ value: Value) { (self.name, self.value) = (name, value) }
}

/// Running work of a polled command. The poller of the launch advances it when a descriptor is readable, and at its
/// deadline.
package protocol PolledOperation: AnyObject, Sendable {
  /// The descriptors to watch now. They stay open until ``release()``.
  ///
  /// The poller reads it after the start and after each call of ``advance()``.
  var descriptors: [Int32] { get }

  /// The time of the monotonic clock at which the work continues even if no descriptor is readable; `nil` for none.
  ///
  /// The poller reads it after the start, and after each call of ``advance()`` and ``stop(isForced:)``.
  var nextDeadline: Int64? { get }

  /// Advances the work as far as possible without waiting. Returns the result; `nil` if the work has not ended.
  func advance() -> Result<Void, any Error>?

  /// Closes the descriptors. It is called after the work has ended and no descriptor is watched.
  func release()

  /// The CPU time of the work in nanoseconds; `nil` if it is unknown. It is known after ``release()``.
  var cpuTime: Int64? { get }

  /// The output after the last complete line, for example a question; `nil` if all lines are complete.
  var unfinishedLine: String? { get }

  /// The reason why the work has not ended; `nil` if it is unknown. The failure of a step that times out contains it.
  var obstacle: String? { get }

  /// True if the result is known, although the work has not ended. The step does not time out then.
  var isConcluded: Bool { get }

  /// True while the work waits for the system to have a place for its process.
  var isDelayed: Bool { get }

  /// Takes a function to call when ``advance()`` has a result that no descriptor and no deadline shows.
  ///
  /// The poller calls it once, after the start.
  func whenNews(_ wake: @escaping @Sendable () -> Void)

  /// Asks the work to end, or stops it by force. Afterwards ``advance()`` returns the result when the work has ended.
  ///
  /// - Parameter isForced: True to stop the work by force.
  func stop(isForced: Bool)
}

extension PolledOperation {
  package var nextDeadline: Int64? { nil }

  package var cpuTime: Int64? { nil }

  package var unfinishedLine: String? { nil }

  package var obstacle: String? { nil }

  package var isConcluded: Bool { false }

  package var isDelayed: Bool { false }

  package func whenNews(_ wake: @escaping @Sendable () -> Void) {}
}

/// An operation that ended when it was created.
final class FinishedOperation: PolledOperation {
  private let result: Result<Void, any Error>

  init(_ result: Result<Void, any Error>) { self.result = result }

  var descriptors: [Int32] { [] }
  func advance() -> Result<Void, any Error>? { result }
  func release() {}
  func stop(isForced: Bool) {}
}

/// The wait for the program of a step's `unless`. It succeeds when the program has ended in any way.
final class UnlessOperation: PolledOperation {
  private struct State: Sendable {
    var hasSucceeded = false
    var isStopped = false
  }

  private let check: any UnlessCheck
  private let state = Lock(State())

  init(_ check: any UnlessCheck) { self.check = check }

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
