/// The kind of thread that a command runs on.
public enum Lane: String, Sendable, Hashable, CaseIterable {
  /// The thread that called `run()`.
  case main
  /// A worker thread of the engine, or a task for an asynchronous command.
  case background
}
