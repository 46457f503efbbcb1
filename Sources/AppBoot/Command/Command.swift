/// One responsibility of a launch: a small value that is decoded from the manifest and executed once.
///
/// A command's parameters are its ``Parameter`` properties. It does its work in ``execute(in:)`` and
/// throws to fail; the manifest's `onFailure` says what a failure means for the rest of the launch.
public protocol Command: Decodable, Sendable {
  /// Creates the command with its defaults.
  init()

  /// The name by which a manifest calls the command; by default the type's name without a `Command` suffix.
  static var name: String { get }

  /// One sentence that says what the command does.
  static var abstract: String { get }

  /// More than the abstract: what it goes by, what it leaves behind. Empty by default.
  static var discussion: String { get }

  /// Where the command runs; ``Lane/main`` by default, because launch code touches the user interface.
  static var lane: Lane { get }

  /// How the command's work is done; the protocol that the type conforms to answers, so leave it out.
  static var execution: CommandExecution { get }

  /// The names of the context values that the command provides, for the error of a command that misses one.
  static var provides: [String] { get }

  /// Does the work.
  ///
  /// - Throws: Any error; its description becomes the failure's message.
  func execute(in context: LaunchContext) throws
}

extension Command {
  /// The type's name without a `Command` suffix.
  public static var name: String {
    let typeName = String(describing: Self.self)
    guard typeName.hasSuffix("Command"), typeName.count > "Command".count else { return typeName }
    return String(typeName.dropLast("Command".count))
  }

  /// No abstract.
  public static var abstract: String { "" }

  /// No discussion.
  public static var discussion: String { "" }

  /// The main lane.
  public static var lane: Lane { .main }

  /// On a thread, to its end.
  public static var execution: CommandExecution { .synchronous }

  /// Nothing.
  public static var provides: [String] { [] }
}

/// A command whose work suspends: it runs as a task and holds no thread while it waits.
public protocol AsyncCommand: Command {
  /// Does the work.
  ///
  /// - Throws: Any error; `CancellationError` after the context was cancelled counts as cancelled.
  func execute(in context: LaunchContext) async throws
}

extension AsyncCommand {
  /// The background lane: an asynchronous command holds no thread.
  public static var lane: Lane { .background }

  /// As a task.
  public static var execution: CommandExecution { .asynchronous }

  /// Always throws: an asynchronous command is executed by awaiting it.
  public func execute(in context: LaunchContext) throws {
    throw CommandMisuse.asynchronousCommandExecutedSynchronously(Self.name)
  }
}

/// A command whose effect can be taken back when the launch rolls back.
public protocol UndoableCommand: Command {
  /// Takes back what ``Command/execute(in:)`` did; called only after it succeeded.
  ///
  /// - Throws: Any error; it is recorded, and the other commands are still undone.
  func undo(in context: LaunchContext) throws
}

/// How a command's work is done.
///
/// A requirement rather than a question to the runtime, whose search for a conformance takes longer than
/// most steps of a plan.
public struct CommandExecution: Sendable {
  private let way: Way

  private enum Way {
    case synchronous, asynchronous
    case polled(Start)
  }

  /// Starts the work of a command of the type that said so.
  typealias Start =
    @Sendable (_ command: any Command, _ context: LaunchContext) throws -> (any PolledOperation)?

  /// A synchronous `execute(in:)`.
  public static var synchronous: CommandExecution { CommandExecution(way: .synchronous) }
  /// An asynchronous `execute(in:)`.
  public static var asynchronous: CommandExecution { CommandExecution(way: .asynchronous) }
  /// Work that the engine only watches.
  package static func polled<Polled: PolledCommand>(_: Polled.Type) -> CommandExecution {
    CommandExecution(way: .polled { try ($0 as? Polled)?.start(in: $1) })
  }

  var kind: StepKind {
    switch way {
    case .synchronous: .synchronous
    case .asynchronous: .asynchronous
    case .polled: .polled
    }
  }

  var start: Start? {
    if case .polled(let start) = way { start } else { nil }
  }
}

/// The thread a command runs on.
public enum Lane: String, Sendable, Hashable, CaseIterable {
  /// The thread that called `run()`.
  case main
  /// A worker thread of the engine's own, or a task for an asynchronous command.
  case background
}

/// A mistake in how a command is used from code.
public enum CommandMisuse: Error, Equatable, CustomStringConvertible {
  /// An asynchronous command was called through the synchronous `execute(in:)`.
  case asynchronousCommandExecutedSynchronously(String)
  /// A command was made in code and its required parameters were left out.
  case parametersMissing(command: String, names: [String])
  /// A command of a plan that was read back from a record was executed.
  case recordedCommandExecuted(String)

  /// What went wrong and what to do.
  public var description: String {
    switch self {
    case .asynchronousCommandExecutedSynchronously(let name):
      "\(name) is asynchronous: call it with await, or let a StartupRunner run it"
    case .parametersMissing(let command, let names):
      "\(command) needs \(ParameterSchema.quoted(names)): set \(names.count == 1 ? "it" : "them") before the plan is made"
    case .recordedCommandExecuted(let name):
      "\(name) was read back from a record, which tells what ran: to run it again, build a plan from the manifest"
    }
  }
}
