/// The thread a command runs on.
public enum Lane: String, Sendable, Hashable, CaseIterable {
  /// The thread that called `run()`.
  case main
  /// A worker thread of the engine's own, or a task for an asynchronous command.
  case background
}
