package import AppBoot

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

extension StartupPlan {
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
