import AppBoot
import AppBootRecords
import AppBootCommands
import AppBootLifecycle
import AppBootReports
import AppBootSystem

/// A run of a launch in a ``LifecycleHost``, and of the handlers of its events. One record has all of them.
///
/// Without `--stay`, the events are those that the commands of a successful launch emit. With `--stay`, the main thread
/// also handles the events of signals and of the control socket, until `willTerminate`.
final class AppRun: Sendable {
  struct State {
    var record: StartupRecord?
    /// The time on the monotonic clock at which the launch began.
    var origin: Int64 = 0
    var events: [EventRecord] = []
    /// The runner of the current event's handlers if a signal may cancel them; otherwise `nil`.
    var runner: StartupRunner?
    /// The name of the event whose handlers run now, with its scene; `nil` if no handlers run.
    var currentEvent: String?
    /// The runner of the handlers of `willTerminate`; `nil` at other times. No signal cancels it.
    var lastRunner: StartupRunner?
    /// The journal of the launch and of the event handlers; `nil` for `--no-journal`.
    var journal: LaunchJournal?
    var host: LifecycleHost?
    var server: ControlServer?
    /// The source of signals in an app that stays; `nil` in other apps. It starts after the launch.
    var signals: SignalEventSource?
    var termination = TerminationSignal()
    /// The INT signals that arrived. TERM signals are counted separately.
    var interrupts = TerminationSignal()
    /// True if the launch succeeded. A service that ends later can change its record.
    var hasBooted = false
    /// True if the app itself requested its end, for example because of the end of a service.
    var isEndRequested = false
    /// True after the last event was handled. Only services run then.
    var hasHandledEvents = false
    /// The number of the suspension (TSTP) that is pending; `nil` if none is.
    var suspension: Int?
    /// The number of suspensions so far.
    var suspensions = 0
    var isOver = false
    /// True after the handling of `willTerminate` has begun.
    var hasBegunToEnd = false
    /// The safe mode of the launch; `nil` for a normal launch.
    var safeMode: SafeMode?
    /// The name of the event at which an app without `--stay` stopped handling emitted events; `nil` if it did not.
    var endlessEvent: String?
    /// True after a message explained how to end the app while a service is slow to stop.
    var hasShownDelay = false
    /// The events of services that occurred during the launch. They are added to its record at the end.
    var lateEvents: [StartupEvent] = []
    /// The id of the service whose end made the app fail, because its `onExit` is `fail`; `nil` if there is none.
    var failedService: String?
    /// The signal that asked an app with services to end, if it was not TERM; otherwise `nil`.
    var interruption: Int32?
    /// The signal that ends the app at once; `nil` if none does.
    var fatalSignal: Int32?
    /// The error that prevents the app from staying after a successful launch; `nil` if there is none.
    var failure: (any Error)?
  }

  /// The maximum number of events that an app that does not stay handles after its launch.
  static let handledEvents = 1000

  let launch: ToolLaunch
  let followUp: FollowUp
  let plan: StartupPlan
  let store: any StateStore
  let live: LiveLine?
  let logs: OutputLogs?
  /// The supervisor of the plan's services; `nil` for a plan without services.
  let services: ServiceSupervisor?
  let serviceSteps: [Int]
  /// The number of columns for a service's id before a line of its output.
  let serviceColumns: Int
  let supervisor: LaunchSupervisor
  let ending: LaunchEnding
  let loop: MainLoop
  let lifecycle: LifecycleHost.Configuration
  let startedAt = WallClock.timestamp()
  let state = Lock(State())

  init(_ launch: ToolLaunch, _ followUp: FollowUp, _ prepared: ToolLaunch.Prepared) throws {
    self.launch = launch
    self.followUp = followUp
    loop = MainLoop(servesMainActor: launch.tool.runsCodeOfApp)
    let reports = Lock<(@Sendable (ServiceEvent) -> Void)?>(nil)
    var plan = prepared.plan
    serviceSteps = plan.services
    services =
      serviceSteps.isEmpty ? nil : try ServiceSupervisor { event in reports.withLock(\.self)?(event) }
    if let services { plan.keepServices(with: services) }
    let style = launch.tool.outputStyle(launch.color)
    // With -v, the lines of all steps have these columns.
    serviceColumns =
      launch.showsOutput
      ? OutputLines.columns(of: plan.outline, style)
      : OutputLines.columns(of: serviceSteps.map { plan[$0].id }, style)
    self.plan = plan
    store = prepared.state
    live = prepared.live
    logs = prepared.logs
    let tool = launch.tool
    lifecycle = tool.lifecycle?() ?? LifecycleHost.Configuration()
    supervisor = try LaunchSupervisor(tool, style: tool.errorStyle(launch.color), live: live)
    ending = LaunchEnding(
      tool: tool, supervisor: supervisor, logs: logs, isReplaced: launch.isReplaced, present: launch.present)
    reports.withLock { $0 = { [weak self] event in self?.receive(event) } }
  }

  /// Runs the app, and returns the tool's exit.
  ///
  /// - Throws: An error that prevents the app from starting or from staying.
  func run() throws -> ToolExit {
    try followUp.stays ? stay() : follow()
  }

  private func follow() throws -> ToolExit {
    let host = makeHost(InlineExecutor())
    host.receive(.didFinishLaunching(plan.options)) { _ in }
    host.end()
    supervisor.finish()
    state.withLock { $0.journal }?.settle()
    let exit = ending.exit(of: wholeRecord() ?? StartupRunner(plan).snapshot().record)
    guard let event = state.withLock({ $0.endlessEvent }) else { return exit }
    throw StayError.endlessEvents(event: event, limit: Self.handledEvents)
  }

  /// Returns whether the host handles the events that the steps of a record emitted.
  ///
  /// Without `--stay`, it handles at most ``handledEvents``, because handlers may emit events without end.
  private func follows(_ record: StartupRecord, _ event: LifecycleEvent) -> Bool {
    guard followUp.handlesEvents else { return false }
    if case .didFinishLaunching = event, !record.succeeded { return false }
    // In an app that stays, a signal during the launch may be an event, for example a reload. Only TERM ends it.
    let ending = followUp.stays ? state.withLock { $0.termination.signal } : supervisor.signal
    guard ending == nil else { return false }
    let emits = record.contains { !$0.details.emitted.isEmpty }
    let host = state.withLock { state -> LifecycleHost? in
      guard !followUp.stays, emits, state.events.count >= Self.handledEvents else { return nil }
      state.endlessEvent = event.name
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
      configuration.window = { [launch, lifecycle, plan] scene in
        if let window = lifecycle.window(scene) { return window }
        let window = launch.window(live: nil)
        window.hide(plan.environment.secrets)
        return window
      }
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

  /// Returns the launch's record with all event records; `nil` until the launch has ended.
  ///
  /// - Parameter last: An event record to add; `nil` for none.
  func wholeRecord(and last: EventRecord? = nil) -> StartupRecord? {
    state.withLock { state in
      var record = state.record
      record?.events = state.events + (last.map { [$0] } ?? [])
      return record
    }
  }

  // MARK: - Running commands

  private func execute(_ plan: StartupPlan, _ event: LifecycleEvent) -> StartupRecord {
    if case .didFinishLaunching = event { return runLaunch(plan) }
    let (origin, launchJournal) = state.withLock { ($0.origin, $0.journal) }
    let handlers = EventRunner(event, launchedAt: origin, sink: launchJournal)
    var settings = configuration { [self] record in
      wholeRecord(and: handlers.eventRecord(of: record)) ?? record
    }
    if followUp.stays, event == .willTerminate {
      settings.onHang = { [self] record in
        endHung(wholeRecord(and: handlers.eventRecord(of: record)) ?? record)
      }
    } else if followUp.stays {
      // Hanging handlers block later events, but not the process: `status` shows them, and TERM ends it.
      settings.onHang = nil
    }
    // An app that stays receives signals as events.
    if !followUp.stays {
      settings.makeOperations = PolledOperations.maker(watch: supervisor)
      supervisor.resume()
    }
    let plan = plan.inheriting(state.withLock { $0.safeMode })
    let ran = handlers.run(plan, configuration: settings) { runner in
      state.withLock { $0.currentEvent = EventRecord.name(event.name, in: event.scene?.name) }
      makeCancellable(runner, of: event)
    }
    state.withLock { state in
      (state.runner, state.currentEvent) = (nil, nil)
      state.events.append(ran)
      if followUp.stays, state.events.count > EventRunner.retainedEvents { state.events.removeFirst() }
    }
    if !followUp.stays { supervisor.pause() }
    if followUp.stays || followUp.showAtOnce != nil { followUp.showEvent(ran) }
    return ran.record
  }

  /// Allows a signal to cancel the handlers of an event. If a signal came earlier, cancels them now.
  ///
  /// Handlers of `willTerminate` are not cancelled, because they run as a result of the signal.
  private func makeCancellable(_ runner: StartupRunner, of event: LifecycleEvent) {
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

  private func runLaunch(_ plan: StartupPlan) -> StartupRecord {
    var configuration = configuration { $0 }
    if followUp.stays { configuration.onHang = { [self] record in endHung(record) } }
    let prepared = ToolLaunch.Prepared(plan: plan, state: store, live: live, logs: logs)
    let record = launch.execute(prepared, supervisor, configuration) { [self] outline, journal in
      journal?.expectEvents()
      state.withLock { state in
        state.journal = journal
        state.origin = MonotonicClock.now()
        state.safeMode = outline.safeMode
      }
    }
    let lateEvents = state.withLock { state in
      state.record = record
      return state.lateEvents
    }
    for event in lateEvents { add(late: event) }
    if let signals = state.withLock({ $0.signals }) {
      takeOver(after: record, by: signals)
    } else {
      supervisor.pause()
      if record.succeeded { followUp.showAtOnce?(record) }
    }
    return record
  }

  private func configuration(
    whole: @escaping @Sendable (StartupRecord) -> StartupRecord
  ) -> StartupRunner.Configuration {
    var configuration = launch.configuration(live) { [ending] in ending.endProcess(of: whole($0)) }
    configuration.recordObservers.append(LaunchStateObserver(lifecycle.store))
    configuration.observers += lifecycle.runner.observers
    return configuration
  }
}

extension ToolContext {
  /// True if code of an app can run, which may use the main actor. The stock commands do not use it.
  var runsCodeOfApp: Bool {
    let stock = Set(StockCommands.all.map { ObjectIdentifier($0) })
    return lifecycle != nil || !registry.commands.allSatisfy { stock.contains(ObjectIdentifier($0.type)) }
  }
}
