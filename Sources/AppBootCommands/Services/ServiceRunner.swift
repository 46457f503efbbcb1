public import AppBoot
public import AppBootLifecycle
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
    /// A function has the launch's values. The closure cancels it.
    case using(cancel: @Sendable () -> Void)
    /// The handlers of the launch's events run. They may start services.
    case handling
    case staying, ending
  }

  /// The reason for the end of the app. A later case replaces an earlier one.
  private enum End: Sendable {
    case shutDown
    /// A service ended whose `onExit` is `fail`.
    case failed(EndedService)
    /// The task was cancelled.
    case cancelled
  }

  private struct State: Sendable {
    var stage = Stage.idle
    /// `nil` until the app must end.
    var end: End?

    mutating func end(by new: End) {
      switch (end, new) {
      case (nil, _), (.shutDown, _), (.failed, .cancelled): end = new
      case (.failed, _), (.cancelled, _): break
      }
    }
  }

  let session: AppSession
  private let host: LifecycleHost
  private let runner: LaunchRunner
  let keeper: ServiceKeeper
  private let handlesSignals: Bool
  private let state = Lock(State())
  private let (shutdown, shutdownSignal) = AsyncStream.makeStream(of: Void.self)

  /// Creates a runner. Nothing is started before it runs.
  ///
  /// - Parameter handlesSignals: True to shut down at the signals TERM and INT. A second signal ends the process at
  ///   once.
  /// - Throws: `SystemCallFailed` if the process has no descriptor left.
  public init(
    _ plan: LaunchPlan, configuration: LaunchRunner.Configuration = LaunchRunner.Configuration(),
    handlesSignals: Bool = false
  ) throws(SystemCallFailed) {
    let receive = Lock<(@Sendable (EndedService?) -> Void)?>(nil)
    var plan = plan
    session = AppSession(timeout: plan.outline.timeoutTime)
    do throws(SystemError) {
      keeper = try ServiceKeeper(&plan, configuration, session) { receive.withLock(\.self)?($1) }
    } catch {
      throw SystemCallFailed(error)
    }
    var options = LifecycleHost.Configuration()
    options.runner = configuration
    options.becomesActive = true
    host = LifecycleHost(plan, configuration: options, session: session)
    runner = host.launchRunner
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
  /// Events of services have handlers once `didLaunch` has returned. Services shut down in reverse order: a service
  /// after those that come after it. Cancelling the task cancels all services in Swift at once, without their grace
  /// periods; processes keep theirs.
  ///
  /// - Parameter didLaunch: A function that is called when the launch has succeeded, with the commands' values.
  ///   The services stay until it has returned. If it throws an error, the services shut down. If the services must
  ///   shut down before, it is cancelled.
  /// - Throws: ``LaunchFailed`` if the launch failed; ``ServiceFailed`` if a service ended whose `onExit` is `fail`;
  ///   ``HandlersFailed`` if the handlers of `willTerminate` failed; `CancellationError` if the task was cancelled;
  ///   ``RunnerReused`` for a second run; `SystemCallFailed` if signals cannot be handled; the error of `didLaunch`.
  @discardableResult
  public func run(
    isolation: isolated (any Actor)? = #isolation,
    didLaunch: @escaping @Sendable (CompletedLaunch) async throws -> Void = { _ in }
  ) async throws -> LaunchRecord {
    let isFirst = state.withLock { state in
      guard case .idle = state.stage else { return false }
      state.stage = .launching
      return true
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
    state.withLock { $0.end(by: .shutDown) }
    keeper.expectEnds()
    end("the app shuts down")
  }

  // MARK: - The run

  private func launchAndStay(
    isolation: isolated (any Actor)? = #isolation,
    didLaunch: @escaping @Sendable (CompletedLaunch) async throws -> Void
  ) async throws -> LaunchRecord {
    var (failure, record) = await launch()
    record = session.complete(record)
    let end = state.withLock { state in
      state.stage = .handling
      return state.end
    }
    if case .cancelled = end { keeper.supervisor.cancelAll() }
    var last: LaunchRecord?
    var problem: (any Error)?
    if failure == nil {
      if end == nil {
        problem = await use(runner.completed(with: record), by: didLaunch)
        if problem == nil { await stay() }
      }
      // A cancelled task shuts nothing down gracefully.
      if !isCancelled { last = await terminate() }
    }
    state.withLock { $0.stage = .ending }
    await stopServices()
    record = session.record ?? record
    switch state.withLock(\.end) {
    case .cancelled: throw CancellationError()
    case .failed(let ended): throw ServiceFailed(service: ended.id, end: ended.end, record: record)
    case .shutDown, nil: break
    }
    // A request to shut down that comes after the failure does not hide it.
    if let failure, end == nil { throw failure }
    if let problem { throw problem }
    if let last, !last.succeeded {
      throw HandlersFailed(event: EventName.willTerminate.name, handlers: last, record: record)
    }
    return record
  }

  private func launch(isolation: isolated (any Actor)? = #isolation) async -> (LaunchFailed?, LaunchRecord) {
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
      state.stage = .using { task.cancel() }
      return state.end != nil
    }
    if isEnding { task.cancel() }
    do {
      try await task.value
      return nil
    } catch is CancellationError where state.withLock({ $0.end != nil }) {
      return nil
    } catch {
      return error
    }
  }

  /// Runs the handlers of the launch's events, and waits for the end of the stay.
  private func stay(isolation: isolated (any Actor)? = #isolation) async {
    state.withLock { $0.stage = .handling }
    if !host.plan.events.isEmpty {
      await host.receive(.didFinishLaunching(host.plan.options))
      await withCheckedContinuation { continuation in host.whenIdle { continuation.resume() } }
    }
    state.withLock { $0.stage = .staying }
    endIfIdle()
    for await _ in shutdown {}
  }

  /// Runs the handlers of `willTerminate`. Returns their record; `nil` if there are none.
  ///
  /// Events that wait are handled before. Later events are refused, for example those that these handlers emit.
  private func terminate(isolation: isolated (any Actor)? = #isolation) async -> LaunchRecord? {
    defer { host.end() }
    keeper.expectEnds()
    guard host.plan.events[EventName.willTerminate.name] != nil else { return nil }
    return await host.receive(.willTerminate).record
  }

  private func stopServices() async {
    keeper.beginToStop()
    await withCheckedContinuation { continuation in
      keeper.whenStopped { [session] in
        session.settle()
        continuation.resume()
      }
    }
  }

  private var isCancelled: Bool { state.withLock { if case .cancelled = $0.end { true } else { false } } }

  /// Ends the stay, or cancels the launch with a reason.
  private func end(_ reason: String) {
    switch state.withLock(\.stage) {
    case .idle, .launching: runner.cancel(reason)
    case .using(let cancel): cancel()
    case .handling, .staying, .ending: break
    }
    session.cancel(reason)
    shutdownSignal.finish()
  }

  private func cancel() {
    keeper.expectEnds()
    let stage = state.withLock { state in
      state.end(by: .cancelled)
      return state.stage
    }
    if case .using(let cancel) = stage { cancel() }
    session.cancel("the task was cancelled", includesLast: true)
    shutdownSignal.finish()
    switch stage {
    // The launch that still runs is cancelled with its task, and may add services until it has ended.
    case .idle, .launching: break
    case .using, .handling, .staying, .ending: keeper.supervisor.cancelAll()
    }
  }

  /// Ends the stay if no service runs or restarts.
  private func endIfIdle() {
    guard isIdle else { return }
    host.afterServiceEvents { [host, weak self] in
      host.whenIdle { [weak self] in
        // A handler may have started another service.
        if let self, self.isIdle { self.shutdownSignal.finish() }
      }
    }
  }

  private var isIdle: Bool {
    guard case .staying = state.withLock(\.stage) else { return false }
    return keeper.supervisor.statuses(measuresMemory: false).allSatisfy { $0.isOver || $0.state == .stopped }
  }

  private func startSignals() throws(SystemCallFailed) -> SignalEventSource {
    let termination = Lock(TerminationPolicy())
    var handlers: [Int32: @Sendable () -> Void] = [:]
    for signal in [Signals.terminate, Signals.interrupt] {
      handlers[signal] = { [weak self] in
        switch termination.withLock({ $0.receive(signal, at: MonotonicClock.now()) }) {
        case .end: self?.shutDown()
        case .nothing: break
        case .endAtOnce: Signals.raiseDefault(signal)
        }
      }
    }
    let source = SignalEventSource(handlers: handlers)
    try source.start { _ in }
    return source
  }

  // MARK: - Events of services

  /// It is called on the thread of the services, and for the first start of a service on a thread of the launch.
  private func receive(_ ended: EndedService?) {
    guard let ended, ended.endsApp else { return endIfIdle() }
    let stage = state.withLock { state in
      state.end(by: ended.isFailure ? .failed(ended) : .shutDown)
      return state.stage
    }
    let end = { @Sendable [weak self] in self?.end("\(ended.id) \(ended.end)") ?? () }
    switch stage {
    case .idle, .launching, .using: end()
    case .handling, .staying, .ending: host.afterServiceEvents(end)
    }
  }
}

/// An error that reports that a service ended whose `onExit` is `fail`. All services were shut down.
public struct ServiceFailed: Error, CustomStringConvertible {
  /// The id of the service.
  public let service: String
  /// The way in which it ended, for example "returned".
  public let end: String
  /// The record of the launch.
  public let record: LaunchRecord

  /// Creates the error, for a test of the code that catches it.
  public init(service: String, end: String, record: LaunchRecord) {
    (self.service, self.end, self.record) = (service, end, record)
  }

  /// The error message.
  public var description: String { "the service \"\(service)\" \(end), and its onExit is fail" }
}

/// An error that reports that event handlers failed. All services were shut down.
public struct HandlersFailed: Error, CustomStringConvertible {
  /// The name of the event.
  public let event: String
  /// The record of the handlers.
  public let handlers: LaunchRecord
  /// The record of the launch.
  public let record: LaunchRecord

  /// Creates the error, for a test of the code that catches it.
  public init(event: String, handlers: LaunchRecord, record: LaunchRecord) {
    (self.event, self.handlers, self.record) = (event, handlers, record)
  }

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
public struct RunnerReused: Error, Hashable, CustomStringConvertible {
  /// Creates the error.
  public init() {}

  /// The error message.
  public var description: String {
    "this runner has already run its plan: create a ServiceRunner for each launch"
  }
}
