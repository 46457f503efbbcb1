/// A unit of work in a launch: a small value that is decoded from the manifest and executed once.
///
/// A command's parameters are its `@Parameter` properties (``CommandParameter``). A command does its work in
/// ``execute(in:)``, and fails by throwing an error. The manifest's `onFailure` decides the effect of a failure on the
/// other steps.
public protocol Command: Sendable {
  /// Creates the command with its defaults.
  init()

  /// Rejects parameter values that are invalid, alone or in combination; the default implementation rejects no value.
  func validate(_ validation: inout ParameterValidation)

  /// The command's name in manifests; by default the type's name without a `Command` suffix.
  static var name: String { get }

  /// A sentence that describes the command.
  static var abstract: String { get }

  /// More details than the abstract, such as side effects; empty by default.
  static var discussion: String { get }

  /// The lane that the command runs on; ``Lane/main`` by default, because launch code touches the user interface.
  static var lane: Lane { get }

  /// The kind of execution by the engine. `Command` and `AsyncCommand` implement it.
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

  /// Accepts every value.
  public func validate(_ validation: inout ParameterValidation) {}

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
  /// - Throws: Any error; `CancellationError` ends the step as cancelled instead of failed.
  func execute(in context: LaunchContext) async throws
}

extension AsyncCommand {
  /// The background lane: an asynchronous command holds no thread.
  public static var lane: Lane { .background }

  /// As a task.
  public static var execution: CommandExecution { .asynchronous }

  /// Always throws: an asynchronous command can only be executed with its asynchronous `execute(in:)`.
  public func execute(in context: LaunchContext) throws {
    throw CommandMisuse.asynchronousCommandExecutedSynchronously(Self.name)
  }
}

/// A command that can undo its effect when the launch rolls back.
public protocol UndoableCommand: Command {
  /// Undoes the effect of ``Command/execute(in:)``; called only after it succeeded.
  ///
  /// - Throws: Any error; it is recorded, and the other commands are still undone.
  func undo(in context: LaunchContext) throws
}
