public import AppBoot
public import AppBootLifecycle
import AppBootSystem

/// A keeper of a plan's services in an app without the tool. It adds their ends to the record of the session.
final class ServiceKeeper: ServiceKeeping {
  let supervisor: ServiceSupervisor
  private let outline: LaunchOutline
  private let dependents: [String: Set<String>]
  private let observers: [any LaunchObserver]
  private let session: AppSession
  private let didChange: @Sendable (ServiceKeeper, EndedService?) -> Void
  /// True after the end of a service that ends the app.
  private let hasEnd = Lock(false)
  private let shutdown = SharedOutcome<Void>()

  /// Creates the keeper of a plan, whose steps then start their services with it.
  ///
  /// - Throws: `SystemError` if the system has no descriptor left.
  init(
    _ plan: inout LaunchPlan, _ configuration: LaunchRunner.Configuration, _ session: AppSession,
    didChange: @escaping @Sendable (ServiceKeeper, EndedService?) -> Void
  ) throws(SystemError) {
    let receive = Lock<(@Sendable (ServiceEvent) -> Void)?>(nil)
    supervisor = try ServiceSupervisor(cancellationGrace: configuration.grace.nanoseconds) { event in
      receive.withLock(\.self)?(event)
    }
    plan.keepServices(with: supervisor)
    outline = plan.outline
    dependents = plan.serviceDependents
    observers = configuration.observers
    self.session = session
    self.didChange = didChange
    receive.withLock { $0 = { [weak self] in self?.receive($0) } }
  }

  var isEnding: Bool { hasEnd.withLock(\.self) }

  func expectEnds() { supervisor.expectEnds() }

  func beginToStop() {
    expectEnds()
    guard shutdown.begin() else { return }
    Thread.detach(name: "appboot-shutdown") { [self] in
      supervisor.stopAll(dependents: dependents)
      shutdown.complete(())
    }
  }

  func whenStopped(_ body: @escaping @Sendable () -> Void) {
    if shutdown.hasBegun { shutdown.whenDone(body) } else { body() }
  }

  // MARK: - Events

  /// It is called on the thread of the services, and for the first start of a service on a thread of the launch.
  private func receive(_ event: ServiceEvent) {
    switch event {
    case .ended(let id, let end, let policy, _, _):
      if policy != .ignore {
        expectEnds()
        hasEnd.withLock { $0 = true }
      }
      session.add(event)
      didChange(
        self,
        policy == .ignore ? nil : EndedService(id: id, end: end, isFailure: policy == .fail, endsApp: true))
    case .killed: session.add(event)
    case .changed(let status):
      if status.shutdownFailure != nil { session.add(event) }
      // A service that starts ends nothing, and the supervisor may not have it yet.
      guard status.isOver || status.state == .stopped else { return }
      didChange(
        self,
        status.shutdownFailure.map { EndedService(id: status.id, end: $0, isFailure: true, endsApp: false) })
    case .output(let id, let attempt, let lines): pass(lines, of: id, attempt)
    case .delayed, .abandoned, .health: break
    }
  }

  /// Passes the output of a service to the observers of the launch.
  private func pass(_ lines: [OutputLine], of id: String, _ attempt: Int) {
    guard let step = outline.index(ofStep: id) else { return }
    let time = session.time
    for line in lines {
      let event = LaunchEvent(
        .output(.init(step: step, attempt: attempt, stream: line.stream, line: line.text)), at: time)
      for observer in observers { observer.observe(event, in: outline) }
    }
  }
}

extension AppSession {
  /// Adds the end of a service, its failure to shut down, or its kill, to the record of the launch. Services that event
  /// handlers started have no step there.
  ///
  /// - Parameter isVerdict: True to make the launch fail if the service's `onExit` is `fail`.
  package func add(_ event: ServiceEvent, isVerdict: Bool = true) {
    add { record in
      guard let step = record.outline.index(ofStep: event.id) else { return [] }
      switch event {
      case .ended(_, let end, let policy, _, let failure):
        let note = ServiceEvent.note(record[step].details.note, withEnd: end, endsApp: policy != .ignore)
        let crash = LaunchEvent.Kind.ended(step: step, state: .failed(failure))
        return [.noted(step: step, text: note)] + (isVerdict && policy == .fail ? [crash] : [])
      case .killed(_, _, let time): return [.killed(step: step, after: .nanoseconds(time))]
      case .changed(let status):
        let note = record[step].details.note
        return status.shutdownFailure.map {
          [.noted(step: step, text: ServiceEvent.note(note, withEnd: $0, endsApp: false))]
        } ?? []
      case .output, .delayed, .abandoned, .health: return []
      }
    }
  }
}

/// A service whose end ends the app, or that failed to shut down.
struct EndedService: Sendable {
  /// The id of the service's step.
  let id: String
  /// The words for its end, for example "returned".
  let end: String
  /// True if the end is a failure.
  let isFailure: Bool
  /// True if the app ends because of this end: with a failure, or as finished if the end is no failure.
  let endsApp: Bool
}

extension ServiceStarter {
  package static func keepServices(
    of plan: inout LaunchPlan, _ configuration: LifecycleHost.Configuration, _ session: AppSession
  ) -> (any ServiceKeeping)? {
    let store = configuration.store
    do {
      return try ServiceKeeper(&plan, configuration.runner, session) { keeper, ended in
        guard let ended else { return }
        if ended.isFailure {
          store.dispatch(.failed(LaunchState.Failure(source: ended.id, message: "the service \(ended.end)")))
        }
        // The end of the launch stops the other services.
        if ended.endsApp, !session.cancelLaunch("\(ended.id) \(ended.end)") { keeper.beginToStop() }
      }
    } catch {
      store.dispatch(.failed(LaunchState.Failure(source: "services", message: "\(error)")))
      return nil
    }
  }
}

extension LifecycleHost {
  /// The states of the services that were started, by the id of the step. In an app's tool it is empty.
  public var services: [String: ServiceState] { supervisor?.states ?? [:] }

  /// The last reported health of the services that run, by the id of the step. In an app's tool it is empty.
  public var health: [String: ServiceHealth] { supervisor?.health ?? [:] }

  private var supervisor: ServiceSupervisor? { (keeper as? ServiceKeeper)?.supervisor }
}

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
  public func output(_ line: String, stream: LaunchEvent.OutputStream = .stdout) {
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
