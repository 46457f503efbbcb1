/// A way in which the engine executes a command.
///
/// Each command type declares it (``Command/execution``), because a dynamic cast takes longer than most steps of a
/// plan.
public struct CommandExecution: Sendable {
  private let way: Way

  private enum Way {
    case synchronous, asynchronous
    case polled(Polled)
  }

  private struct Polled {
    let start: Start
    let onlyWaits: Bool
    let usesSecretVariables: Bool
    /// True if the work is a task of the app, which can use the main actor.
    let runsTask: Bool
    let startNeedCheck: NeedCheckStart?
    let makeOperations: LaunchOperationsMaker?
    let cast: @Sendable (any Command) -> (any PolledCommand)?
  }

  /// A function that starts the work of a polled command, and returns the running operation; `nil` for other commands.
  typealias Start =
    @Sendable (_ command: any Command, _ context: LaunchContext) throws -> (any PolledOperation)?

  /// A synchronous call of `execute(in:)`.
  public static var synchronous: CommandExecution { CommandExecution(way: .synchronous) }
  /// An asynchronous call of `execute(in:)`.
  public static var asynchronous: CommandExecution { CommandExecution(way: .asynchronous) }
  /// Returns the execution of a polled command. The engine starts its work and then watches it.
  package static func polled<Kind: PolledCommand>(_: Kind.Type) -> CommandExecution {
    CommandExecution(
      way: .polled(
        Polled(
          start: { try ($0 as? Kind)?.start(in: $1) }, onlyWaits: Kind.onlyWaits,
          usesSecretVariables: Kind.usesSecretVariables, runsTask: false, startNeedCheck: Kind.startNeedCheck,
          makeOperations: Kind.makeOperations, cast: { $0 as? Kind })))
  }
  /// Returns the execution of a command whose work is a task that a polled command starts.
  ///
  /// - Parameter adapt: A function that returns the polled command of a command; `nil` for commands of other types.
  package static func polled<Kind: PolledCommand>(
    as _: Kind.Type, _ adapt: @escaping @Sendable (any Command) -> Kind?
  ) -> CommandExecution {
    CommandExecution(
      way: .polled(
        Polled(
          start: { try adapt($0)?.start(in: $1) }, onlyWaits: Kind.onlyWaits,
          usesSecretVariables: Kind.usesSecretVariables, runsTask: true, startNeedCheck: nil,
          makeOperations: Kind.makeOperations, cast: { adapt($0) })))
  }

  var kind: StepKind {
    switch way {
    case .synchronous: .synchronous
    case .asynchronous: .asynchronous
    case .polled(let polled): polled.onlyWaits ? .waiting : .polled
    }
  }

  private var polled: Polled? {
    if case .polled(let polled) = way { polled } else { nil }
  }

  var start: Start? { polled?.start }

  /// The function with which the command's type starts programs of `unless`; `nil` if it has none.
  var startNeedCheck: NeedCheckStart? { polled?.startNeedCheck }

  /// The function that makes the operations of a launch; `nil` for commands that are not polled.
  var makeOperations: LaunchOperationsMaker? { polled?.makeOperations }

  /// True if the work is a task that a polled command starts.
  var runsTask: Bool { polled?.runsTask ?? false }

  /// Returns a command as a polled command; `nil` for other commands.
  ///
  /// A cast to the protocol would search all conformances of the program.
  static func polledCommand(_ command: any Command) -> (any PolledCommand)? {
    type(of: command).execution.polled?.cast(command)
  }

  /// True if the command can use variables as secrets, for example in a header field.
  var usesSecretVariables: Bool { polled?.usesSecretVariables ?? false }

  /// Returns the lane of a command.
  ///
  /// - Parameter general: The lane of the command's type. It is the result unless the command needs the main lane.
  func lane(of command: any Command, in general: Lane) -> Lane {
    guard let polled else { return general }
    return polled.cast(command)?.needsMainLane == true ? .main : general
  }
}
