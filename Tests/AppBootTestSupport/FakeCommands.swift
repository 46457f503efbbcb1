package import AppBoot
import AppBootTestKit

/// A command for tests that runs a closure on a worker thread.
package struct FakeBackgroundCommand: UndoableCommand {
  private var inner = FakeCommand()

  /// Creates a command that does nothing.
  package init() {}

  /// Creates a command that runs a closure.
  ///
  /// - Parameter undo: The closure that undoes the command; by default it does nothing.
  package init(
    _ body: @escaping @Sendable (LaunchContext) throws -> Void,
    undo: @escaping @Sendable (LaunchContext) throws -> Void = { _ in }
  ) {
    inner = FakeCommand(body, undo: undo)
  }

  /// Runs the closure.
  package func execute(in context: LaunchContext) throws { try inner.execute(in: context) }

  /// Runs the undo closure.
  package func undo(in context: LaunchContext) throws { try inner.undo(in: context) }
}

/// A command for tests that runs a closure as a task.
package struct FakeAsyncCommand: AsyncCommand {
  private var body: @Sendable (LaunchContext) async throws -> Void = { _ in }

  /// Creates a command that does nothing.
  package init() {}

  /// Creates a command that runs a closure.
  package init(_ body: @escaping @Sendable (LaunchContext) async throws -> Void) { self.body = body }

  /// Runs the closure.
  package func execute(in context: LaunchContext) async throws { try await body(context) }
}
