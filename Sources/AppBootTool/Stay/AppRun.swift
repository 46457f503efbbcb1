import AppBoot
import AppBootCommands
import AppBootLifecycle
import AppBootSystem

/// A run of a launch in a ``LifecycleHost``, and of the handlers of its events. One record has all of them.
///
/// Without `--stay`, the events are those that the commands of a successful launch emit. With `--stay`, the main thread
/// also handles the events of signals and of the control socket, until `willTerminate`.
final class AppRun: LifecycleDriver {
  /// The phase of an app that stays.
  enum Phase: Comparable {
    /// The launch runs, or the app is up.
    case running
    /// The event `willTerminate` is handled.
    case ending
    /// All events were handled. Only services run.
    case stopping
    case over
  }

  /// The reason for the end of an app that stays, if it is not a signal that the app handled.
  enum End {
    /// The app itself requested its end, for example because a service ended whose `onExit` is `finish`.
    case requested
    /// A service ended whose `onExit` is `fail`.
    case serviceFailed
    /// An error prevents the app from staying after a successful launch.
    case cannotStay(any Error)
    /// A signal ends the app at once.
    case killed(by: Int32)
  }

  struct State {
    private(set) var phase = Phase.running
    private(set) var end: End?
    var host: LifecycleHost?
    /// True if the app stays after a launch that succeeded.
    var stays = false
    var server: ControlServer?
    /// The lock of the state directory in an app without a server.
    var lock: FileLock?
    /// The source of signals in an app that stays; `nil` in other apps. It starts after the launch.
    var signals: SignalEventSource?
    var termination: TerminationPolicy
    /// The number of the suspension (TSTP) that is pending; `nil` if none is.
    var suspension: Int?
    /// The number of suspensions so far.
    var suspensions = 0
    /// The name of the event at which an app without `--stay` stopped handling emitted events; `nil` if it did not.
    var endlessEvent: String?
    /// The answers to requests to end the app, which wait until it has ended.
    var endReplies: [@Sendable (String) -> Void] = []
    /// The ids of the services whose entries were read again, because the manifest has changed since the launch.
    var renewed: Set<String> = []
    /// True after a message explained how to end the app while a service is slow to stop.
    var hasShownDelay = false

    /// The signal from outside that ends the app; `nil` for none.
    var signal: Int32? { termination.signal }

    /// True if a signal, a request or a service ends the app.
    var isEnding: Bool { end != nil || signal != nil }

    /// True if a signal ends the app at once. Its message is the last one.
    var isKilled: Bool { if case .killed = end { true } else { false } }

    /// Changes the phase, unless a later one has begun.
    mutating func advance(to new: Phase) { phase = max(phase, new) }

    /// Adds a reason for the end. It replaces an earlier one, except that a service cannot hide what ends the process.
    mutating func end(by new: End) {
      switch (end, new) {
      case (.serviceFailed, .requested), (.cannotStay, .requested), (.cannotStay, .serviceFailed): break
      case (.killed, _): break
      case (nil, _), (.requested, _), (.serviceFailed, _), (.cannotStay, _): end = new
      }
    }
  }

  var tool: ToolContext { launch.tool }

  /// The maximum number of events that an app that does not stay handles after its launch.
  static let handledEvents = 1000

  let launch: ToolLaunch
  let followUp: FollowUp
  let plan: LaunchPlan
  let store: any StateStore
  let live: LiveText?
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
  let session: AppSession
  /// The server whose clients watch the app; `nil` before it exists.
  let audience: Lock<ControlServer?>
  /// The events for the clients that watch the app.
  let watched: EventLines
  let startedAt = WallClock.timestamp()
  let state: Lock<State>

  init(_ launch: ToolLaunch, _ followUp: FollowUp, _ prepared: ToolLaunch.Prepared) throws {
    self.launch = launch
    self.followUp = followUp
    loop = MainLoop(servesMainActor: launch.tool.runsCodeOfApp)
    let reports = Lock<(@Sendable (ServiceEvent) -> Void)?>(nil)
    var plan = prepared.plan
    serviceSteps = plan.services
    services =
      serviceSteps.isEmpty ? nil : try ServiceSupervisor { event in reports.withLock(\.self)?(event) }
    state = Lock(State(termination: TerminationPolicy(interruptsAtOnce: services == nil)))
    if let services { plan.keepServices(with: services) }
    let style = launch.tool.outputStyle
    // With -v, the lines of all steps have these columns.
    serviceColumns =
      launch.showsOutput
      ? OutputLines.columns(of: plan.outline, style)
      : OutputLines.columns(of: serviceSteps.map { plan[$0].id }, style)
    self.plan = plan
    session = AppSession(timeout: plan.outline.timeoutTime, retainsAll: !followUp.stays)
    let audience = Lock<ControlServer?>(nil)
    self.audience = audience
    watched = EventLines(
      usesOutput: false, isWanted: { audience.withLock(\.self)?.isWatched ?? false },
      write: { audience.withLock(\.self)?.publish($0) })
    store = prepared.state
    live = prepared.live
    logs = prepared.logs
    let tool = launch.tool
    lifecycle = tool.lifecycle?() ?? LifecycleHost.Configuration()
    supervisor = try LaunchSupervisor(tool, live: live, isText: launch.showsText, services: services)
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
    let host = makeHost { $0() }
    host.receive(.didFinishLaunching(plan.options)) { _ in }
    host.end()
    supervisor.finish()
    session.settle()
    let exit = ending.exit(of: session.record ?? LaunchRunner(plan).snapshot().record)
    guard let event = state.withLock({ $0.endlessEvent }) else { return exit }
    throw StayError.endlessEvents(event: event, limit: Self.handledEvents)
  }

  /// Returns false after ``handledEvents`` without `--stay`, because handlers may emit events without end.
  func handlesEvents(emittedBy record: LaunchRecord, of event: LifecycleEvent) -> Bool {
    guard followUp.handlesEvents else { return false }
    if case .didFinishLaunching = event, !record.succeeded { return false }
    // In an app that stays, a signal during the launch may be an event, for example a reload.
    let ending = followUp.stays ? state.withLock(\.signal) : supervisor.signal
    guard ending == nil else { return false }
    let emits = record.contains { !$0.details.emitted.isEmpty }
    let count = session.record?.events.count ?? 0
    let host = state.withLock { state -> LifecycleHost? in
      guard !followUp.stays, emits, count >= Self.handledEvents else { return nil }
      state.endlessEvent = event.name
      return state.host
    }
    host?.end()
    return host == nil
  }

  func makeHost(_ executor: @escaping JobExecutor) -> LifecycleHost {
    var configuration = lifecycle
    configuration.executor = executor
    configuration.driver = self
    if followUp.stays {
      configuration.window = { [launch, lifecycle, plan] scene in
        if let window = lifecycle.window(scene) { return window }
        let window = launch.window(live: nil)
        window.hide(plan.environment.secrets)
        return window
      }
      configuration.becomesActive = true
    }
    let host = LifecycleHost(plan, configuration: configuration, session: session)
    state.withLock { $0.host = host }
    return host
  }

  func willHandle(_ event: LifecycleEvent) {
    guard followUp.stays else { return }
    if event == .willTerminate { beginToEnd() }
    if event == .didReceiveReload, followUp.notifiesManager { ServiceManager.report(.reloading) }
  }

  func didHandle(_ event: LifecycleEvent) { if followUp.stays { finish(event) } }

  var handlesServiceEvents: Bool { followUp.handlesEvents }

  // MARK: - Running commands

  func run(_ plan: LaunchPlan, for event: LifecycleEvent) -> LaunchRecord {
    if case .didFinishLaunching = event { return runLaunch(plan) }
    var settings = configuration
    settings.recordObservers = settings.recordObservers.map { observer in
      (observer as? EventLines)?.handlers(of: event.name) ?? observer
    }
    if followUp.stays {
      // Hanging handlers block later events, but not the process: `status` shows them, and TERM ends it.
      if event != .willTerminate { settings.onHang = nil }
    } else {
      // An app that stays receives signals as events.
      settings.makeOperations = PolledOperations.maker(watch: supervisor)
      supervisor.resume()
    }
    let ran = session.run(plan, for: event, configuration: settings) { [self] runner in
      if followUp.stays { return }
      supervisor.watch(runner)
      if let signal = supervisor.signal, event != .willTerminate { runner.cancel(Signals.name(signal)) }
    }
    if !followUp.stays { supervisor.pause() }
    if followUp.stays || followUp.showAtOnce != nil { followUp.showEvent(ran) }
    return ran.record
  }

  private func runLaunch(_ plan: LaunchPlan) -> LaunchRecord {
    let prepared = ToolLaunch.Prepared(plan: plan, state: store, live: live, logs: logs)
    let record = launch.execute(prepared, supervisor, configuration) { [session] outline, journal in
      session.begin(outline, sink: journal)
    }
    session.complete(record)
    // Steps that could not start a service, or were skipped, leave it without an event of its own.
    publishMeasurement()
    if let signals = state.withLock({ $0.signals }) {
      takeOver(after: record, by: signals)
    } else {
      supervisor.pause()
      if record.succeeded { followUp.showAtOnce?(record) }
    }
    return record
  }

  private var configuration: LaunchRunner.Configuration {
    var configuration = launch.configuration(live) { [self] record in
      let record = session.record(with: record) ?? record
      if followUp.stays { endHung(record) } else { ending.endProcess(of: record) }
    }
    configuration.recordObservers.append(LaunchStateObserver(lifecycle.store))
    if followUp.stays { configuration.recordObservers.append(watched) }
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

/// The functions that show an app's launch and events, and the options for the time after the launch.
struct FollowUp: Sendable {
  /// True if the app stays after the launch: with `--stay`, or if it has services.
  var stays: Bool
  /// True if the app stays only because of its services.
  var staysForServices = false
  /// True if the services are stopped after the launch: with `--then-stop`, and for a launch of a check.
  var thenStops = false
  /// The command line that replaces the process after a successful launch; `nil` for none.
  var command: [String]?
  /// True if the app reports its state to the service manager that started the process.
  var notifiesManager = false
  /// True if only failures are printed.
  var isQuiet = false
  /// True if services restart after changes of their files while the app stays.
  var watchesFiles = false
  /// True if event handlers run.
  var handlesEvents = true
  /// A function that shows an event of a service.
  ///
  /// Its arguments are the event, the index of the service's step, the plan's outline, and the number of columns for
  /// ids.
  let showService: @Sendable (ServiceEvent, _ step: Int, LaunchOutline, _ columns: Int) -> Void
  /// A function that shows the launch of an app that does not stay, before its event handlers run.
  ///
  /// It is `nil` if launch and events are shown together at the end.
  let showAtOnce: (@Sendable (LaunchRecord) -> Void)?
  /// A function that shows the launch of an app that stays.
  let showLaunch: @Sendable (LaunchRecord) -> Void
  /// A function that shows the handlers of an event after they have run.
  let showEvent: @Sendable (EventRecord) -> Void
  /// A function that shows the rest at the end of an app that stayed, and returns the tool's exit.
  let end: @Sendable (LaunchRecord) -> ToolExit
}

extension ToolLaunch {
  /// Runs the launch, and then the handlers of its events.
  ///
  /// - Throws: An error that prevents the launch from starting.
  func run(_ followUp: FollowUp) throws -> ToolExit {
    let prepared = try prepare { plan throws(UsageError) in
      guard let command = followUp.command, !plan.services.isEmpty else { return }
      let services = plan.services.map { plan[$0].id }
      throw .servicesBeforeCommand(
        services, command: plan.environment.secrets.masking(command.first ?? ""))
    }
    var followUp = followUp
    if !prepared.plan.services.isEmpty {
      followUp.staysForServices = !followUp.stays
      followUp.stays = true
    }
    let hasHandlers =
      followUp.handlesEvents && request.event == nil
      && (!prepared.plan.events.isEmpty || tool.lifecycle != nil)
    let exit =
      followUp.stays || hasHandlers ? try AppRun(self, followUp, prepared).run() : try run(prepared)
    guard exit == .succeeded, !followUp.stays else { return exit }
    if let command = followUp.command {
      try tool.replace(by: command, hiding: prepared.plan.environment.secrets)
    }
    if followUp.notifiesManager { ServiceManager.report(.ready) }
    return exit
  }
}
