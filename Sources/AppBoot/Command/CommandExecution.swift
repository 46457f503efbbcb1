/// A way in which the engine executes a command.
///
/// Each command type declares it (``Command/_execution``), because a dynamic cast takes longer than most steps of a
/// plan. Only the types of this package name it: the underscores keep it out of an app's documentation.
public struct _CommandExecution: Sendable {
  package let kind: StepKind
  /// The type of the polled command; `nil` for commands of other kinds.
  let polledType: (any PolledCommand.Type)?
  /// The lane of every command of this kind; `nil` if the command's options name it.
  private let lane: Lane?
  /// A function that returns a command as a polled command; `nil` for other commands.
  private let cast: @Sendable (any Command) -> (any PolledCommand)?
  /// A function that calls the asynchronous `execute(in:)` of a command; `nil` for commands of other kinds.
  let call: (@Sendable (any Command, LaunchContext) async throws -> Void)?

  private init(
    _ kind: StepKind, _ polledType: (any PolledCommand.Type)? = nil, lane: Lane? = nil,
    cast: @escaping @Sendable (any Command) -> (any PolledCommand)? = { _ in nil },
    call: (@Sendable (any Command, LaunchContext) async throws -> Void)? = nil
  ) {
    self.kind = kind
    self.polledType = polledType
    self.lane = lane
    self.cast = cast
    self.call = call
  }

  /// A synchronous call of `execute(in:)`.
  static var synchronous: _CommandExecution { _CommandExecution(.synchronous) }
  /// Returns the execution of a command with an asynchronous `execute(in:)`.
  ///
  /// - Parameter lane: The lane of every command of this kind; `nil` if the command's options name it.
  static func asynchronous<Kind: AsyncCommand>(_ type: Kind.Type, lane: Lane? = nil) -> _CommandExecution {
    _CommandExecution(.asynchronous, lane: lane, call: { try await ($0 as? Kind)?.execute(in: $1) })
  }
  /// Returns the execution of a polled command. The engine starts its work and then watches it.
  ///
  /// - Parameter adapt: A function that returns the polled command of a command; `nil` for commands of other types.
  package static func polled<Kind: PolledCommand>(
    _ type: Kind.Type, _ adapt: @escaping @Sendable (any Command) -> Kind? = { $0 as? Kind }
  ) -> _CommandExecution {
    _CommandExecution(type.onlyWaits ? .slotless : .polled, type, cast: adapt)
  }

  /// True if the work is a task that a polled command starts.
  var runsTask: Bool { polledType?.runsTask ?? false }

  /// Returns a command as a polled command; `nil` for other commands.
  ///
  /// A cast to the protocol would search all conformances of the program.
  package static func polledCommand(_ command: any Command) -> (any PolledCommand)? {
    type(of: command)._execution.cast(command)
  }

  /// Returns the lane of a command. `options` are the options of its type.
  func lane(of command: any Command, _ options: CommandOptions) -> Lane {
    cast(command)?.needsMainLane == true ? .main : lane(options)
  }

  /// Returns the lane of a type of command with the options. A single command can still need the main lane.
  package func lane(_ options: CommandOptions) -> Lane { lane ?? options.lane }
}

/// A command whose work is done elsewhere, for example in a process or by a server behind a socket.
///
/// The operations of the launch (``LaunchOperations``) start the work, and watch it with a poller. While the command
/// waits, it occupies neither a thread nor a task.
package protocol PolledCommand: AsyncCommand {
  /// True if the command only waits for something outside of the launch. Its steps then take no slot of `jobs`.
  static var onlyWaits: Bool { get }

  /// True if the work is a task of the app, which can use the main actor.
  static var runsTask: Bool { get }

  /// The function that makes the operations of a launch; `nil` if the command cannot run.
  static var makeOperations: LaunchOperationsMaker? { get }

  /// The function that starts programs of `unless`; `nil` for commands that start no programs.
  static var startUnlessCheck: UnlessCheckStart? { get }

  /// True if the command can start a process. The tool then starts a watcher for its processes.
  var startsProcesses: Bool { get }

  /// The nanoseconds from a cancellation until the work is stopped by force; `nil` for the grace period of the launch.
  var grace: Int64? { get }

  /// True if the command must run on the main lane, because it needs something that only one command at a time can use.
  var needsMainLane: Bool { get }

  /// True if the command starts a service, which keeps running after the command's step has ended.
  var startsService: Bool { get }

  /// The ranges of TCP ports, by name, from each of which the command reserves the first free port. The name of `port`
  /// is empty.
  var reservedPorts: [String: ClosedRange<UInt16>] { get }

  /// The environment variables whose values are secret because of their use, for example in a header field.
  var secretVariables: [String] { get }
}

extension PolledCommand {
  /// False, because steps take a slot by default.
  package static var onlyWaits: Bool { false }

  /// False, because most work is done outside of the app.
  package static var runsTask: Bool { false }

  /// `nil`, for a command that a simulation runs.
  package static var makeOperations: LaunchOperationsMaker? { nil }

  /// `nil`, for a command that starts no programs.
  package static var startUnlessCheck: UnlessCheckStart? { nil }

  /// True, because most polled commands start processes.
  package var startsProcesses: Bool { true }

  /// `nil`, for the grace period of the launch.
  package var grace: Int64? { nil }

  /// False, because polled commands run in the background by default.
  package var needsMainLane: Bool { false }

  /// False, because most polled commands start no service.
  package var startsService: Bool { false }

  /// No ports.
  package var reservedPorts: [String: ClosedRange<UInt16>] { [:] }

  /// No variables.
  package var secretVariables: [String] { [] }

  /// Polled execution: the operations of the launch start the work, and watch it until it ends.
  public static var _execution: _CommandExecution { .polled(Self.self) }
}
