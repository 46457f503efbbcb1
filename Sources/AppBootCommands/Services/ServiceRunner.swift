public import AppBoot
import AppBootLifecycle
import AppBootSystem

/// A runner for a plan with services: it runs the launch, keeps the services, and shuts them down at the end.
///
/// ```swift
/// let runner = try ServiceRunner(plan)
/// try await runner.run { launch in
///   try await announce(launch.require(.address))
/// }                           // returns after shutDown(), which another task calls
/// ```
///
/// It needs no command line and no state directory. The plan's event handlers run in the same order as in the tool:
/// those of events that commands emit, `didBecomeActive` after the launch, and `willTerminate` before the services shut
/// down.
public final class ServiceRunner: Sendable {
  private enum Stage: Sendable {
    case idle, launching
    /// The handlers of the launch's events run. They may start services.
    case handling
    case staying, ending
  }

  private struct State: Sendable {
    var hasBegun = false
    var stage = Stage.idle
    var isShutDown = false
    var isCancelled = false
    /// The service whose end made the app fail; `nil` if there is none.
    var failure: EndedService?
    /// Cancels the function that has the launch's values; `nil` before it is called.
    var cancelUse: (@Sendable () -> Void)?

    var isEnding: Bool { isShutDown || isCancelled || failure != nil }
  }

  private let runner: StartupRunner
  let keeper: ServiceKeeper
  private let handlers: ServiceHandlers
  private let handlesSignals: Bool
  private let state = Lock(State())
  private let (shutdown, shutdownSignal) = AsyncStream.makeStream(of: Void.self)

  /// Creates a runner. Nothing is started before it runs.
  ///
  /// - Parameter handlesSignals: True to shut down at the signals TERM and INT. A second signal ends the process at
  ///   once.
  /// - Throws: An error if the system has no descriptor left.
  public init(
    _ plan: StartupPlan, configuration: StartupRunner.Configuration = StartupRunner.Configuration(),
    handlesSignals: Bool = false
  ) throws {
    let receive = Lock<(@Sendable (EndedService?) -> Void)?>(nil)
    var plan = plan
    keeper = try ServiceKeeper(&plan, configuration) { receive.withLock(\.self)?($1) }
    handlers = ServiceHandlers(plan, configuration)
    runner = StartupRunner(handlers.launchPlan, configuration: configuration)
    self.handlesSignals = handlesSignals
    receive.withLock { $0 = { [weak self] in self?.receive($0) } }
  }

  /// The states of the services that were started, by the id of the step.
  public var services: [String: ServiceState] { keeper.supervisor.states }

  /// The last reported health of the services that run, by the id of the step.
  public var health: [String: ServiceHealth] { keeper.supervisor.health }

  /// Runs the launch, and keeps its services until ``shutDown()`` is called or until none of them runs. Returns the
  /// record.
  ///
  /// Services shut down in reverse order: a service after those that come after it. Cancelling the task cancels all
  /// services in Swift at once, without their grace periods; processes keep theirs.
  ///
  /// - Parameter didLaunch: A function that is called when the launch has succeeded, with the commands' values.
  ///   The services stay until it has returned. If it throws an error, the services shut down. If the services must
  ///   shut down before, it is cancelled.
  /// - Throws: ``LaunchFailed`` if the launch failed; ``ServiceFailed`` if a service ended whose `onExit` is `fail`;
  ///   ``HandlersFailed`` if the handlers of `willTerminate` failed; `CancellationError` if the task was cancelled;
  ///   an error for a second run; the error of `didLaunch`.
  @discardableResult
  public func run(
    isolation: isolated (any Actor)? = #isolation,
    didLaunch: @escaping @Sendable (CompletedLaunch) async throws -> Void = { _ in }
  ) async throws -> StartupRecord {
    let isFirst = state.withLock { state in
      defer { state.hasBegun = true }
      return !state.hasBegun
    }
    guard isFirst else { throw RunnerReused() }
    let signals = handlesSignals ? try startSignals() : nil
    defer { signals?.stop() }
    return try await withTaskCancellationHandler {
      try await launchAndStay(didLaunch: didLaunch)
    } onCancel: {
      cancel()
    }
  }

  /// Shuts all services down, so that ``run(isolation:didLaunch:)`` returns. Cancels a launch that still runs.
  ///
  /// It returns at once. A second call has no effect.
  public func shutDown() {
    state.withLock { $0.isShutDown = true }
    keeper.expectEnd()
    end("the app shuts down")
  }

  // MARK: - The run

  private func launchAndStay(
    isolation: isolated (any Actor)? = #isolation,
    didLaunch: @escaping @Sendable (CompletedLaunch) async throws -> Void
  ) async throws -> StartupRecord {
    state.withLock { $0.stage = .launching }
    keeper.beginLaunch()
    handlers.beginLaunch()
    var (failure, record) = await launch()
    keeper.completeLaunch(&record)
    let (isEnding, isCancelled) = state.withLock { state in
      state.stage = .handling
      return (state.isShutDown || state.failure != nil, state.isCancelled)
    }
    if isCancelled { keeper.supervisor.cancelAll() }
    var last: StartupRecord?
    var problem: (any Error)?
    if failure == nil {
      if !isEnding, !isCancelled {
        problem = await use(runner.completed(with: record), by: didLaunch)
        if problem == nil { await stay(after: record) }
      }
      // A cancelled task shuts nothing down gracefully.
      if !state.withLock(\.isCancelled) { last = await handlers.terminate() }
    }
    // A request to shut down that comes after the failure does not hide it.
    if isEnding { failure = nil }
    state.withLock { $0.stage = .ending }
    await stopServices()
    record = keeper.record ?? record
    record.events = handlers.events
    let end = state.withLock(\.self)
    if end.isCancelled { throw CancellationError() }
    if let ended = end.failure { throw ServiceFailed(service: ended.id, end: ended.end, record: record) }
    if let failure { throw failure }
    if let problem { throw problem }
    if let last, !last.succeeded {
      throw HandlersFailed(event: EventName.willTerminate.name, handlers: last, record: record)
    }
    return record
  }

  private func launch(isolation: isolated (any Actor)? = #isolation) async -> (LaunchFailed?, StartupRecord) {
    do throws(LaunchFailed) {
      return (nil, try await runner.launch().record)
    } catch {
      return (error, error.record)
    }
  }

  /// Passes the values of the launch to a function, which is cancelled if the services must shut down. Returns its
  /// error.
  private func use(
    _ launch: CompletedLaunch?, by didLaunch: @escaping @Sendable (CompletedLaunch) async throws -> Void,
    isolation: isolated (any Actor)? = #isolation
  ) async -> (any Error)? {
    guard let launch else { return nil }
    let task = Task { try await didLaunch(launch) }
    let isEnding = state.withLock { state in
      state.cancelUse = { task.cancel() }
      return state.isEnding
    }
    if isEnding { task.cancel() }
    do {
      try await task.value
      return nil
    } catch is CancellationError where state.withLock(\.isEnding) {
      return nil
    } catch {
      return error
    }
  }

  /// Runs the handlers of the launch's events, and waits for the end of the stay.
  private func stay(after record: StartupRecord, isolation: isolated (any Actor)? = #isolation) async {
    await handlers.receiveLaunch(record)
    state.withLock { $0.stage = .staying }
    endIfIdle()
    for await _ in shutdown {}
  }

  private func stopServices() async {
    await withCheckedContinuation { continuation in
      Thread.detach(name: "appboot-shutdown") { [keeper, handlers] in
        keeper.stop()
        handlers.settleSink()
        continuation.resume()
      }
    }
  }

  /// Ends the stay, or cancels the launch with a reason.
  private func end(_ reason: String) {
    let (stage, cancelUse) = state.withLock { ($0.stage, $0.cancelUse) }
    cancelUse?()
    if stage == .idle || stage == .launching { runner.cancel(reason) }
    handlers.cancel(reason)
    shutdownSignal.finish()
  }

  private func cancel() {
    keeper.expectEnd()
    let (stage, cancelUse) = state.withLock { state in
      state.isCancelled = true
      return (state.stage, state.cancelUse)
    }
    cancelUse?()
    handlers.cancel("the task was cancelled", isForced: true)
    shutdownSignal.finish()
    // The launch that still runs is cancelled with its task, and may add services until it has ended.
    switch stage {
    case .idle, .launching: break
    case .handling, .staying, .ending: keeper.supervisor.cancelAll()
    }
  }

  /// Ends the stay if no service runs or restarts.
  private func endIfIdle() {
    guard state.withLock({ $0.stage == .staying }) else { return }
    let running = keeper.supervisor.statuses(measuresMemory: false).filter { status in
      // A service whose end ends the app does so with the event of its end, which comes after its state.
      status.state != .stopped && (status.state != .ended || status.onExit != .ignore)
    }
    if running.isEmpty { shutdownSignal.finish() }
  }

  private func startSignals() throws -> SignalEventSource {
    let isRepeated = Lock(false)
    var handlers: [Int32: @Sendable () -> Void] = [:]
    for signal in [Signals.terminate, Signals.interrupt] {
      handlers[signal] = { [weak self] in
        let isSecond = isRepeated.withLock { isRepeated in
          defer { isRepeated = true }
          return isRepeated
        }
        if isSecond { Signals.raiseDefault(signal) } else { self?.shutDown() }
      }
    }
    let source = SignalEventSource(handlers: handlers)
    try source.start { _ in }
    return source
  }

  // MARK: - Events of services

  /// It is called on the thread of the services.
  private func receive(_ ended: EndedService?) {
    guard let ended else { return endIfIdle() }
    state.withLock { state in
      if ended.isFailure { state.failure = state.failure ?? ended } else { state.isShutDown = true }
    }
    end("\(ended.id) \(ended.end)")
  }
}

/// An error that reports that a service ended whose `onExit` is `fail`. All services were shut down.
public struct ServiceFailed: Error, CustomStringConvertible {
  /// The id of the service.
  public let service: String
  /// The way in which it ended, for example "returned".
  public let end: String
  /// The record of the launch.
  public let record: StartupRecord

  /// The error message.
  public var description: String { "the service \"\(service)\" \(end), and its onExit is fail" }
}

/// An error that reports that event handlers failed. All services were shut down.
public struct HandlersFailed: Error, CustomStringConvertible {
  /// The name of the event.
  public let event: String
  /// The record of the handlers.
  public let handlers: StartupRecord
  /// The record of the launch.
  public let record: StartupRecord

  /// The error message.
  public var description: String {
    let failures = handlers.failures.compactMap { step in
      step.state.failure.map { "\"\(step.id)\": \($0.message)" }
    }
    return "the handlers of \(event) failed"
      + (failures.isEmpty ? "" : ": \(failures.joined(separator: "; "))")
  }
}

/// An error of a runner that has already run its plan.
package struct RunnerReused: Error, Hashable, CustomStringConvertible {
  package init() {}

  /// The error message.
  package var description: String {
    "this runner has already run its plan: create a ServiceRunner for each launch"
  }
}
