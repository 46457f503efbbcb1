public import AppBoot

/// A command made of closures, for tests: what it does is decided where it is made.
///
/// It comes in three kinds that differ in where they run: ``FakeCommand`` on the main lane,
/// ``FakeBackgroundCommand`` on a worker thread, ``FakeAsyncCommand`` as a task.
public struct FakeCommand: UndoableCommand {
  private var body: @Sendable (LaunchContext) throws -> Void = { _ in }
  private var undoing: @Sendable (LaunchContext) throws -> Void = { _ in }

  /// A command that does nothing.
  public init() {}

  /// A command that does this.
  public init(
    _ body: @escaping @Sendable (LaunchContext) throws -> Void,
    undo: @escaping @Sendable (LaunchContext) throws -> Void = { _ in }
  ) {
    self.body = body
    undoing = undo
  }

  /// Does what it was made to do.
  public func execute(in context: LaunchContext) throws { try body(context) }

  /// Undoes what it was made to undo.
  public func undo(in context: LaunchContext) throws { try undoing(context) }
}

/// A command made of closures that runs on a worker thread.
public struct FakeBackgroundCommand: UndoableCommand {
  /// The background lane.
  public static let lane = Lane.background
  private var inner = FakeCommand()

  /// A command that does nothing.
  public init() {}

  /// A command that does this.
  public init(
    _ body: @escaping @Sendable (LaunchContext) throws -> Void,
    undo: @escaping @Sendable (LaunchContext) throws -> Void = { _ in }
  ) {
    inner = FakeCommand(body, undo: undo)
  }

  /// Does what it was made to do.
  public func execute(in context: LaunchContext) throws { try inner.execute(in: context) }

  /// Undoes what it was made to undo.
  public func undo(in context: LaunchContext) throws { try inner.undo(in: context) }
}

/// A command made of a closure that runs as a task.
public struct FakeAsyncCommand: AsyncCommand {
  private var body: @Sendable (LaunchContext) async throws -> Void = { _ in }

  /// A command that does nothing.
  public init() {}

  /// A command that does this.
  public init(_ body: @escaping @Sendable (LaunchContext) async throws -> Void) { self.body = body }

  /// Does what it was made to do.
  public func execute(in context: LaunchContext) async throws { try await body(context) }
}
