package import AppBoot
package import AppBootLifecycle
import AppBootSystem

/// A keeper of a plan's services in an app without the tool. It adds their late events to the record of the launch.
final class ServiceKeeper: ServiceKeeping {
  private struct State: Sendable {
    /// The time on the monotonic clock at which the launch began.
    var origin: Int64 = 0
    /// The record of the launch; `nil` until the launch has ended.
    var record: StartupRecord?
    /// The events before the end of the launch, with their times.
    var lateEvents: [(event: ServiceEvent, time: Int64)] = []
    var isEnding = false
  }

  let supervisor: ServiceSupervisor
  private let outline: LaunchOutline
  private let dependents: [String: Set<String>]
  private let observers: [any StartupObserver]
  private let sink: (any LaunchSink)?
  private let didChange: @Sendable (any ServiceKeeping, EndedService?) -> Void
  private let state = Lock(State())

  /// Creates the keeper of a plan, whose steps then start their services with it.
  ///
  /// - Throws: `SystemError` if the system has no descriptor left.
  init(
    _ plan: inout StartupPlan, _ configuration: StartupRunner.Configuration,
    didChange: @escaping @Sendable (any ServiceKeeping, EndedService?) -> Void
  ) throws(SystemError) {
    let receive = Lock<(@Sendable (ServiceEvent) -> Void)?>(nil)
    supervisor = try ServiceSupervisor(cancellationGrace: configuration.grace.nanoseconds) { event in
      receive.withLock(\.self)?(event)
    }
    plan.keepServices(with: supervisor)
    outline = plan.outline
    dependents = plan.serviceDependents
    (observers, sink, self.didChange) = (configuration.observers, configuration.sink, didChange)
    receive.withLock { $0 = { [weak self] in self?.receive($0) } }
  }

  func beginLaunch() { state.withLock { $0.origin = MonotonicClock.now() } }

  func completeLaunch(_ record: inout StartupRecord) {
    record = state.withLock { [record] state in
      state.record = record
      for (event, time) in state.lateEvents { add(event, at: time, &state) }
      state.lateEvents = []
      return state.record ?? record
    }
  }

  /// The record of the launch, with the later events of its services; `nil` until the launch has ended.
  var record: StartupRecord? { state.withLock(\.record) }

  /// Makes further ends of services count as a part of the shutdown.
  func expectEnd() { state.withLock { $0.isEnding = true } }

  func stop() {
    expectEnd()
    supervisor.stopAll(dependents: dependents)
  }

  func beginToStop() {
    expectEnd()
    supervisor.beginToStopAll(dependents: dependents)
  }

  // MARK: - Events

  /// It is called on the thread of the services.
  private func receive(_ event: ServiceEvent) {
    switch event {
    case .ended(let id, let end, let policy, _, _):
      // The end of a service is expected during the shutdown of the app.
      let isEnding = state.withLock { state in
        defer { if policy == .finish { state.isEnding = true } }
        return state.isEnding
      }
      guard !isEnding else { return }
      add(event)
      didChange(
        self, policy == .ignore ? nil : EndedService(id: id, end: end, isFailure: policy == .fail))
    case .killed: add(event)
    case .changed: didChange(self, nil)
    case .output(let id, let attempt, let lines): pass(lines, of: id, attempt)
    case .delayed, .abandoned, .health: break
    }
  }

  /// Passes the output of a service to the observers of the launch.
  private func pass(_ lines: [OutputLine], of id: String, _ attempt: Int) {
    guard let step = outline.index(ofStep: id) else { return }
    let time = MonotonicClock.now() - state.withLock(\.origin)
    for line in lines {
      let event = StartupEvent(
        .output(step: step, attempt: attempt, stream: line.stream, line: line.text), at: time)
      for observer in observers { observer.observe(event, in: outline) }
    }
  }

  private func add(_ event: ServiceEvent) {
    state.withLock { state in
      let time = MonotonicClock.now() - state.origin
      if state.record == nil { state.lateEvents.append((event, time)) } else { add(event, at: time, &state) }
    }
  }

  /// Adds an event to the record and to the sink. Services that event handlers started have no step there.
  private func add(_ event: ServiceEvent, at time: Int64, _ state: inout State) {
    guard let step = outline.index(ofStep: event.id), let record = state.record else { return }
    let kinds: [StartupEvent.Kind]
    switch event {
    case .ended(_, let end, let policy, _, let failure):
      let note = ServiceEvent.note(record[step].details.note, withEnd: end, endsApp: policy != .ignore)
      let crash = policy == .fail ? [StartupEvent.Kind.ended(step: step, state: .failed(failure))] : []
      kinds = [.noted(step: step, text: note)] + crash
    case .killed(_, _, let killedAfter): kinds = [.killed(step: step, after: .nanoseconds(killedAfter))]
    case .output, .changed, .delayed, .abandoned, .health: return
    }
    for kind in kinds {
      let event = StartupEvent(kind, at: time)
      state.record?.add(late: event)
      sink?.add(late: event, in: outline)
    }
  }
}

extension ServiceStarter {
  package static func keepServices(
    of plan: inout StartupPlan, _ configuration: StartupRunner.Configuration,
    didChange: @escaping @Sendable (any ServiceKeeping, EndedService?) -> Void
  ) throws -> any ServiceKeeping {
    try ServiceKeeper(&plan, configuration, didChange: didChange)
  }
}
