/// The kind of thread that a command runs on.
public enum Lane: String, Sendable, Hashable, CaseIterable {
  /// The thread that called `run()`.
  case main
  /// A worker thread of the engine. An asynchronous command runs in a task instead.
  case background
}
