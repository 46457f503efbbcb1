package import AppBoot
package import AppBootLifecycle
import AppBootSystem

/// A keeper of a plan's services in an app without the tool. It adds their ends to the record of the session.
final class ServiceKeeper: ServiceKeeping {
  let supervisor: ServiceSupervisor
  private let outline: LaunchOutline
  private let dependents: [String: Set<String>]
  private let observers: [any StartupObserver]
  private let session: AppSession
  private let didChange: @Sendable (ServiceKeeper, EndedService?) -> Void
  /// True after the end of a service that ends the app.
  private let hasEnd = Lock(false)
  private let shutdown = SharedOutcome<Void>()

  /// Creates the keeper of a plan, whose steps then start their services with it.
  ///
  /// - Throws: `SystemError` if the system has no descriptor left.
  init(
    _ plan: inout StartupPlan, _ configuration: StartupRunner.Configuration, _ session: AppSession,
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

  /// It is called on the thread of the services.
  private func receive(_ event: ServiceEvent) {
    switch event {
    case .ended(let id, let end, let policy, _, _):
      if policy != .ignore {
        expectEnds()
        hasEnd.withLock { $0 = true }
      }
      session.add(event)
      didChange(
        self, policy == .ignore ? nil : EndedService(id: id, end: end, isFailure: policy == .fail))
    case .killed: session.add(event)
    case .changed: didChange(self, nil)
    case .output(let id, let attempt, let lines): pass(lines, of: id, attempt)
    case .delayed, .abandoned, .health: break
    }
  }

  /// Passes the output of a service to the observers of the launch.
  private func pass(_ lines: [OutputLine], of id: String, _ attempt: Int) {
    guard let step = outline.index(ofStep: id) else { return }
    let time = session.time
    for line in lines {
      let event = StartupEvent(
        .output(step: step, attempt: attempt, stream: line.stream, line: line.text), at: time)
      for observer in observers { observer.observe(event, in: outline) }
    }
  }
}

extension AppSession {
  /// Adds the end of a service, or its kill, to the record of the launch. Services that event handlers started have no
  /// step there.
  ///
  /// - Parameter isVerdict: True to make the launch fail if the service's `onExit` is `fail`.
  package func add(_ event: ServiceEvent, isVerdict: Bool = true) {
    add { record in
      guard let step = record.outline.index(ofStep: event.id) else { return [] }
      switch event {
      case .ended(_, let end, let policy, _, let failure):
        let note = ServiceEvent.note(record[step].details.note, withEnd: end, endsApp: policy != .ignore)
        let crash = StartupEvent.Kind.ended(step: step, state: .failed(failure))
        return [.noted(step: step, text: note)] + (isVerdict && policy == .fail ? [crash] : [])
      case .killed(_, _, let time): return [.killed(step: step, after: .nanoseconds(time))]
      case .output, .changed, .delayed, .abandoned, .health: return []
      }
    }
  }
}

/// A service whose end ends the app.
struct EndedService: Sendable {
  /// The id of the service's step.
  let id: String
  /// The words for its end, for example "returned".
  let end: String
  /// True if the app has failed; false if it has finished.
  let isFailure: Bool
}

extension ServiceStarter {
  package static func keepServices(
    of plan: inout StartupPlan, _ configuration: LifecycleHost.Configuration, _ session: AppSession
  ) -> (any ServiceKeeping)? {
    let store = configuration.store
    do {
      return try ServiceKeeper(&plan, configuration.runner, session) { keeper, ended in
        guard let ended else { return }
        if ended.isFailure {
          store.dispatch(.failed(LaunchState.Failure(source: ended.id, message: "the service \(ended.end)")))
        }
        // The end of the launch stops the other services.
        if !session.cancelLaunch("\(ended.id) \(ended.end)") { keeper.beginToStop() }
      }
    } catch {
      store.dispatch(.failed(LaunchState.Failure(source: "services", message: "\(error)")))
      return nil
    }
  }
}
