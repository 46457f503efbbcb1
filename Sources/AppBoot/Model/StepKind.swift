/// The kind of execution that a step's work needs from the engine.
enum StepKind: UInt8, Sendable {
  /// A synchronous `execute(in:)`.
  case synchronous
  /// A task.
  case asynchronous
  /// Work that the engine's poller drives, such as a process; it holds no thread and no task.
  case polled
}
