import AppBootBase

/// A unit of work in a launch. It is a small value that is created from the manifest and executed once.
///
/// A command that suspends is an ``AsyncCommand``. A command whose work is on the main actor is a ``MainActorCommand``,
/// because a type that is marked `@MainActor` cannot be a `Command`.
///
/// The parameters of a command are its `@Parameter` properties (``CommandParameter``). A command does its work in
/// ``execute(in:)``, and fails by throwing an error. The manifest's `onFailure` decides the effect of a failure on the
/// other steps.
///
/// A command can also store objects of the app. Create it in code, or register it with a closure that creates it
/// (``CommandRegistry/register(_:make:)``).
public protocol Command: NonisolatedCommand, Sendable {
  /// Creates the command with the default values of its parameters.
  ///
  /// A registry without a closure for the command calls it. The default implementation, for a type without `init()`,
  /// throws an error.
  init() throws

  /// Rejects values of parameters that are invalid, alone or in combination. The default implementation rejects
  /// nothing.
  func validate(_ validation: inout ParameterValidation)

  /// The command's name in manifests. The default is the type's name without the suffix `Command`.
  static var name: String { get }

  /// The command's help, lane and context values. The default has no help and no context values.
  static var options: CommandOptions { get }

  /// The way in which the engine executes the command. The protocols of AppBoot implement it, and an app's commands do
  /// not.
  static var _execution: _CommandExecution { get }

  /// Does the work of the command.
  ///
  /// - Throws: Any error. Its description becomes the message of the step's failure.
  func execute(in context: LaunchContext) throws
}

extension Command {
  /// The property wrapper for the parameters of this command.
  public typealias Parameter = CommandParameter

  /// Returns a copy of the command with a parameter set, for a plan in code.
  ///
  /// ```swift
  /// Step("database", OpenDatabase().setting(\.connections, to: 4))
  /// ```
  public func setting<Value>(_ parameter: WritableKeyPath<Self, Value>, to value: Value) -> Self {
    var copy = self
    copy[keyPath: parameter] = value
    return copy
  }

  /// Always throws an error: the type has no `init()`, and was registered without a closure that creates it.
  public init() throws {
    throw CommandMisuse.noInitializer(type: "\(Self.self)")
  }

  /// The type's name without a `Command` suffix.
  public static var name: String {
    let typeName = String(describing: Self.self)
    guard typeName.hasSuffix("Command"), typeName.count > "Command".count else { return typeName }
    return String(typeName.dropLast("Command".count))
  }

  /// Rejects nothing.
  public func validate(_ validation: inout ParameterValidation) {}

  /// No help, the background lane, and no context values.
  public static var options: CommandOptions { CommandOptions() }

  /// Synchronous execution on a thread.
  public static var _execution: _CommandExecution { .synchronous }

  /// Rejects a command without its own `execute(in:)`, or with one that suspends.
  @available(
    *, unavailable, message: "write execute(in:) throws; if it is async, AsyncCommand or MainActorCommand"
  )
  public func execute(in context: LaunchContext) throws {}
}

/// The help and the lane of a type of command, and the context values that it provides and requires.
///
/// ```swift
/// static let options = CommandOptions(abstract: "Opens the database.", provides: .database)
/// ```
public struct CommandOptions: Sendable {
  /// A one-line description of the command.
  public var abstract: String
  /// Further details of the command, for example its side effects.
  public var discussion: String
  /// An entry that shows the command, as the JSON of a manifest.
  public var example: String
  /// The lane that the command runs on. A ``MainActorCommand`` always runs on the main lane.
  public var lane: Lane
  /// The context values that the command provides. A command that requires one of them must come after this command.
  public var provides: ContextKeys
  /// The context values without which the command fails.
  ///
  /// A manifest is invalid if nothing provides such a value, or if this command does not wait for the command that
  /// provides it.
  public var requires: ContextKeys
  /// True if placeholders `{env.NAME}` in the command's string parameters in a manifest are replaced when it runs.
  ///
  /// If so, ``Command/validate(_:)`` sees the placeholders when a plan is made, and the values when the step runs. A
  /// command that replaces its placeholders itself sets it to false.
  public var replacesVariables: Bool

  /// Creates the options of a command.
  ///
  /// - Parameters:
  ///   - lane: The lane that the command runs on. A synchronous command whose library needs the main thread uses
  ///     ``Lane/main``.
  ///   - provides: The context values that the command provides.
  ///   - requires: The context values without which the command fails.
  ///   - replacesVariables: False if the command replaces its placeholders itself.
  public init<each Provided: Sendable, each Required: Sendable>(
    abstract: String = "", discussion: String = "", example: String = "", lane: Lane = .background,
    provides: repeat ContextKey<each Provided>, requires: repeat ContextKey<each Required>,
    replacesVariables: Bool = true
  ) {
    (self.abstract, self.discussion, self.example, self.lane) = (abstract, discussion, example, lane)
    self.provides = ContextKeys(repeat each provides)
    self.requires = ContextKeys(repeat each requires)
    self.replacesVariables = replacesVariables
  }
}

/// A command that is not isolated to an actor. Conform to ``Command`` instead, or to ``MainActorCommand``.
///
/// The compiler's fix-it for a `@MainActor` type that conforms to `Command` is `@MainActor Command`. The defaults of a
/// `Sendable` protocol do not satisfy that conformance, so the compiler chooses the one below, and prints its message.
public protocol NonisolatedCommand {}

extension NonisolatedCommand {
  /// Rejects a command whose conformance is isolated to the main actor, and names the protocol for it.
  @available(
    *, unavailable,
    message: "conform to MainActorCommand without @MainActor on it or on the type; make execute(in:) async"
  )
  public func validate(_ validation: inout ParameterValidation) {}
}

/// A command whose work suspends. It runs as a task, and occupies no thread while it waits.
public protocol AsyncCommand: Command {
  /// Does the work of the command.
  ///
  /// - Throws: Any error. `CancellationError` ends the step as cancelled instead of failed.
  func execute(in context: LaunchContext) async throws
}

extension AsyncCommand {
  /// Asynchronous execution as a task.
  public static var _execution: _CommandExecution { .asynchronous(Self.self) }

  /// Always throws an error. An asynchronous command can only be executed with its asynchronous `execute(in:)`.
  public func execute(in context: LaunchContext) throws {
    throw CommandMisuse.asynchronousCommandExecutedSynchronously(Self.name)
  }

  /// Rejects a command without its own `execute(in:)`, for example because its name is misspelled.
  ///
  /// Without it, the synchronous default above would satisfy the asynchronous requirement.
  @available(*, unavailable, message: "write func execute(in context: LaunchContext) async throws")
  public func execute(in context: LaunchContext) async throws {
    throw CommandMisuse.asynchronousCommandExecutedSynchronously(Self.name)
  }
}

/// A command that can undo its effect when the launch rolls back.
public protocol UndoableCommand: Command {
  /// True if the command has something to undo, which its parameters may decide. The default is true.
  var hasUndo: Bool { get }

  /// Undoes the effect of ``Command/execute(in:)``. It is called only if that succeeded.
  ///
  /// - Throws: Any error. The error is recorded, and the other commands are still undone.
  func undo(in context: LaunchContext) throws
}

extension UndoableCommand {
  /// The default: the command has something to undo.
  public var hasUndo: Bool { true }

  /// Rejects a command without its own `undo(in:)`, or with one that suspends.
  @available(*, unavailable, message: "write undo(in:) throws; if it is async, AsyncUndoableCommand")
  public func undo(in context: LaunchContext) throws {}
}

/// A command whose undo suspends. The undo runs as a task, like the command itself.
public protocol AsyncUndoableCommand: AsyncCommand, UndoableCommand {
  /// Undoes the effect of ``Command/execute(in:)``. It is called only if that succeeded.
  ///
  /// The undo is cancelled at the step's timeout, or after 10 s if the step has none.
  ///
  /// - Throws: Any error. The error is recorded, and the other commands are still undone.
  func undo(in context: LaunchContext) async throws
}

extension AsyncUndoableCommand {
  /// Always throws an error. The command can only be undone with its asynchronous `undo(in:)`.
  public func undo(in context: LaunchContext) throws {
    throw CommandMisuse.asynchronousCommandExecutedSynchronously(Self.name)
  }

  /// Rejects a command without its own `undo(in:)`, as the default of `execute(in:)` does.
  @available(*, unavailable, message: "write func undo(in context: LaunchContext) async throws")
  public func undo(in context: LaunchContext) async throws {
    throw CommandMisuse.asynchronousCommandExecutedSynchronously(Self.name)
  }
}

/// A command whose work runs on the main actor, for example because it uses the user interface.
///
/// It runs as a task, so ``execute(in:)`` is `async` even if it does not suspend. While it runs, the main thread must
/// be free or run the plan itself: with the asynchronous `run`, or with ``LaunchPlan/runBlocking()`` outside a task.
public protocol MainActorCommand: AsyncCommand {
  /// Does the work of the command on the main actor.
  ///
  /// - Throws: Any error. `CancellationError` ends the step as cancelled instead of failed.
  @MainActor func execute(in context: LaunchContext) async throws
}

extension MainActorCommand {
  /// Asynchronous execution on the main lane. The command does not occupy it: other steps run there while the command
  /// is suspended.
  public static var _execution: _CommandExecution { .asynchronous(Self.self, lane: .main) }
}

/// A command whose standard output other steps can insert with `{step.ID.output}`.
package protocol OutputProviding: Command {}

/// A command whose parameter `stop` can have a default in a manifest.
package protocol StoppableCommand: Command {}

/// An error that reports that code uses a command in a wrong way.
package enum CommandMisuse: Error, Equatable, CustomStringConvertible {
  /// An asynchronous command was called with the synchronous `execute(in:)`.
  case asynchronousCommandExecutedSynchronously(String)
  /// A command was created in code without values for its required parameters.
  case parametersMissing(command: String, names: [String])
  /// A command was created in code with values that its `validate(_:)`, or that of a group, rejects, or its type has a
  /// mistake.
  case valuesRejected([String])
  /// A command type without `init()` was registered without a closure that creates the command.
  case noInitializer(type: String)
  /// A polled command has no function that makes the operations of a launch.
  case noOperations(String)
  /// The `init()` or the closure that creates a command returned commands that share parameters.
  case sharedCommand

  /// The error message: the mistake and its correction.
  package var description: String {
    switch self {
    case .asynchronousCommandExecutedSynchronously(let name):
      "\(name) is asynchronous: call it with await or with a LaunchRunner"
    case .parametersMissing(let command, let names):
      "\(command) needs \(names.quotedList): set \(names.count == 1 ? "it" : "them") before the plan is made"
    case .valuesRejected(let messages): messages.listed(atMost: 5, separator: "; ")
    case .noOperations(let name): "\(name) cannot run: it declares no makeOperations"
    case .sharedCommand:
      "its commands share parameters: its init(), or its closure in register(_:make:), must create new ones each time"
    case .noInitializer(let type):
      "there is no init(): add one, or give each stored property @Parameter or a default value; for other values, "
        + "register \(type) with a closure that creates it: registry.register(\(type).self) { \(type)(…) }"
    }
  }
}

/// An error that ends the work of an unnecessary step. It has the reason in words.
package struct Unnecessary: Error {
  let reason: String

  package init(reason: String) { self.reason = reason }
}

/// A running program of `unless` that decides whether a step is needed. If it exits with 0, the step is unnecessary.
package protocol UnlessCheck: AnyObject, Sendable {
  /// The name of the program.
  var program: String { get }
  /// The descriptors to watch. They are open until ``release()``.
  var descriptors: [Int32] { get }
  /// Returns true if the program has succeeded, false if it has failed; `nil` while it runs. It never waits.
  func advance() -> Bool?
  /// Kills the program.
  func stop()
  /// Kills the program if it runs, reaps it, and closes the descriptors. Further calls have no effect.
  func release()
  /// Waits on the calling thread until the program has ended, and returns whether it has succeeded.
  ///
  /// - Throws: `CancellationError` if the step was cancelled; the program may then run until ``release()``.
  func wait(isCancelled: () -> Bool) throws -> Bool
}

/// A function that starts the program of a step's `unless`. `AppBootCommands` has one; the core starts no processes.
///
/// If the step's command starts a program, the program of `unless` has its directory, environment, user and limits.
///
/// It throws a ``ShortageError`` if the program cannot be started yet.
package typealias UnlessCheckStart =
  @Sendable (_ arguments: [String], _ command: any Command, _ context: LaunchContext) throws ->
  any UnlessCheck

/// An error that reports that nothing can start the program of `unless`.
struct UnlessCheckUnavailable: Error, CustomStringConvertible {
  static let help = "register it, as in registry.register(StockCommands.all)"

  var description: String { "\"command\" in \"unless\" cannot run: RunProcess is not registered" }
}
