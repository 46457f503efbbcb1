/// A way in which the engine executes a command.
///
/// Each command type declares it (``Command/_execution``), because a dynamic cast takes longer than most steps of a
/// plan. Only the types of this package name it: the underscores keep it out of an app's documentation.
public struct _CommandExecution: Sendable {
  package let kind: StepKind
  /// The type of the polled command; `nil` for commands of other kinds.
  let polledType: (any PolledCommand.Type)?
  /// A function that returns a command as a polled command; `nil` for other commands.
  private let cast: @Sendable (any Command) -> (any PolledCommand)?
  /// A function that calls the asynchronous `execute(in:)` of a command; `nil` for commands of other kinds.
  let call: (@Sendable (any Command, LaunchContext) async throws -> Void)?

  private init(
    _ kind: StepKind, _ polledType: (any PolledCommand.Type)? = nil,
    cast: @escaping @Sendable (any Command) -> (any PolledCommand)? = { _ in nil },
    call: (@Sendable (any Command, LaunchContext) async throws -> Void)? = nil
  ) {
    self.kind = kind
    self.polledType = polledType
    self.cast = cast
    self.call = call
  }

  /// A synchronous call of `execute(in:)`.
  static var synchronous: _CommandExecution { _CommandExecution(.synchronous) }
  /// Returns the execution of a command with an asynchronous `execute(in:)`.
  static func asynchronous<Kind: AsyncCommand>(_ type: Kind.Type) -> _CommandExecution {
    _CommandExecution(.asynchronous, call: { try await ($0 as? Kind)?.execute(in: $1) })
  }
  /// Returns the execution of a polled command. The engine starts its work and then watches it.
  ///
  /// - Parameter adapt: A function that returns the polled command of a command; `nil` for commands of other types.
  package static func polled<Kind: PolledCommand>(
    _ type: Kind.Type, _ adapt: @escaping @Sendable (any Command) -> Kind? = { $0 as? Kind }
  ) -> _CommandExecution {
    _CommandExecution(type.onlyWaits ? .waiting : .polled, type, cast: adapt)
  }

  /// True if the work is a task that a polled command starts.
  var runsTask: Bool { polledType?.runsTask ?? false }

  /// Returns a command as a polled command; `nil` for other commands.
  ///
  /// A cast to the protocol would search all conformances of the program.
  package static func polledCommand(_ command: any Command) -> (any PolledCommand)? {
    type(of: command)._execution.cast(command)
  }

  /// Returns the lane of a command.
  ///
  /// - Parameter general: The lane of the command's type. It is the result unless the command needs the main lane.
  func lane(of command: any Command, in general: Lane) -> Lane {
    cast(command)?.needsMainLane == true ? .main : general
  }
}
