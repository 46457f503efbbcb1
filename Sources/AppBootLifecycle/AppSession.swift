package import AppBoot
import AppBootSystem

/// The launch of an app, the runs of its event handlers, and the later events of its services. One record has all of
/// them.
///
/// ``LifecycleHost``, `ServiceRunner` and the tool run an app in a session.
package final class AppSession: Sendable {
  /// A function that returns the events to add to a launch's record. It is called once the launch has ended.
  package typealias LateEvents = @Sendable (LaunchRecord) -> [LaunchEvent.Kind]

  private enum Launch: Sendable {
    /// The launch has not ended. The events of its services wait for its record.
    case pending([(events: LateEvents, time: Int64)])
    /// The launch has ended. A service that ends later can make the record a failure, even if the launch succeeded.
    case ended(LaunchRecord, succeeded: Bool)
  }

  /// A run of event handlers.
  private struct Run: Sendable {
    let event: LifecycleEvent
    /// The nanoseconds from the start of the launch to the event.
    let time: Int64
    var runner: LaunchRunner?

    var isLast: Bool { event == .willTerminate }

    func record(of record: LaunchRecord) -> EventRecord {
      EventRecord(event: event.name, scene: event.scene?.name, time: time, record: record)
    }
  }

  private struct State: Sendable {
    var launch = Launch.pending([])
    /// The time on the monotonic clock at which the launch began.
    var origin: Int64 = 0
    /// The runner of a launch that runs, if a service may cancel it. It holds the session.
    var launchRunner: LaunchRunner?
    var sink: (any LaunchSink)?
    var safeMode: SafeMode?
    var events: [EventRecord] = []
    /// The runs of handlers that have not ended, by their numbers. Those of several scenes can overlap.
    var runs: [Int: Run] = [:]
    /// The number of runs so far.
    var runCount = 0
    /// The reason to cancel handlers, and whether it concerns those of `willTerminate` too.
    var cancellation: (reason: String, includesLast: Bool)?

    /// The run that began first; `nil` if none runs.
    var firstRun: Run? { runs.min { $0.key < $1.key }?.value }

    /// Returns the reason to cancel a run; `nil` if there is none.
    func reasonToCancel(_ run: Run) -> String? {
      run.isLast && cancellation?.includesLast != true ? nil : cancellation?.reason
    }
    var record: LaunchRecord? { if case .ended(let record, _) = launch { record } else { nil } }

    mutating func add(_ events: @escaping LateEvents, at time: Int64) {
      switch launch {
      case .pending(let late): launch = .pending(late + [(events, time)])
      case .ended(var record, let succeeded):
        for kind in events(record) {
          let event = LaunchEvent(kind, at: time)
          record.add(late: event)
          sink?.add(late: event, in: record.outline)
        }
        launch = .ended(record, succeeded: succeeded)
      }
    }
  }

  /// The nanoseconds after which the handlers of `willTerminate` are cancelled.
  package let lastTimeout: Int64
  private let retainedEvents: Int
  private let state = Lock(State())

  /// Creates a session whose launch has not begun.
  ///
  /// - Parameters:
  ///   - timeout: The nanoseconds after which the handlers of `willTerminate` are cancelled; `nil` for 30 s.
  ///   - retainsAll: True to retain the records of all events; by default the newest 200.
  package init(timeout: Int64?, retainsAll: Bool = false) {
    lastTimeout = timeout ?? 30_000_000_000
    retainedEvents = retainsAll ? .max : 200
  }

  // MARK: - The launch

  /// Begins the launch. Call it after the sink was opened: that is not a part of the launch's time.
  package func begin(_ outline: LaunchOutline, sink: (any LaunchSink)?) {
    sink?.expectEvents()
    state.withLock { state in
      state.origin = MonotonicClock.now()
      state.sink = sink
      state.safeMode = outline.safeMode
    }
  }

  /// Runs the launch on the calling thread, and ends it.
  package func run(_ launch: LaunchRunner) -> LaunchRecord {
    state.withLock { $0.launchRunner = launch }
    return complete(launch.runBlocking())
  }

  /// Cancels the launch. Returns false if the session does not run one now.
  package func cancelLaunch(_ reason: String) -> Bool {
    let runner = state.withLock(\.launchRunner)
    runner?.cancel(reason)
    return runner != nil
  }

  /// Ends the launch. Returns its record with the events of services so far.
  @discardableResult
  package func complete(_ record: LaunchRecord) -> LaunchRecord {
    state.withLock { state in
      guard case .pending(let late) = state.launch else { return record }
      state.launch = .ended(record, succeeded: record.succeeded)
      state.launchRunner = nil
      for (events, time) in late { state.add(events, at: time) }
      return state.record ?? record
    }
  }

  /// Adds events of a service to the record and to the sink: now, or when the launch ends.
  package func add(late events: @escaping LateEvents) {
    state.withLock { $0.add(events, at: MonotonicClock.now() - $0.origin) }
  }

  /// True if the launch succeeded, whatever its services did later.
  package var hasLaunched: Bool {
    state.withLock { if case .ended(_, let succeeded) = $0.launch { succeeded } else { false } }
  }

  /// The safe mode of the launch; `nil` for a normal launch.
  package var safeMode: SafeMode? { state.withLock(\.safeMode) }

  /// The record of the launch with those of its events; `nil` until the launch has ended.
  package var record: LaunchRecord? {
    state.withLock { state in
      var record = state.record
      record?.events = state.events
      return record
    }
  }

  /// Returns ``record`` with a record of the handlers that run now.
  package func record(with handlers: LaunchRecord) -> LaunchRecord? {
    let run = state.withLock(\.firstRun)
    var record = record
    if let run { record?.events.append(run.record(of: handlers)) }
    return record
  }

  /// The nanoseconds since the beginning of the launch.
  package var time: Int64 { MonotonicClock.now() - state.withLock(\.origin) }

  /// Waits until the sink is written.
  package func settle() { state.withLock(\.sink)?.settle() }

  // MARK: - Event handlers

  /// The event whose handlers began first of those that run now; `nil` if no handlers run.
  package var currentEvent: LifecycleEvent? { state.withLock { $0.firstRun?.event } }

  /// Runs the handlers of an event on the calling thread. Returns their part of the launch's record.
  ///
  /// The launch's sink receives the beginning and the end of the run. Handlers run in the safe mode of their launch.
  ///
  /// - Parameters:
  ///   - plan: The plan of the handlers.
  ///   - willRun: A function that is called with the runner before it starts.
  package func run(
    _ plan: LaunchPlan, for event: LifecycleEvent, configuration: LaunchRunner.Configuration,
    willRun: (LaunchRunner) -> Void = { _ in }
  ) -> EventRecord {
    let (begun, safeMode, time) = state.withLock { ($0.sink, $0.safeMode, MonotonicClock.now() - $0.origin) }
    let plan = plan.inheriting(safeMode)
    let sink = begun ?? configuration.sink
    var configuration = configuration
    // The launch's sink records only the beginning and the end of handlers. Their processes still wait for its thread.
    configuration.sink = nil
    configuration.sinkThread = sink?.thread
    var run = Run(event: event, time: time)
    let number = sink.flatMap { Self.begin(run, of: plan, in: $0) }
    if let sink, let number, let onHang = configuration.onHang {
      // `onHang` may exit the process, so the end is written before it.
      configuration.onHang = { [run] record in
        sink.end(run.record(of: record), run: number)
        sink.thread.settle(within: 500_000_000)
        onHang(record)
      }
    }
    let runner = LaunchRunner(plan, configuration: configuration)
    run.runner = runner
    willRun(runner)
    let (key, reason) = state.withLock { state in
      state.runCount += 1
      state.runs[state.runCount] = run
      return (state.runCount, state.reasonToCancel(run))
    }
    if let reason { runner.cancel(reason) }
    let ran = run.record(of: drive(runner, isLast: run.isLast))
    if let number { sink?.end(ran, run: number) }
    state.withLock { state in
      state.runs[key] = nil
      state.events.append(ran)
      if state.events.count > retainedEvents { state.events.removeFirst() }
    }
    return ran
  }

  /// Records the beginning of a run of handlers. Returns its number; `nil` if the sink does not record it.
  private static func begin(_ run: Run, of plan: LaunchPlan, in sink: any LaunchSink) -> Int? {
    plan.learnSecrets()
    let outline = plan.outline.masked(by: plan.environment.secrets)
    let number = sink.begin(
      run.record(of: LaunchRecord(outline: outline, startedAt: WallClock.timestamp())))
    // If the process crashes now, the record of the launch names the event.
    sink.thread.settleShortly()
    return number
  }

  private func drive(_ runner: LaunchRunner, isLast: Bool) -> LaunchRecord {
    guard isLast else { return runner.runBlocking() }
    let timeout = ThreadTimer.shared.schedule(after: lastTimeout) { runner.cancel("willTerminate timed out") }
    defer { timeout.cancel() }
    return runner.runBlocking()
  }

  /// Cancels the handlers that run, and those of later events, except those of `willTerminate`.
  ///
  /// - Parameter includesLast: True to cancel the handlers of `willTerminate` too.
  package func cancel(_ reason: String, includesLast: Bool = false) {
    let runners = state.withLock { state in
      let (first, includedLast) = state.cancellation ?? (reason, false)
      state.cancellation = (first, includedLast || includesLast)
      return state.runs.values.filter { state.reasonToCancel($0) != nil }.map(\.runner)
    }
    for runner in runners { runner?.cancel(reason) }
  }

  /// Kills the processes of the handlers that run.
  package func endProcesses() {
    for run in state.withLock(\.runs).values { run.runner?.endProcesses() }
  }
}

/// The end of the time that the system gives an event.
///
/// It cancels the handlers of this event. If they still wait for earlier events, they begin cancelled.
package final class EventExpiration: Sendable {
  static let reason = "the app's background time is over"
  private let state = Lock<(isOver: Bool, runner: LaunchRunner?)>((false, nil))

  /// Creates the expiration of an event whose time is not over.
  package init() {}

  /// True if the time is over.
  var isOver: Bool { state.withLock(\.isOver) }

  /// Ends the time of the event.
  package func expire() {
    let runner = state.withLock { state in
      state.isOver = true
      return state.runner
    }
    runner?.cancel(Self.reason)
  }

  /// Adds the run of the event's handlers, before it starts.
  func add(_ runner: LaunchRunner) {
    state.withLock { $0.runner = runner }
    if isOver { runner.cancel(Self.reason) }
  }
}

extension LaunchRecord {
  /// Adds an event of a process that continued to run after the launch. Only `killed`, `noted` and a failure change the
  /// record.
  fileprivate mutating func add(late event: LaunchEvent) {
    switch event.kind {
    case .killed, .noted, .ended: apply(event)
    default: break
    }
  }
}
