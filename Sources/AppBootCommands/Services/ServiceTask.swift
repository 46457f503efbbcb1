import AppBoot
import AppBootSystem

/// The task of a service in Swift.
///
/// The task reports that it is ready, its output and its end through a pipe, which the poller of the engine or of the
/// supervisor watches.
final class ServiceTask: ServiceWork {
  private struct State: Sendable {
    var isReady = false
    var isShuttingDown = false
    var isCancelled = false
    /// True after the cancelled task did not end in time.
    var isAbandoned = false
    /// The last reported health; `nil` if there is none.
    var health: ServiceHealth?
    /// The health after the last reported change: true for healthy.
    var wasHealthy = true
    var end: ServiceEnd?

    /// Returns the health if it changed from healthy to unhealthy or back since the last call; otherwise `nil`.
    mutating func takeHealthChange() -> ServiceHealth? {
      guard let health, health.isHealthy != wasHealthy else { return nil }
      wasHealthy = health.isHealthy
      return health
    }
    /// The error that `run(in:)` threw; `nil` if it did not throw.
    var error: (any Error)?
    /// The time at which a cancelled task that has not ended is abandoned; `nil` before its cancellation.
    var abandonDue: Int64?
    /// The function that cancels the task; `nil` until the task has started.
    var cancel: (@Sendable () -> Void)?
    var output: StepOutput
    /// The functions to call at the graceful shutdown, by number.
    var handlers: [Int: @Sendable () -> Void] = [:]
    var handlerCount = 0
  }

  private let context: LaunchContext
  private let pipe: WakePipe
  private let state: Lock<State>
  /// The nanoseconds from the cancellation of the task until it is abandoned.
  private let grace: Int64

  /// Starts the task.
  ///
  /// - Parameters:
  ///   - grace: The nanoseconds from the cancellation of the task until it is abandoned.
  ///   - start: A function that starts it.
  /// - Throws: `SystemError` if the system has no descriptor left.
  init(
    _ command: any ServiceCommand, in context: LaunchContext, grace: Int64, start: TaskStart
  ) throws(SystemError) {
    (self.context, self.grace) = (context, grace)
    pipe = try WakePipe()
    state = Lock(State(output: StepOutput(of: context, isFollowed: true)))
    let cancel = start { [self] in
      do {
        try await command.run(in: RunningService(context, self))
        end(.returned, nil)
      } catch {
        end(.threw(context.secrets.masking("\(error)")), error)
      }
    }
    let isCancelled = state.withLock { state in
      state.cancel = cancel
      return state.isCancelled
    }
    if isCancelled { cancel() }
  }

  private func end(_ end: ServiceEnd, _ error: (any Error)?) {
    state.withLock { state in
      (state.end, state.error) = (end, error)
      state.handlers = [:]
    }
    pipe.wake()
  }

  // MARK: - For the task

  func markReady() {
    state.withLock { $0.isReady = true }
    pipe.wake()
  }

  /// Adds a line of output, in which secrets are masked. Drops the line if the service no longer waits for the task.
  func write(_ line: String, to stream: CapturedStream) {
    var text = context.secrets.masking(line) + "\n"
    text.withUTF8 { bytes in
      state.withLock { state in
        guard state.end == nil else { return }
        state.output.append(UnsafeRawBufferPointer(bytes), from: stream)
      }
    }
    pipe.wake()
  }

  func report(_ health: ServiceHealth) {
    let health = health.masked(by: context.secrets)
    state.withLock { $0.health = health }
    pipe.wake()
  }

  var isShuttingDown: Bool { state.withLock(\.isShuttingDown) }

  /// Registers a function to call once at the graceful shutdown. Returns its number.
  ///
  /// If the shutdown has begun, calls the function at once, and returns `nil`.
  func addHandler(_ handler: @escaping @Sendable () -> Void) -> Int? {
    let number = state.withLock { state -> Int? in
      guard !state.isShuttingDown else { return nil }
      state.handlerCount += 1
      state.handlers[state.handlerCount] = handler
      return state.handlerCount
    }
    if number == nil { handler() }
    return number
  }

  func removeHandler(_ number: Int?) {
    guard let number else { return }
    state.withLock { $0.handlers[number] = nil }
  }

  // MARK: - For the service

  var pid: Int32? { nil }
  var obstacle: String? {
    state.withLock { state in
      guard !state.isReady else { return nil }
      return "it has not called markReady()" + (state.health.map { "; it reported: \($0.words)" } ?? "")
    }
  }
  var doubt: AnswerDoubt? { nil }
  var health: ServiceHealth? { state.withLock(\.health) }

  var descriptors: [Int32] { [pipe.readDescriptor] }

  func nextDeadline(isReady: Bool, isStopping: Bool) -> Int64? {
    state.withLock { $0.isAbandoned ? nil : $0.abandonDue }
  }

  func advance(isStarting: Bool) -> (progress: Service.Progress, lines: [OutputLine]) {
    pipe.drain()
    return state.withLock { state in
      if isStarting, state.isReady {
        // A task that ended or became unhealthy was ready before: that is the next progress.
        if state.end != nil || state.health != nil { pipe.wake() }
        return (.ready(""), state.output.takeLines())
      }
      if let end = state.end {
        state.output.finish()
        return (.ended(end), state.output.takeLines())
      }
      if let due = state.abandonDue, !state.isAbandoned, MonotonicClock.now() >= due {
        state.isAbandoned = true
        return (.abandoned, state.output.takeLines())
      }
      if !isStarting, !state.isShuttingDown, let health = state.takeHealthChange() {
        return (.health(health), state.output.takeLines())
      }
      return (.nothing, state.output.takeLines())
    }
  }

  func askToStop() {
    let handlers = state.withLock { state in
      state.isShuttingDown = true
      defer { state.handlers = [:] }
      return state.handlers.sorted { $0.key < $1.key }.map(\.value)
    }
    // The handlers are code of the app, which may ask for the status of this service.
    if !handlers.isEmpty { Task.detached { for handler in handlers { handler() } } }
  }

  func kill() -> (@Sendable () -> Void)? {
    defer { pipe.wake() }
    return state.withLock { state in
      state.isCancelled = true
      state.abandonDue = state.abandonDue ?? MonotonicClock.deadline(after: grace)
      return state.cancel
    }
  }

  func release() { pipe.close() }

  func words(for end: ServiceEnd) -> String { end.words }

  func error(ending end: ServiceEnd, stoppedFor reason: String?, wasReady: Bool) -> any Error {
    state.withLock(\.error)
      ?? ServiceError.neverReady(wasReady ? end.words : "\(end.words) before it called markReady()")
  }
}
