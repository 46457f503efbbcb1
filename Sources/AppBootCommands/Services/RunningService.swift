public import AppBoot
import AppBootSystem

/// The context in which a service in Swift runs: its step of the launch, and its shutdown.
public struct RunningService: Sendable {
  /// The context of the service's step, with the values and events of the launch.
  ///
  /// Notes and spans are recorded only until the service is ready.
  public let context: LaunchContext
  private let task: ServiceTask

  init(_ context: LaunchContext, _ task: ServiceTask) { (self.context, self.task) = (context, task) }

  /// The id of the service's step.
  public var id: String { context.stepID }

  /// Reports that the service is ready. The step succeeds, and the steps after it can start.
  ///
  /// A second call has no effect.
  public func markReady() { task.markReady() }

  /// Writes a line to the service's output, which is shown and stored as the output of a process.
  ///
  /// - Parameter stream: The stream of the line.
  public func output(_ line: String, stream: StartupEvent.OutputStream = .stdout) {
    task.write(line, to: stream == .stdout ? .output : .errors)
  }

  /// Reports the health of the service. ``ServiceRunner/health``, `LifecycleHost.health` and the tool's `status` have
  /// it.
  ///
  /// While a service whose `onExit` is `fail` is unhealthy, the phase in the tool's `status` is `degraded`. Neither
  /// `restart` nor `onExit` applies: a service that must restart throws an error.
  public func report(_ health: ServiceHealth) { task.report(health) }

  // MARK: - Shutdown

  /// True after the service was asked to shut down.
  public var isShuttingDown: Bool { task.isShuttingDown }

  /// Suspends until the service is asked to shut down.
  ///
  /// - Throws: `CancellationError` if the task is cancelled before, for example after the grace period.
  public func untilShutdown() async throws {
    let (shutdown, continuation) = AsyncStream.makeStream(of: Void.self)
    let handler = task.addHandler { continuation.finish() }
    defer { task.removeHandler(handler) }
    for await _ in shutdown {}
    if !isShuttingDown { try Task.checkCancellation() }
  }

  /// Runs an operation, and calls a handler at once when the service is asked to shut down.
  ///
  /// The handler runs at the same time as the operation. If the shutdown has already begun, the handler runs before the
  /// operation.
  ///
  /// - Parameter handler: A function that makes the operation end, for example by closing a listener.
  public func withGracefulShutdownHandler<Result>(
    isolation: isolated (any Actor)? = #isolation, operation: () async throws -> Result,
    onGracefulShutdown handler: @escaping @Sendable () -> Void
  ) async rethrows -> Result {
    let number = task.addHandler(handler)
    defer { task.removeHandler(number) }
    return try await operation()
  }

  /// Runs an operation in a task that is cancelled when the service is asked to shut down.
  ///
  /// Use it for code that knows cancellation but no graceful shutdown, for example a loop over an `AsyncSequence`.
  ///
  /// - Throws: The error of the operation. A `CancellationError` during the shutdown is not an error.
  public func cancelWhenGracefulShutdown(
    _ operation: @escaping @Sendable () async throws -> Void
  ) async throws {
    let operation = Task { try await operation() }
    try await withTaskCancellationHandler {
      try await withGracefulShutdownHandler {
        do {
          try await operation.value
        } catch is CancellationError where isShuttingDown {
          return
        }
      } onGracefulShutdown: {
        operation.cancel()
      }
    } onCancel: {
      operation.cancel()
    }
  }
}
