import AppBoot
import AppBootLifecycle
import AppBootSystem

/// The event handlers of a plan that a ``ServiceRunner`` runs: those of emitted events and `didBecomeActive` after the
/// launch, and those of `willTerminate` before its services shut down.
final class ServiceHandlers: Sendable {
  private struct State: Sendable {
    /// The record of the launch, which has run already.
    var record: StartupRecord?
    /// The time on the monotonic clock at which the launch began.
    var origin: Int64 = 0
    var events: [EventRecord] = []
    /// The runner of the current handlers; `nil` if none run.
    var runner: StartupRunner?
    /// True if the current handlers are those of `willTerminate`.
    var isLast = false
    /// The reason to cancel the handlers of all events except `willTerminate`; `nil` if there is none.
    var cancellation: String?
    /// True if the cancellation includes the handlers of `willTerminate`.
    var isForced = false
    var becomeActive: (@Sendable () -> Void)?
  }

  private let plan: StartupPlan
  private let host: LifecycleHost
  private let sink: (any LaunchSink)?
  private let state: Lock<State>

  /// Creates the handlers of a plan. Nothing runs before the launch has ended.
  init(_ plan: StartupPlan, _ configuration: StartupRunner.Configuration) {
    let state = Lock(State())
    var options = LifecycleHost.Configuration()
    let timeout = plan.outline.timeoutTime ?? EventRunner.lastTimeoutTime
    options.run = { Self.run($0, $1, configuration, lastTimeout: timeout, state) }
    options.didLaunch = { state.withLock(\.becomeActive)?() }
    host = LifecycleHost(plan, configuration: options)
    (self.plan, self.state, sink) = (plan, state, configuration.sink)
    if !plan.options.reason.isOutOfSight {
      state.withLock { $0.becomeActive = { [weak host] in host?.receive(.didBecomeActive) { _ in } } }
    }
  }

  /// The plan of the launch. Later handlers find the values that its commands provide.
  var launchPlan: StartupPlan { host.launchPlan }

  /// The records of the handlers that have run.
  var events: [EventRecord] { state.withLock(\.events) }

  func beginLaunch() {
    sink?.expectEvents()
    state.withLock { $0.origin = MonotonicClock.now() }
  }

  /// Waits until the sink is written.
  func settleSink() { sink?.settle() }

  /// Runs the handlers of the events that a launch emitted, then those of `didBecomeActive`, and those of the events
  /// that these handlers emit.
  func receiveLaunch(_ record: StartupRecord, isolation: isolated (any Actor)? = #isolation) async {
    state.withLock { $0.record = record }
    guard !plan.events.isEmpty else { return }
    await host.receive(.didFinishLaunching(plan.options))
    await withCheckedContinuation { continuation in host.whenIdle { continuation.resume() } }
  }

  /// Runs the handlers of `willTerminate`. Returns their record; `nil` if there are none.
  ///
  /// Events that wait are handled before. Later events are refused, for example those that these handlers emit.
  func terminate(isolation: isolated (any Actor)? = #isolation) async -> StartupRecord? {
    defer { host.end() }
    guard plan.events[EventName.willTerminate.name] != nil else { return nil }
    return await host.receive(.willTerminate).record
  }

  /// Cancels the handlers that run, and those of later events except `willTerminate`.
  ///
  /// - Parameter isForced: True to cancel the handlers of `willTerminate` too.
  func cancel(_ reason: String, isForced: Bool = false) {
    let runner = state.withLock { state in
      state.cancellation = state.cancellation ?? reason
      state.isForced = state.isForced || isForced
      return state.isLast && !isForced ? nil : state.runner
    }
    runner?.cancel(reason)
  }

  private static func run(
    _ plan: StartupPlan, _ event: LifecycleEvent, _ configuration: StartupRunner.Configuration,
    lastTimeout: Int64, _ state: Lock<State>
  ) -> StartupRecord {
    let (launch, origin) = state.withLock { ($0.record, $0.origin) }
    if case .didFinishLaunching = event, let launch { return launch }
    let isLast = event == .willTerminate
    let handlers = EventRunner(event, launchedAt: origin, sink: configuration.sink)
    var timeout: (any ScheduledCall)?
    let plan = plan.inheriting(launch?.outline.safeMode)
    let ran = handlers.run(plan, configuration: configuration) { runner in
      let reason = state.withLock { state in
        (state.runner, state.isLast) = (runner, isLast)
        return isLast && !state.isForced ? nil : state.cancellation
      }
      if let reason { runner.cancel(reason) }
      guard isLast else { return }
      timeout = ThreadTimer.shared.schedule(after: lastTimeout) {
        runner.cancel("willTerminate timed out")
      }
    }
    timeout?.cancel()
    state.withLock { state in
      state.runner = nil
      state.events.append(ran)
      if state.events.count > EventRunner.retainedEvents { state.events.removeFirst() }
    }
    return ran.record
  }
}
