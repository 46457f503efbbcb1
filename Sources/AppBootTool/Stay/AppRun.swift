import AppBoot
import AppBootLifecycle
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
    /// The event whose list runs now, and its scene.
    var list: String?
    /// The run of `willTerminate`'s list, which only ends with the process.
    var lastRunner: StartupRunner?
    /// Where the launch is written down, and then the lists; `nil` where it is not.
    var journal: LaunchJournal?
    var host: LifecycleHost?
    var server: ControlServer?
    /// What takes the signals over once the launch is over, where the app stays.
    var signals: SignalEventSource?
    var termination = TerminationSignal()
    /// The suspension that is due, by its number; how many there were.
    var suspension: Int?
    var suspensions = 0
    var isOver = false
    /// Whether `willTerminate` is being handled.
    var hasBegunToEnd = false
    /// Why the launch is careful; `nil` where it is not.
    var safeMode: SafeMode?
    /// The event at which a plain run stopped following what lists emit.
    var endless: String?
    /// What keeps the app from staying though it booted.
    var failure: ToolError?
  }

  /// How many lists' records an app that stays keeps.
  static let keptEvents = 200
  /// How many lists run after the launch of an app that does not stay.
  static let followedEvents = 1000

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
  let state = Lock(State())

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
    let exit = ending.exit(of: wholeRecord() ?? StartupRunner(plan).snapshot().record)
    guard let event = state.withLock({ $0.endless }) else { return exit }
    throw ToolError.endless(event: event, limit: Self.followedEvents)
  }

  /// Whether what a list emitted is followed; without `--stay` by so many lists as end in any app that ends.
  private func follows(_ record: StartupRecord, _ event: LifecycleEvent) -> Bool {
    if case .didFinishLaunching = event, !record.succeeded { return false }
    // A signal of the launch's time, such as a reload, is no end of an app that stays.
    let ending = followUp.stays ? state.withLock { $0.termination.signal } : supervisor.signal
    guard ending == nil else { return false }
    let emits = record.contains { !$0.details.emitted.isEmpty }
    let host = state.withLock { state -> LifecycleHost? in
      guard !followUp.stays, emits, state.events.count >= Self.followedEvents else { return nil }
      state.endless = event.name
      return state.host
    }
    host?.end()
    return host == nil
  }

  func makeHost(_ executor: any LifecycleExecutor) -> LifecycleHost {
    var configuration = lifecycle
    configuration.executor = executor
    configuration.run = { [self] in execute($0, $1) }
    configuration.handlesEmitted = { [self] in follows($0, $1) }
    if followUp.stays {
      configuration.window = { [boot, lifecycle] in lifecycle.window($0) ?? boot.window(live: nil) }
      configuration.mediator.subscribe(StayListener(self), holding: .strong)
      configuration.didLaunch = { [self] in becomeActive() }
      configuration.willHandle = { [self] event in
        if event == .willTerminate { beginToEnd() }
      }
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
    let (origin, launchJournal) = state.withLock { ($0.origin, $0.journal) }
    let handlers = EventRunner(event, launchedAt: origin, journal: launchJournal)
    var settings = configuration { [self] record in
      wholeRecord(and: handlers.eventRecord(of: record)) ?? record
    }
    if followUp.stays, event == .willTerminate {
      settings.onHang = { [self] record in
        endHung(wholeRecord(and: handlers.eventRecord(of: record)) ?? record)
      }
    } else if followUp.stays {
      // What hangs holds up the events, and not the process: `status` tells of it, and TERM ends it.
      settings.onHang = nil
    }
    // Who stays hears of signals by their events.
    if !followUp.stays {
      settings.watch = supervisor
      supervisor.resume()
    }
    let plan = plan.inheriting(state.withLock { $0.safeMode })
    let ran = handlers.run(plan, configuration: settings) { runner in
      state.withLock { $0.list = EventRecord.name(event.name, in: event.scope.scene?.name) }
      follow(runner, of: event)
    }
    state.withLock { state in
      (state.runner, state.list) = (nil, nil)
      state.events.append(ran)
      if followUp.stays, state.events.count > Self.keptEvents { state.events.removeFirst() }
    }
    if followUp.stays { followUp.showEvent(ran) } else { supervisor.pause() }
    return ran.record
  }

  /// Lets a signal cancel the list of an event; one that came before the list was there cancels it now.
  ///
  /// The list of `willTerminate` is what a signal asks for, and runs.
  private func follow(_ runner: StartupRunner, of event: LifecycleEvent) {
    let isLast = event == .willTerminate
    var signal = state.withLock { state -> Int32? in
      state.runner = isLast ? nil : runner
      state.lastRunner = isLast ? runner : nil
      return state.termination.signal
    }
    if !followUp.stays {
      supervisor.watch(runner)
      signal = supervisor.signal
    }
    if let signal, !isLast { runner.cancel(Signals.name(signal)) }
  }

  private func launch(_ plan: StartupPlan) -> StartupRecord {
    var configuration = configuration { $0 }
    if followUp.stays { configuration.onHang = { [self] record in endHung(record) } }
    let record = boot.launch(plan, state: store, supervisor, live, configuration) { [self] outline, journal in
      journal?.expectEvents()
      state.withLock { state in
        state.journal = journal
        state.origin = MonotonicClock.now()
        state.safeMode = outline.safeMode
      }
    }
    state.withLock { $0.record = record }
    if let signals = state.withLock({ $0.signals }) {
      takeOver(after: record, by: signals)
    } else {
      supervisor.pause()
    }
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
