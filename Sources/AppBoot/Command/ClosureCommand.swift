/// The declarations of a closure: its context values and its lane.
struct ClosureTraits: Sendable {
  var provides = ContextKeys()
  var requires = ContextKeys()
  var lane = Lane.background
}

/// A command in code that runs a closure on a thread.
struct ClosureCommand: Command {
  static let name = "Closure"
  let traits: ClosureTraits
  let body: @Sendable (LaunchContext) throws -> Void

  func execute(in context: LaunchContext) throws { try body(context) }
}

/// A command in code that runs a closure as a task.
struct AsyncClosureCommand: AsyncCommand {
  static let name = "Closure"
  let traits: ClosureTraits
  let body: @Sendable (LaunchContext) async throws -> Void

  func execute(in context: LaunchContext) async throws { try await body(context) }
}

extension Command {
  /// The declarations of the command's closure; `nil` for a command without a closure.
  var closure: ClosureTraits? {
    (self as? ClosureCommand)?.traits ?? (self as? AsyncClosureCommand)?.traits
  }
  /// The context values that this command provides: those of its type, or of its closure.
  package var providedKeys: ContextKeys { closure?.provides ?? Self.options.provides }
  /// The context values that this command requires: those of its type, or of its closure.
  var requiredKeys: ContextKeys { closure?.requires ?? Self.options.requires }
}
