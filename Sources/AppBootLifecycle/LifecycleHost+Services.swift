import AppBoot
import AppBootSystem

/// The events of services that the host has not handled.
///
/// They wait until the launch has succeeded, and then for the events before them. A newer event of the same name and
/// service replaces the waiting one, so a service that restarts in a loop adds no more.
struct WaitingServiceEvents: Sendable {
  private enum Phase: Sendable { case launching, open, over }

  private var phase = Phase.launching
  private var events: [LifecycleEvent] = []
  private var completions: [@Sendable () -> Void] = []

  /// Adds an event. Returns true if the caller must start to handle the waiting events.
  mutating func add(_ event: LifecycleEvent) -> Bool {
    guard phase != .over else { return false }
    defer {
      events.removeAll { $0.name == event.name && $0.service?.id == event.service?.id }
      events.append(event)
    }
    return phase == .open && isEmpty
  }

  /// Adds a function to call after the events so far.
  ///
  /// Returns true if the caller must start to handle the waiting events.
  mutating func add(_ completion: @escaping @Sendable () -> Void) -> Bool {
    guard phase != .over else { return false }
    defer { completions.append(completion) }
    return phase == .open && isEmpty
  }

  /// Notes that the launch has succeeded. Returns true if the caller must start to handle the waiting events.
  mutating func open() -> Bool {
    guard phase == .launching else { return false }
    phase = .open
    return !isEmpty
  }

  /// Removes and returns the waiting events and functions.
  mutating func take() -> (events: [LifecycleEvent], completions: [@Sendable () -> Void]) {
    defer { (events, completions) = ([], []) }
    return (events, completions)
  }

  /// Drops the waiting and all later events, because the app ends.
  mutating func end() { self = WaitingServiceEvents(phase: .over) }

  private var isEmpty: Bool { events.isEmpty && completions.isEmpty }
}

extension LifecycleHost {
  /// Starts the source of the plan's services. Their events have handlers in the plan, listeners and responders.
  func startServiceEvents() {
    guard let source = plan.environment.host.services as? any LifecycleEventSource else { return }
    try? source.start { [weak self] event in
      guard let self, handles(event.name) else { return }
      if serviceEvents.withLock({ $0.add(event) }) { takeServiceEvents() }
    }
  }

  /// Notes that the launch has succeeded, so that the events of services are handled from now on.
  func openServiceEvents() {
    if serviceEvents.withLock({ $0.open() }) { takeServiceEvents() }
  }

  /// Calls a function once: when the events of services so far are handled, or after a time. It is called at once if
  /// nothing handles such events.
  ///
  /// An app that ends because of a service calls it, so that the handlers of the service's event are not cancelled.
  ///
  /// - Parameter time: The nanoseconds that the handlers have.
  package func afterServiceEvents(
    within time: Int64 = 10_000_000_000, _ body: @escaping @Sendable () -> Void
  ) {
    guard EventName.ofServices.contains(where: { handles($0.name) }) else { return body() }
    let end = SharedOutcome<Void>()
    let once = { @Sendable in if end.begin() { body() } }
    let timer = ThreadTimer.shared.schedule(after: time, once)
    let isFirst = serviceEvents.withLock {
      $0.add {
        timer.cancel()
        once()
      }
    }
    if isFirst { takeServiceEvents() }
  }

  private func handles(_ event: String) -> Bool {
    guard configuration.driver?.handlesServiceEvents ?? true else { return false }
    return plan.events[event] != nil || configuration.mediator.hasListener(for: event)
      || !configuration.responders.isEmpty
  }

  /// Handles the events that wait, after those of the process before them.
  ///
  /// The caller may be the thread of the services, which must not wait for handlers.
  private func takeServiceEvents() {
    let add = { @Sendable [self] in
      queue.add { [self] in
        let (events, completions) = serviceEvents.withLock { $0.take() }
        for event in events { handle(ofService: event) }
        for completion in completions { completion() }
      }
    }
    if configuration.handlesOnCallingThread { Thread.detach(name: "appboot-event", add) } else { add() }
  }
}
