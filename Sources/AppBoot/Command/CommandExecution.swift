/// The kind of execution that a command needs from the engine.
///
/// Each command states it (``Command/execution``), because a dynamic cast takes longer than most steps of a plan.
public struct CommandExecution: Sendable {
  private let way: Way

  private enum Way {
    case synchronous, asynchronous
    case polled(Start, onlyWaits: Bool)
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
    CommandExecution(way: .polled({ try ($0 as? Polled)?.start(in: $1) }, onlyWaits: Polled.onlyWaits))
  }

  var kind: StepKind {
    switch way {
    case .synchronous: .synchronous
    case .asynchronous: .asynchronous
    case .polled(_, let onlyWaits): onlyWaits ? .waiting : .polled
    }
  }

  var start: Start? {
    if case .polled(let start, _) = way { start } else { nil }
  }
}
