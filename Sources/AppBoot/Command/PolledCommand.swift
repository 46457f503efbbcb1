/// A command whose work is done elsewhere (in a process, behind a socket) and only has to be watched.
///
/// The engine watches it with a poller: it holds neither a thread nor a task while it waits.
package protocol PolledCommand: AsyncCommand {
  /// True if the command only waits for something outside of the launch: its steps take no slot of `jobs`.
  static var onlyWaits: Bool { get }

  /// True if the command can use variables as secrets, for example in a header (``secretVariables``).
  static var usesSecretVariables: Bool { get }

  /// True if it can start a process: the tool then puts a keeper above the launch.
  var startsProcesses: Bool { get }

  /// The nanoseconds between a cancellation and its force; `nil` for those of the launch.
  var grace: Int64? { get }

  /// The limits in force that the command's parameters set, defaults included, by the parameter's path.
  var limits: [StepLimit] { get }

  /// True if the command runs on the main lane, because no other may run at the same time that needs the same.
  var needsMainLane: Bool { get }

  /// The environment variables whose values are secret because of their use, for example in a header.
  ///
  /// Not read if ``usesSecretVariables`` is false.
  var secretVariables: [String] { get }

  /// Starts the work.
  ///
  /// - Throws: An error if it could not be started; then no process or descriptor is left behind.
  func start(in context: LaunchContext) throws -> any PolledOperation
}

extension PolledCommand {
  /// False: its steps take a slot.
  package static var onlyWaits: Bool { false }

  /// False: the command uses no variable as a secret.
  package static var usesSecretVariables: Bool { false }

  /// True.
  package var startsProcesses: Bool { true }

  /// `nil`: the launch's.
  package var grace: Int64? { nil }

  /// None.
  package var limits: [StepLimit] { [] }

  /// False: it runs in the background.
  package var needsMainLane: Bool { false }

  /// No variables.
  package var secretVariables: [String] { [] }

  /// Watched by the engine.
  public static var execution: CommandExecution { .polled(Self.self) }
}

/// A limit of a step that a parameter of its command sets, for lists.
package struct StepLimit: Sendable, Hashable {
  /// The value of a limit.
  package enum Value: Sendable, Hashable {
    case duration(Int64)
    case count(Int)
    case word(String)
  }

  /// The path of the parameter: `stop.grace`.
  package let name: String
  package let value: Value

  package init(_ name: String, _ value: Value) { (self.name, self.value) = (name, value) }
}

/// Running work; the engine advances it when one of its descriptors is readable, and at its deadline.
package protocol PolledOperation: AnyObject, Sendable {
  /// The descriptors to watch now, open until ``release()``; asked for after the start and each step forward.
  var descriptors: [Int32] { get }

  /// Descriptors that are watched as well once the work has lasted for a moment, also open until ``release()``.
  ///
  /// Most processes end before: nothing is woken for the end of their output and again for their own.
  var laterDescriptors: [Int32] { get }

  /// The time of the monotonic clock at which the work continues, though no descriptor is readable.
  ///
  /// The engine asks for it after the start, each step forward and ``stop(isForced:)``.
  var nextDeadline: Int64? { get }

  /// Advances the work as far as possible without waiting; returns `nil` until it has ended.
  func advance() -> Result<Void, any Error>?

  /// Closes the descriptors, after the work has ended and none of them is watched.
  func release()

  /// The CPU time of the work in nanoseconds, after ``release()``; `nil` if it is unknown.
  var cpuTime: Int64? { get }

  /// The output after the last complete line, for example a question; `nil` if every line is complete.
  var unfinishedLine: String? { get }

  /// The reason for which the work has not ended, for the failure of a step that times out; `nil` if it is unknown.
  var obstacle: String? { get }

  /// Asks the work to end, or ends it at once if `isForced`. ``advance()`` returns the result when the work has ended.
  func stop(isForced: Bool)
}

extension PolledOperation {
  package var laterDescriptors: [Int32] { [] }

  package var nextDeadline: Int64? { nil }

  package var cpuTime: Int64? { nil }

  package var unfinishedLine: String? { nil }

  package var obstacle: String? { nil }
}
