public import AppBoot
import AppBootLifecycle
import AppBootSystem

/// A runner for a plan with services: it runs the launch, keeps the services, and shuts them down at the end.
///
/// ```swift
/// let runner = try ServiceRunner(plan)
/// try await runner.run()      // returns after shutDown(), which another task calls
/// ```
///
/// It needs no command line and no state directory. Event handlers of the plan do not run. For services with event
/// handlers, use the tool.
public final class ServiceRunner: Sendable {
  private enum Stage: Sendable { case idle, launching, staying, ending }

  private struct State: Sendable {
    var hasBegun = false
    var stage = Stage.idle
    var isShutDown = false
    var isCancelled = false
    /// The service whose end ends the app, with the words for its end; `nil` if there is none.
    var failure: (id: String, end: String)?
    /// The time on the monotonic clock at which the launch began.
    var origin: Int64 = 0
    var lateEvents: [StartupEvent] = []
  }

  private let plan: StartupPlan
  private let runner: StartupRunner
  private let supervisor: ServiceSupervisor
  private let handlesSignals: Bool
  private let observers: [any StartupObserver]
  private let state = Lock(State())
  private let (shutdown, shutdownSignal) = AsyncStream.makeStream(of: Void.self)

  /// Creates a runner. Nothing is started before it runs.
  ///
  /// - Parameter handlesSignals: True to shut down at the signals TERM and INT. A second signal ends the process at
  ///   once. A process can have only one handler of signals.
  /// - Throws: An error if the system has no descriptor left.
  public init(
    _ plan: StartupPlan, configuration: StartupRunner.Configuration = StartupRunner.Configuration(),
    handlesSignals: Bool = false
  ) throws {
    let receive = Lock<(@Sendable (ServiceEvent) -> Void)?>(nil)
    let supervisor = try ServiceSupervisor { event in receive.withLock(\.self)?(event) }
    var plan = plan
    plan.keepServices(with: supervisor)
    (self.plan, self.supervisor, self.handlesSignals) = (plan, supervisor, handlesSignals)
    observers = configuration.observers
    runner = StartupRunner(plan, configuration: configuration)
    receive.withLock { $0 = { [weak self] in self?.receive($0) } }
  }

  /// The states of the services that were started, by the id of the step.
  public var services: [String: ServiceState] {
    let statuses = supervisor.statuses(measuresMemory: false)
    return Dictionary(statuses.map { ($0.id, $0.state) }) { first, _ in first }
  }

  /// Runs the launch, and keeps its services until ``shutDown()`` is called or until none of them runs. Returns the
  /// record.
  ///
  /// Services shut down in reverse order: a service after those that come after it. Cancelling the task cancels all
  /// services in Swift at once, without their grace periods; processes keep theirs.
  ///
  /// - Throws: ``LaunchFailed`` if the launch failed; ``ServiceFailed`` if a service ended whose `onExit` is `fail`;
  ///   `CancellationError` if the task was cancelled; ``ServiceRunnerError`` for a second run.
  @discardableResult
  public func run(isolation: isolated (any Actor)? = #isolation) async throws -> StartupRecord {
    let isFirst = state.withLock { state in
      defer { state.hasBegun = true }
      return !state.hasBegun
    }
    guard isFirst else { throw ServiceRunnerError.alreadyRun }
    let signals = handlesSignals ? try startSignals() : nil
    defer { signals?.stop() }
    return try await withTaskCancellationHandler {
      try await launchAndStay()
    } onCancel: {
      cancel()
    }
  }

  /// Shuts all services down, so that ``run(isolation:)`` returns. If the launch is still running, cancels it.
  ///
  /// It returns at once. A second call has no effect.
  public func shutDown() {
    state.withLock { $0.isShutDown = true }
    end("the app shuts down")
  }

  // MARK: - The run

  private func launchAndStay(isolation: isolated (any Actor)? = #isolation) async throws -> StartupRecord {
    state.withLock { ($0.stage, $0.origin) = (.launching, MonotonicClock.now()) }
    var failure: LaunchFailed?
    var record: StartupRecord
    do throws(LaunchFailed) {
      record = try await runner.launch().record
    } catch {
      (failure, record) = (error, error.record)
    }
    let (isEnding, isCancelled) = state.withLock { state in
      state.stage = .staying
      return (state.isShutDown || state.failure != nil, state.isCancelled)
    }
    if isCancelled { supervisor.cancelAll() }
    if failure == nil, !isEnding, !isCancelled {
      endIfIdle()
      for await _ in shutdown {}
    }
    // A request to shut down that comes after the failure does not hide it.
    if isEnding { failure = nil }
    state.withLock { $0.stage = .ending }
    await stopServices()
    let end = state.withLock(\.self)
    for event in end.lateEvents { record.add(late: event) }
    if end.isCancelled { throw CancellationError() }
    if let (id, reason) = end.failure { throw ServiceFailed(service: id, end: reason, record: record) }
    if let failure { throw failure }
    return record
  }

  /// Stops all services. A service stops after those that come after it; after a cancellation, all stop at once.
  private func stopServices() async {
    var dependents: [String: Set<String>] = [:]
    for (step, others) in plan.dependents(among: plan.services) {
      dependents[plan[step].outline.id] = Set(others.map { plan[$0].outline.id })
    }
    await withCheckedContinuation { continuation in
      Thread.detach(name: "appboot-shutdown") { [supervisor, dependents] in
        supervisor.stopAll(dependents: dependents)
        continuation.resume()
      }
    }
  }

  /// Ends the stay, or cancels the launch with a reason.
  private func end(_ reason: String) {
    let stage = state.withLock(\.stage)
    if stage == .idle || stage == .launching { runner.cancel(reason) }
    shutdownSignal.finish()
  }

  private func cancel() {
    let stage = state.withLock { state in
      state.isCancelled = true
      return state.stage
    }
    shutdownSignal.finish()
    // The launch that still runs is cancelled with its task, and may add services until it has ended.
    if stage == .staying || stage == .ending { supervisor.cancelAll() }
  }

  /// Ends the stay if no service runs or restarts.
  private func endIfIdle() {
    guard state.withLock({ $0.stage == .staying }) else { return }
    let running = supervisor.statuses(measuresMemory: false).filter {
      $0.state != .ended && $0.state != .stopped
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
  private func receive(_ event: ServiceEvent) {
    switch event {
    case .ended(let id, let end, let policy, _):
      // A service that ends during the shutdown of the app has done what it was asked to do.
      guard !state.withLock({ $0.isShutDown || $0.isCancelled || $0.stage == .ending }) else { return }
      let step = plan.outline.index(ofStep: id) ?? 0
      let note = runner.snapshot().record[step].details.note
      add(.noted(step: step, text: ServiceEvent.note(note, withEnd: end, endsApp: policy != .ignore)))
      switch policy {
      case .ignore: endIfIdle()
      case .finish:
        state.withLock { $0.isShutDown = true }
        self.end("\(id) \(end)")
      case .fail:
        state.withLock { $0.failure = $0.failure ?? (id, end) }
        self.end("\(id) \(end)")
      }
    case .killed(let id, _, let time):
      add(.killed(step: plan.outline.index(ofStep: id) ?? 0, after: .nanoseconds(time)))
    case .changed: endIfIdle()
    case .output(let id, let attempt, let lines): pass(lines, of: id, attempt)
    case .delayed: break
    }
  }

  /// Passes the output of a service to the observers of the launch.
  private func pass(_ lines: [OutputLine], of id: String, _ attempt: Int) {
    guard let step = plan.outline.index(ofStep: id) else { return }
    let time = MonotonicClock.now() - state.withLock(\.origin)
    for line in lines {
      let event = StartupEvent(
        .output(step: step, attempt: attempt, stream: line.stream, line: line.text), at: time)
      for observer in observers { observer.observe(event, in: plan.outline) }
    }
  }

  /// Stores an event that comes after the launch, for its record.
  private func add(_ kind: StartupEvent.Kind) {
    let now = MonotonicClock.now()
    state.withLock { $0.lateEvents.append(StartupEvent(kind, at: now - $0.origin)) }
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

/// An error that reports a wrong use of a ``ServiceRunner``.
public enum ServiceRunnerError: Error, Hashable, CustomStringConvertible {
  /// The runner has already run its plan.
  case alreadyRun

  /// The error message.
  public var description: String {
    "this runner has already run its plan: create a ServiceRunner for each launch"
  }
}
