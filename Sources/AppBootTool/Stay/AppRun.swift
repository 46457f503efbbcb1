import AppBoot
import AppBootReports
import AppBootSystem

/// What happens after a launch: the lists for the events that its commands emitted, or a whole life of the app.
struct FollowUp: Sendable {
  /// Whether the app stays until it is told to end.
  let stays: Bool
  /// Shows the launch of an app that stays.
  let showLaunch: @Sendable (StartupRecord) -> Void
  /// Shows what the list of an event did, in an app that stays.
  let showEvent: @Sendable (EventRecord) -> Void
  /// Shows what is left to be shown of an app that stayed, and says how the tool ends.
  let end: @Sendable (StartupRecord) -> ToolExit
}

/// Runs a launch in a ``LifecycleHost``, and the lists for the events that follow, all in one record.
///
/// Without `--stay` these are the events that commands emit, and only after a launch that booted. With it, the main
/// thread goes on with those of signals and of the control socket, until `willTerminate`.
final class AppRun: Sendable {
  struct State {
    var record: StartupRecord?
    /// When the launch began, on the monotonic clock.
    var origin: Int64 = 0
    var events: [EventRecord] = []
    /// The run of an event's list, while there is one that may be cancelled.
    var runner: StartupRunner?
    var host: LifecycleHost?
    var server: ControlServer?
    var terminations = 0
    var suspends = false
    /// What became of the events that others asked for, by number.
    var outcomes: [Int: LifecycleOutcome] = [:]
    var asked = 0
    var isOver = false
  }

  /// How many lists' records an app that stays keeps.
  static let keptEvents = 200

  let boot: Boot
  let followUp: FollowUp
  let plan: StartupPlan
  let store: any StateStore
  let live: LiveLine?
  let supervisor: LaunchSupervisor
  let ending: LaunchEnding
  let loop = MainLoop()
  let lifecycle: LifecycleHost.Configuration
  let startedAt = WallClock.timestamp()
  let state = Condition(State())

  init(
    _ boot: Boot, _ followUp: FollowUp, _ plan: StartupPlan, state: any StateStore, live: LiveLine?
  ) throws {
    self.boot = boot
    self.followUp = followUp
    self.plan = plan
    store = state
    self.live = live
    lifecycle = boot.tool.lifecycle?() ?? LifecycleHost.Configuration()
    supervisor = try LaunchSupervisor(boot.tool, style: boot.tool.errorStyle(boot.color), live: live)
    ending = LaunchEnding(tool: boot.tool, supervisor: supervisor, present: boot.present)
  }

  /// Runs the app, and returns how the tool ends.
  ///
  /// - Throws: What keeps the launch from beginning.
  func run() throws -> ToolExit {
    try followUp.stays ? stay() : follow()
  }

  private func follow() throws -> ToolExit {
    makeHost(InlineExecutor()).receive(.didFinishLaunching(plan.options))
    supervisor.finish()
    return ending.exit(of: wholeRecord() ?? StartupRunner(plan).snapshot().record)
  }

  func makeHost(_ executor: any LifecycleExecutor) -> LifecycleHost {
    var configuration = lifecycle
    configuration.executor = executor
    configuration.run = { [self] in execute($0, $1) }
    configuration.handlesEmitted = { [self] record, _ in record.succeeded && supervisor.signal == nil }
    if followUp.stays {
      configuration.window = { [boot, lifecycle] in lifecycle.window($0) ?? boot.window(live: nil) }
      configuration.mediator.subscribe(StayListener(self), holding: .strong)
    }
    let host = LifecycleHost(plan, configuration: configuration)
    state.withLock { $0.host = host }
    return host
  }

  /// The launch's record with those of the lists that ran after it.
  func wholeRecord(and last: EventRecord? = nil) -> StartupRecord? {
    state.withLock { state in
      var record = state.record
      record?.events = state.events + (last.map { [$0] } ?? [])
      return record
    }
  }

  // MARK: - Running commands

  private func execute(_ plan: StartupPlan, _ event: LifecycleEvent) -> StartupRecord {
    if case .didFinishLaunching = event { return launch(plan) }
    let time = MonotonicClock.now() - state.withLock { $0.origin }
    let entry: @Sendable (StartupRecord) -> EventRecord = { record in
      EventRecord(event: event.name, scene: event.scope.scene?.name, time: time, record: record)
    }
    var settings = configuration { [self] record in wholeRecord(and: entry(record)) ?? record }
    // Who stays hears of signals by their events.
    if !followUp.stays { settings.watch = supervisor }
    let runner = StartupRunner(plan, configuration: settings)
    let isLast = event == .willTerminate
    state.withLock { $0.runner = isLast ? nil : runner }
    if !followUp.stays { supervisor.watch(runner) }
    let record = runner.run()
    state.withLock { state in
      state.runner = nil
      state.events.append(entry(record))
      if followUp.stays, state.events.count > Self.keptEvents { state.events.removeFirst() }
    }
    if followUp.stays { followUp.showEvent(entry(record)) }
    return record
  }

  private func launch(_ plan: StartupPlan) -> StartupRecord {
    let configuration = configuration { $0 }
    let record = boot.launch(plan, state: store, supervisor, live, configuration) { _ in
      state.withLock { $0.origin = MonotonicClock.now() }
    }
    state.withLock { $0.record = record }
    if followUp.stays { takeOver(after: record) }
    return record
  }

  private func configuration(
    whole: @escaping @Sendable (StartupRecord) -> StartupRecord
  ) -> StartupRunner.Configuration {
    var configuration = boot.configuration(live) { [ending] in ending.endProcess(of: whole($0)) }
    configuration.observers.append(LaunchStateObserver(lifecycle.store))
    return configuration
  }
}
