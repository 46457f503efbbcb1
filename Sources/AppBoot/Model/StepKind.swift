/// A kind of execution that the work of a step needs.
package enum StepKind: UInt8, Sendable {
  /// A synchronous call of `execute(in:)` on a thread.
  case synchronous
  /// An asynchronous call of `execute(in:)` in a task.
  case asynchronous
  /// Work that the engine's poller drives, for example a process. It occupies no thread and no task.
  case polled
  /// Work that the poller drives and that only waits. It takes no slot of `jobs`.
  case waiting

  /// True if the work counts as one of `jobs` off the main lane: it occupies a thread or a process.
  package var takesSlot: Bool { self == .synchronous || self == .polled }

  /// True if the engine's poller drives the work.
  package var isPolled: Bool { self == .polled || self == .waiting }
}
