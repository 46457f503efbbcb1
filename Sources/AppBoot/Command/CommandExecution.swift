/// The kind of execution that a command needs from the engine.
///
/// Each command states it (``Command/execution``), because a dynamic cast takes longer than most steps of a plan.
public struct CommandExecution: Sendable {
  private let way: Way

  private enum Way {
    case synchronous, asynchronous
    case polled(Start, onlyWaits: Bool, needsMainLane: @Sendable (any Command) -> Bool)
  }

  /// A function that starts a polled command's work and returns the running operation; `nil` for another command.
  typealias Start =
    @Sendable (_ command: any Command, _ context: LaunchContext) throws -> (any PolledOperation)?

  /// A synchronous `execute(in:)`.
  public static var synchronous: CommandExecution { CommandExecution(way: .synchronous) }
  /// An asynchronous `execute(in:)`.
  public static var asynchronous: CommandExecution { CommandExecution(way: .asynchronous) }
  /// Returns the execution of a polled command, whose work the engine only watches.
  package static func polled<Polled: PolledCommand>(_: Polled.Type) -> CommandExecution {
    CommandExecution(
      way: .polled(
        { try ($0 as? Polled)?.start(in: $1) }, onlyWaits: Polled.onlyWaits,
        needsMainLane: { ($0 as? Polled)?.needsMainLane ?? false }))
  }

  var kind: StepKind {
    switch way {
    case .synchronous: .synchronous
    case .asynchronous: .asynchronous
    case .polled(_, let onlyWaits, _): onlyWaits ? .waiting : .polled
    }
  }

  var start: Start? {
    if case .polled(let start, _, _) = way { start } else { nil }
  }

  /// Returns the lane of a command, whose type has a lane in general.
  func lane(of command: any Command, in general: Lane) -> Lane {
    guard case .polled(_, _, let needsMainLane) = way else { return general }
    return needsMainLane(command) ? .main : general
  }
}
