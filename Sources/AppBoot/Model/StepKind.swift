/// The kind of execution that a step's work needs from the engine.
enum StepKind: UInt8, Sendable {
  /// A synchronous `execute(in:)`.
  case synchronous
  /// A task.
  case asynchronous
  /// Work that the engine's poller drives, such as a process; it holds no thread and no task.
  case polled
  /// Polled work that only waits: it takes no slot of `jobs`.
  case waiting

  /// True if the engine's poller drives the work.
  var isPolled: Bool { self == .polled || self == .waiting }
}
