public import AppBoot

/// A command for tests that runs a closure on the main lane.
public struct FakeCommand: UndoableCommand {
  private var body: @Sendable (LaunchContext) throws -> Void = { _ in }
  private var undoing: @Sendable (LaunchContext) throws -> Void = { _ in }

  /// Creates a command that does nothing.
  public init() {}

  /// Creates a command that runs a closure.
  ///
  /// - Parameter undo: The closure that undoes the command; by default it does nothing.
  public init(
    _ body: @escaping @Sendable (LaunchContext) throws -> Void,
    undo: @escaping @Sendable (LaunchContext) throws -> Void = { _ in }
  ) {
    self.body = body
    undoing = undo
  }

  /// Runs the closure.
  public func execute(in context: LaunchContext) throws { try body(context) }

  /// Runs the undo closure.
  public func undo(in context: LaunchContext) throws { try undoing(context) }
}
