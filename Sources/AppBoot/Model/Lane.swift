/// The kind of thread that a command runs on.
public enum Lane: String, Sendable, Hashable, CaseIterable {
  /// The main thread, and so the main actor. Synchronous commands run there one at a time.
  case main
  /// A worker thread of the engine. An asynchronous command runs in a task instead.
  case background
}
