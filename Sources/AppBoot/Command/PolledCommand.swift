/// A command whose work is done elsewhere, for example in a process or by a server behind a socket.
///
/// The engine watches the work with a poller. While the command waits, it occupies neither a thread nor a task.
package protocol PolledCommand: AsyncCommand {
  /// True if the command only waits for something outside of the launch. Its steps then take no slot of `jobs`.
  static var onlyWaits: Bool { get }

  /// True if the command can use variables as secrets, for example in a header field (``secretVariables``).
  static var usesSecretVariables: Bool { get }

  /// The function that makes the operations of a launch; `nil` if the command cannot run.
  static var makeOperations: LaunchOperationsMaker? { get }

  /// The function that starts programs of `unless`; `nil` for commands that start no programs.
  static var startNeedCheck: NeedCheckStart? { get }

  /// True if the command can start a process. The tool then puts a keeper above the launch.
  var startsProcesses: Bool { get }

  /// The nanoseconds from a cancellation until the work is stopped by force; `nil` for the grace period of the launch.
  var grace: Int64? { get }

  /// The limits that the command's parameters set, including default values.
  var stepLimits: [StepLimit] { get }

  /// True if the command must run on the main lane, because it needs something that only one command at a time can use.
  var needsMainLane: Bool { get }

  /// True if the command starts a service, which keeps running after the command's step has ended.
  var startsService: Bool { get }

  /// The environment variables whose values are secret because of their use, for example in a header field.
  ///
  /// It is not read if ``usesSecretVariables`` is false.
  var secretVariables: [String] { get }

  /// Throws an error if this machine cannot start the work. The tool calls it before the first step of a launch.
  func checkPreconditions(in context: LaunchContext) throws

  /// Starts the work of the command.
  ///
  /// - Throws: An error if the work cannot be started. No process or open descriptor then remains.
  func start(in context: LaunchContext) throws -> any PolledOperation
}

extension PolledCommand {
  /// False, because steps take a slot by default.
  package static var onlyWaits: Bool { false }

  /// False, because commands use no variables as secrets by default.
  package static var usesSecretVariables: Bool { false }

  /// `nil`, for a command that a simulation runs.
  package static var makeOperations: LaunchOperationsMaker? { nil }

  /// `nil`, for a command that starts no programs.
  package static var startNeedCheck: NeedCheckStart? { nil }

  /// True, because most polled commands start processes.
  package var startsProcesses: Bool { true }

  /// `nil`, for the grace period of the launch.
  package var grace: Int64? { nil }

  /// No limits.
  package var stepLimits: [StepLimit] { [] }

  /// False, because polled commands run in the background by default.
  package var needsMainLane: Bool { false }

  /// Checks nothing.
  package func checkPreconditions(in context: LaunchContext) throws {}

  /// False, because most polled commands start no service.
  package var startsService: Bool { false }

  /// No variables.
  package var secretVariables: [String] { [] }

  /// Polled execution: an operation starts, and is polled until it ends.
  public static var execution: CommandExecution { .polled(Self.self) }
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

/// Running work of a polled command. The engine advances it when a descriptor is readable, and at its deadline.
package protocol PolledOperation: AnyObject, Sendable {
  /// The descriptors to watch now. They stay open until ``release()``.
  ///
  /// The engine reads it after the start and after each call of ``advance()``.
  var descriptors: [Int32] { get }

  /// The descriptors to watch in addition after the work has run for a short time. They stay open until ``release()``.
  ///
  /// Most processes end before. The engine then does not wake up for the end of their output and again for their own
  /// end.
  var laterDescriptors: [Int32] { get }

  /// The time of the monotonic clock at which the work continues even if no descriptor is readable; `nil` for none.
  ///
  /// The engine reads it after the start, and after each call of ``advance()`` and ``stop(isForced:)``.
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

  /// True while the work waits for the system to have a place for its process.
  var isDelayed: Bool { get }

  /// Asks the work to end, or stops it by force. Afterwards ``advance()`` returns the result when the work has ended.
  ///
  /// - Parameter isForced: True to stop the work by force.
  func stop(isForced: Bool)
}

extension PolledOperation {
  package var laterDescriptors: [Int32] { [] }

  package var nextDeadline: Int64? { nil }

  package var cpuTime: Int64? { nil }

  package var unfinishedLine: String? { nil }

  package var obstacle: String? { nil }

  package var isDelayed: Bool { false }
}
