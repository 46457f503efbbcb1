public import AppBoot
package import AppBootSystem

/// A host that runs an app from its launch to its end. For each event it runs the manifest's handlers, then the
/// listeners, then the responders.
///
/// - The launch runs once. The `sceneWillConnect` handlers run once per connection of a scene.
/// - The host handles the events of the process one at a time, in order. The same applies to each scene. An event is
///   complete when its handlers and listeners have run. The next event does not wait for late answers of responders.
/// - Events of scenes are not handled until the launch has finished.
/// - An event that a command emits is handled after the current one. `didShowFirstScreen` occurs once per process, and
///   is handled when the window has drawn the screen (``AppWindow/afterNextFrame(_:)``).
/// - Values that commands provide remain for later handlers. A scene's handlers find the values of the scene first,
///   then those of the process.
/// - Services of the plan keep running after the launch. After the handlers and listeners of `willTerminate` they shut
///   down in reverse order. The outcome of `willTerminate` comes when they have ended. A repeated `willTerminate` runs
///   nothing and receives the same outcome.
/// - Commands show screens through the coordinator of the process or of their scene. On a cold start a screen becomes
///   the first one. Later screens go on top.
public final class LifecycleHost: Sendable {
  /// Options for a host.
  public struct Configuration: Sendable {
    /// The mediator that sends every event to its listeners.
    public var mediator = LifecycleMediator()
    /// The responders, in the order in which they are asked.
    public var responders: [any LifecycleResponder] = []
    /// A function that returns the window of a scene; `nil` if the scene has none.
    public var window: @Sendable (SceneID) -> (any AppWindow)? = { _ in nil }
    /// A function that returns the screen for a URL or another request; `nil` to ask each `InitialScreen` of the plan.
    ///
    /// If several commands have a route for the request, the first one is used.
    public var routes: (@Sendable (LaunchOptions) throws -> AppScreen?)?
    /// The timeout for the answers of the responders.
    ///
    /// It begins when the first responder is asked. For the launch it begins when the last responder has been asked.
    public var timeout = Duration.seconds(25)
    /// The options for the runs of the launch and of its event handlers: observers, jobs, grace and the journal, to
    /// which both are written while they run. In an app's tool, only the observers are used.
    public var runner = LaunchRunner.Configuration()

    /// True to handle events on the main thread; by default the thread that sends an event handles it.
    ///
    /// The hosts of Apple's delegates use the main thread. Commands in the main lane run on the thread of the event.
    /// A blocked main thread delays all events.
    public var handlesEventsOnMainThread = false

    /// The executor that handles events; `nil` for the thread of the event or the main thread.
    package var executor: JobExecutor?
    /// The store with the state of the app.
    package var store: LifecycleStore<LaunchState, LaunchAction> = .launch()
    /// The timer that measures ``timeout``.
    package var timer: any CallTimer = ThreadTimer.shared
    /// The driver that runs the launch and the event handlers; `nil` for the host itself.
    package var driver: (any LifecycleDriver)?
    /// True to send `didBecomeActive` after a launch that succeeded and that a user sees. It comes after the launch's
    /// own events, and thus after the first screen, as in UIKit.
    package var becomesActive = false

    /// Creates a configuration with default values.
    public init() {}

    /// Adds a part that listens to events and answers them. The mediator retains it.
    public mutating func add(_ part: some LifecycleListener & LifecycleResponder) {
      mediator.subscribe(part, holding: .strong)
      responders.append(part)
    }

    /// True if the thread that sends an event handles it.
    var handlesOnCallingThread: Bool { executor == nil && !handlesEventsOnMainThread }

    /// Returns the executor of a plan's host. If handlers can be asynchronous, they run on a new thread whenever the
    /// caller blocks the main actor.
    fileprivate func executor(for plan: LaunchPlan) -> JobExecutor {
      let onMainThread: JobExecutor = { MainQueue.run($0) }
      let atOnce: JobExecutor = { $0() }
      let base: JobExecutor = executor ?? (handlesEventsOnMainThread ? onMainThread : atOnce)
      guard plan.mayRunTasks else { return base }
      return { job in
        base {
          if MainQueue.isBlockedByCaller { Thread.detach(name: "appboot-event", job) } else { job() }
        }
      }
    }
  }

  private typealias Refusal = LifecycleOutcome.Refusal

  /// The platform's information about an event, in addition to the values of the event.
  private struct Delivery: Sendable {
    var isDuplicate = false
    var expiration: EventExpiration?
  }

  private struct Contents: Sendable {
    var scenes = SceneRegistry()
    var hasBegun = false
    var hasShownFirstScreen = false
    /// The number of runs that emitted events since the host last received an event that no command emitted.
    var emittingRuns = 0
    var hasEnded = false
  }

  /// The plan of the launch, which includes the event handlers.
  public let plan: LaunchPlan
  /// The coordinator of the process's window; `nil` if the plan has no window.
  public let coordinator: ScreenCoordinator?
  let configuration: Configuration
  /// The executor of the host's and its scenes' queues.
  private let executor: JobExecutor
  let queue: SerialQueue
  private let contents = Lock(Contents())
  /// The values that the commands of the process have provided.
  package let values: ContextValues
  let session: AppSession
  /// The keeper of the plan's services; `nil` if the plan has none, or if the owner of the session keeps them.
  package let keeper: (any ServiceKeeping)?
  let termination = SharedOutcome<LifecycleOutcome>()
  private let sources = Lock<[any LifecycleEventSource]>([])
  /// The streams of events that are read.
  let streams = Lock<[ObjectIdentifier: AsyncStream<LifecycleEvent>.Continuation]>([:])
  let serviceEvents = Lock(WaitingServiceEvents())

  /// Creates a host. It does nothing before the first event.
  public convenience init(_ plan: LaunchPlan, configuration: Configuration = Configuration()) {
    self.init(plan, configuration: configuration, session: AppSession(timeout: plan.outline.timeoutTime))
  }

  /// Creates a host for a session, whose launch the caller may run.
  package init(_ plan: LaunchPlan, configuration: Configuration, session: AppSession) {
    var plan = plan
    self.session = session
    let keepsServices = configuration.driver == nil && plan.environment.host.services == nil
    keeper = keepsServices ? plan.serviceStarter?.keepServices(of: &plan, configuration, session) : nil
    self.plan = plan
    self.configuration = configuration
    executor = configuration.executor(for: plan)
    queue = SerialQueue(executor: executor)
    let (values, store) = (ContextValues(), configuration.store)
    self.values = values
    configuration.mediator.reportToHost { $0.failures.forEach { store.dispatch(.failed($0)) } }
    coordinator = (plan.environment.window as? any AppWindow).map {
      Self.coordinator(
        of: $0, scene: nil, configuration, configuration.routes ?? plan.routes(ofScene: false, values))
    }
    startServiceEvents()
  }

  deinit {
    for source in sources.withLock({ $0 }) { source.stop() }
    endStreams()
    keeper?.beginToStop()
  }

  /// The current sessions of the scenes, sorted by name.
  ///
  /// They include sessions of disconnected scenes whose `sceneDidDisconnect` is not handled yet.
  public var scenes: [SceneSession] { contents.withLock { $0.scenes.all } }

  /// Returns the session of the scene with a name; `nil` if there is none.
  ///
  /// A scene may disconnect and connect again before the host has handled the disconnection. Until then, the earlier
  /// session is returned.
  public subscript(scene: SceneID) -> SceneSession? { contents.withLock { $0.scenes[scene] } }

  // MARK: - Events

  /// Handles an event after all earlier events of the same scope, which is the process or one scene.
  ///
  /// - Parameter completion: A function that is called once: after the last responder's answer, at the timeout, or if
  ///   the event is refused. It has no default: `await host.receive(event)` in the top-level code of `main.swift` would
  ///   otherwise call this form, and wait for nothing.
  public func receive(
    _ event: LifecycleEvent, completion: @escaping @Sendable (LifecycleOutcome) -> Void
  ) {
    receive(event, isDuplicate: false, completion: completion)
  }

  /// Handles an event after all earlier events of the same scope.
  ///
  /// - Parameters:
  ///   - isDuplicate: True if the event repeats the launch's request (``DuplicateEventFilter``). The host then does not
  ///     show a screen that is already visible.
  ///   - expiration: The end of the event's time; `nil` for an event without a limit.
  ///   - completion: A function that is called once: after the last responder's answer, at the timeout, or if the event
  ///     is refused.
  package func receive(
    _ event: LifecycleEvent, isDuplicate: Bool, expiration: EventExpiration? = nil,
    completion: @escaping @Sendable (LifecycleOutcome) -> Void = { _ in }
  ) {
    contents.withLock { $0.emittingRuns = 0 }
    enqueue(event, Delivery(isDuplicate: isDuplicate, expiration: expiration), completion)
  }

  /// Runs a job after all events of the process that were received before it.
  package func afterEvents(_ job: @escaping @Sendable () -> Void) { queue.add(job) }

  /// Runs a job after all events of a connected scene that were received before it. A removed scene runs no jobs.
  package func afterEvents(of scene: SceneID, _ job: @escaping @Sendable (SceneSession) -> Void) {
    guard let session = contents.withLock({ $0.scenes.connected(scene) }) else { return }
    session.queue.add { if session.phase != .disconnected { job(session) } }
  }

  /// Runs a job when no event of the process waits, including events that handlers emit.
  package func whenIdle(_ job: @escaping @Sendable () -> Void) { queue.whenIdle(job) }

  private func enqueue(
    _ event: LifecycleEvent, _ delivery: Delivery = Delivery(),
    _ completion: @escaping @Sendable (LifecycleOutcome) -> Void
  ) {
    if event == .willTerminate {
      keeper?.expectEnds()
      serviceEvents.withLock { $0.end() }
    }
    guard let scene = event.scene else {
      return queue.add { self.handle(event, in: nil, delivery, completion) }
    }
    do throws(Refusal) {
      let session = try session(scene, for: event)
      session.queue.add { self.handle(event, in: session, delivery, completion) }
    } catch {
      completion(LifecycleOutcome(refusing: event, error))
    }
  }

  /// Refuses all further events, including those in the queues. The current event is still completed.
  public func end() {
    contents.withLock { $0.hasEnded = true }
    endStreams()
  }

  private func endStreams() {
    for stream in streams.withLock({ $0 }).values { stream.finish() }
  }

  /// Starts a source and handles its events. Stops the source when the host is deallocated.
  ///
  /// After `willTerminate` the source's thread waits until the event is handled and the services have shut down: the
  /// process may end then. A handler must not send `willTerminate` through a source, because it would wait for itself.
  ///
  /// - Throws: The error of the source's start.
  public func attach(_ source: any LifecycleEventSource) throws {
    try source.start { [weak self] event in
      self?.receive(event) { _ in }
      if event == .willTerminate { self?.waitForServices() }
    }
    sources.withLock { $0.append(source) }
  }

  var hasEnded: Bool { contents.withLock { $0.hasEnded } }

  /// Handles an event of a scene, or of the process if `scene` is `nil`, unless it is refused.
  private func handle(
    _ event: LifecycleEvent, in scene: SceneSession?, _ delivery: Delivery = Delivery(),
    _ completion: @escaping @Sendable (LifecycleOutcome) -> Void
  ) {
    defer { if let scene, case .sceneDidDisconnect = event { end(scene) } }
    if let refusal = refusal(of: event, in: scene) {
      return completion(LifecycleOutcome(refusing: event, refusal))
    }
    scene?.apply(event)
    guard case .didFinishLaunching = event else {
      return perform(event, in: scene, delivery, completion)
    }
    perform(event, in: scene, delivery) { outcome in
      completion(outcome)
      if self.session.record?.succeeded != true { self.releaseScenes() }
    }
    // After a failure, the scenes wait for the completion, which may remove them.
    let succeeded = session.record?.succeeded == true
    if succeeded, configuration.becomesActive, !plan.options.reason.isOutOfSight {
      receive(.didBecomeActive) { _ in }
    }
    // A service may have failed since the launch ended: its event has handlers, too.
    if session.hasLaunched { openServiceEvents() }
    if succeeded { releaseScenes() }
  }

  /// Handles an event of a service, in a job of the queue.
  func handle(ofService event: LifecycleEvent) {
    contents.withLock { $0.emittingRuns = 0 }
    handle(event, in: nil) { _ in }
  }

  private func refusal(of event: LifecycleEvent, in scene: SceneSession?) -> Refusal? {
    if hasEnded { return .ended }
    if let scene { return scene.phase == .disconnected ? unknown(scene.id) : nil }
    guard case .didFinishLaunching = event else { return nil }
    return isFirst(\.hasBegun) ? nil : .alreadyLaunched
  }

  /// Sets a flag. Returns true if it was not set before.
  private func isFirst(_ flag: WritableKeyPath<Contents, Bool>) -> Bool {
    contents.withLock { contents in
      defer { contents[keyPath: flag] = true }
      return !contents[keyPath: flag]
    }
  }

  /// Runs the handlers of an event, then the listeners, and asks the responders.
  private func perform(
    _ event: LifecycleEvent, in scene: SceneSession?, _ delivery: Delivery,
    _ completion: @escaping @Sendable (LifecycleOutcome) -> Void
  ) {
    let (coordinator, values) = scene.map { ($0.coordinator, $0.values) } ?? (coordinator, values)
    guard let completion = begin(event, completion) else { return }
    let store = configuration.store
    if case .didRegisterForRemoteNotifications(let token) = event {
      plan.environment.secrets.add(Hexadecimal.text(of: token))
    }
    configuration.driver?.willHandle(event)
    if plan.events[event.name] != nil {
      values.provide(store.state.phase, as: ContextKey<LaunchPhase>.previousPhase.name)
    }
    store.dispatch(.lifecycle(event))
    let window: (any AppWindow)? = delivery.isDuplicate ? coordinator?.forRepeatedEvents : coordinator
    var handlers = plan.plan(for: event, on: window, values: values)
    // A scene without a window must not use the window of the process.
    if scene != nil { handlers?.environment.window = window }
    handlers?.environment.host.receiveLate = lateReceiver(in: scene)
    handlers?.environment.host.launchProviders = { [plan, record = session.record] value in
      record.map { record in plan.providers(of: value) { record[$0].state } } ?? []
    }
    let record = handlers.map { run($0, event, delivery.expiration) }
    let listeners = configuration.mediator.send(event)
    configuration.driver?.didHandle(event)
    if event == .willTerminate { keeper?.beginToStop() }
    listeners.failures.forEach { store.dispatch(.failed($0)) }
    if case .didFinishLaunching(let options) = event {
      store.dispatch(.launched(inBackground: options.reason.isOutOfSight))
    }
    let parts: [any LifecycleResponder] = [CommandsResponder(record: record)] + configuration.responders
    // The handlers have run, so their answer needs no timeout.
    let timeout = parts.count > 1 ? configuration.timeout : nil
    CompositeResponder(parts: parts).ask(
      event, timeout: timeout, timer: configuration.timer, report: { store.dispatch($0.action) }
    ) { response in
      for problem in response.problems { store.dispatch(problem.action) }
      completion(
        LifecycleOutcome(
          event: event, refusal: nil, record: record, listeners: listeners, response: response))
    }
    if let record {
      guard configuration.driver?.handlesEvents(emittedBy: record, of: event) ?? true else { return }
      receiveEmitted(by: record, in: scene)
    } else if !session.hasLaunched {
      return
    }
    // Code can show the first screen without an event.
    if let screen = coordinator?.screens.last {
      receiveFirstScreen(.didShowFirstScreen(screen: screen.name), in: scene)
    }
  }

  // MARK: - What commands emit

  /// The number of runs in a row that emitted events after which the host reports a possible endless loop.
  private static let suspiciousRuns = 1000

  private func receiveEmitted(by record: LaunchRecord, in session: SceneSession?) {
    let emitted = record.flatMap(\.details.emitted)
    if let first = emitted.first { reportEndlessLoop(before: first) }
    for emitted in emitted { receive(emitted: emitted, in: session) }
  }

  /// Handles an event that a command emitted. It belongs to `session`, if that is not `nil`.
  func receive(emitted: EmittedEvent, in session: SceneSession?) {
    guard let event = LifecycleEvent(emitted, scene: session?.id, plan.environment.sceneEvents) else {
      return report(emitted)
    }
    if event.name == EventName.didShowFirstScreen.name {
      receiveFirstScreen(event, in: session)
    } else if let session, event.staysInScene {
      // The event belongs to this session, even if a later one with the same name is waiting.
      session.queue.add { self.handle(event, in: session) { self.report($0) } }
    } else {
      enqueue(event) { self.report($0) }
    }
  }

  /// Reports a refused event to the store, unless the host has ended.
  ///
  /// No caller waits for the outcome of an event that a command emitted.
  private func report(_ outcome: LifecycleOutcome) {
    guard let refusal = outcome.refusal, refusal != .ended else { return }
    report("a command emitted this event and it was refused: \(refusal)", from: outcome.event.name)
  }

  /// Reports to the store an emitted event whose payload or scene is not valid for its name.
  private func report(_ emitted: EmittedEvent) {
    let payload = emitted.written.map { "with the payload \"\($0.prefix(200))\"" } ?? "without a payload"
    let isOfScene = LifecycleEvent(emitted, scene: "any", plan.environment.sceneEvents) != nil
    let others = scenes.isEmpty ? "no scene is connected" : "the command handles no event of a scene"
    let problem =
      isOfScene ? "it belongs to a scene, and \(others)" : mismatch(of: emitted) ?? "it is not valid here"
    report("a command emitted this event \(payload), and it was not handled: \(problem)", from: emitted.name)
  }

  /// Returns the words for the form that the payload of an emitted event must have; `nil` if something else is wrong.
  private func mismatch(of emitted: EmittedEvent) -> String? {
    do throws(LifecycleEventError) {
      _ = try LifecycleEvent(name: emitted.name, payload: emitted.revealed)
    } catch {
      if case .payloadMismatch = error { return error.description }
    }
    return nil
  }

  /// Stores a failure as the last one of ``state``.
  package func report(_ message: String, from source: String) {
    configuration.store.dispatch(.failed(LaunchState.Failure(source: source, message: message)))
  }

  private func reportEndlessLoop(before event: EmittedEvent) {
    let count = contents.withLock { contents in
      contents.emittingRuns += 1
      return contents.emittingRuns
    }
    guard count == Self.suspiciousRuns else { return }
    let message = "\(count) consecutive runs of event handlers emitted events: check for an endless loop"
    report(message, from: event.name)
  }

  /// Handles `didShowFirstScreen` when the window has drawn the screen, once per process.
  private func receiveFirstScreen(_ event: LifecycleEvent, in session: SceneSession?) {
    guard isFirst(\.hasShownFirstScreen) else { return }
    let handle = { @Sendable in self.enqueue(event) { self.report($0) } }
    guard let window = session == nil ? coordinator : session?.coordinator else { return handle() }
    window.afterNextFrame(handle)
  }

  // MARK: - Scenes

  private func session(_ id: SceneID, for event: LifecycleEvent) throws(Refusal) -> SceneSession {
    if case .sceneWillConnect = event { return try connect(id) }
    let session = contents.withLock { contents in
      if case .sceneDidDisconnect = event { return contents.scenes.disconnect(id) }
      return contents.scenes.connected(id)
    }
    guard let session else { throw unknown(id) }
    return session
  }

  private func connect(_ id: SceneID) throws(Refusal) -> SceneSession {
    guard contents.withLock({ $0.scenes.connected(id) == nil }) else { throw .alreadyConnected(id) }
    let session = makeSession(id)
    guard contents.withLock({ $0.scenes.connect(session) }) else { throw .alreadyConnected(id) }
    release(id)
    return session
  }

  /// Starts the event queue of the scene's current session if the launch has finished.
  private func release(_ id: SceneID) {
    contents.withLock { $0.scenes.begun(id) }?.queue.release()
  }

  private func makeSession(_ id: SceneID) -> SceneSession {
    let values = ContextValues(above: values)
    let coordinator = configuration.window(id).map {
      Self.coordinator(
        of: $0, scene: id, configuration, configuration.routes ?? plan.routes(ofScene: true, values))
    }
    return SceneSession(id: id, coordinator: coordinator, executor: executor, values: values)
  }

  private static func coordinator(
    of window: any AppWindow, scene: SceneID?, _ configuration: Configuration,
    _ routes: @escaping ScreenCoordinator.Routes
  ) -> ScreenCoordinator {
    let store = configuration.store
    return ScreenCoordinator(
      name: scene?.name ?? "main", window: window, routes: routes,
      onChange: { store.dispatch(.screens($0.map(\.name), scene: scene)) })
  }

  private func unknown(_ id: SceneID) -> Refusal {
    .unknownScene(LifecycleOutcome.UnknownScene(id, known: contents.withLock { $0.scenes.names }))
  }

  /// Refuses the events of a connected scene from now on, also those that wait for the launch.
  package func remove(_ id: SceneID) {
    guard let session = contents.withLock({ $0.scenes.disconnect(id) }) else { return }
    session.apply(.sceneDidDisconnect(id))
    end(session)
    session.queue.release()
  }

  private func end(_ session: SceneSession) {
    contents.withLock { $0.scenes.end(session) }
    release(session.id)
  }

  private func releaseScenes() {
    contents.withLock { $0.scenes.launch() }
    for session in scenes { session.queue.release() }
  }
}

extension LifecycleEvent {
  /// True if the scene is connected both before and after the event.
  fileprivate var staysInScene: Bool {
    switch self {
    case .sceneWillConnect, .sceneDidDisconnect: false
    default: scene != nil
    }
  }
}
