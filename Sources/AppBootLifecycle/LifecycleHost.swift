public import AppBoot
import AppBootSystem

/// Runs an app from its launch to its end: every event's commands, then its listeners, then its responders.
///
/// - The process's list runs once; a scene's list (`sceneWillConnect`) once for each scene.
/// - Events of the process are handled one after the other, and so are those of each scene. The next one begins when
///   the commands have run and everybody was told; it does not wait for answers that take longer.
/// - Scenes wait until the process's list has run.
/// - What commands emit is handled after the event that they ran for; `didShowFirstScreen` once in a process.
/// - What commands provide stays for the lists that come after; a scene's values are its own, on top of the process's.
/// - Commands show screens through the scene's coordinator: the first one on a cold start, and on top afterwards.
public final class LifecycleHost: Sendable {
  /// What a host goes by, beside its plan.
  public struct Configuration: Sendable {
    /// Who is told of every event.
    public var mediator = LifecycleMediator()
    /// Who answers, in this order.
    public var responders: [any LifecycleResponder] = []
    /// What is known of the app.
    public var store: Store<LaunchState, LaunchAction> = .launch()
    /// The window of a scene.
    public var window: @Sendable (SceneID) -> (any AppWindow)? = { _ in nil }
    /// Where URLs and other requests lead; `nil` for the tables of the plan's ``RoutingCommand``s, such as `InitialScreen`.
    ///
    /// Of several tables the first counts that leads somewhere.
    public var routes: ScreenCoordinator.Routes?
    /// Where events are handled; by default on the thread that brings them. An app whose events come from other threads than
    /// the main one, as those of ``SignalEventSource`` do, gives one that goes there (``MainLoop``): its commands of the main
    /// lane run where their event is handled.
    public var executor: any LifecycleExecutor = InlineExecutor()
    /// How long responders may take, in nanoseconds, from when the first of them is asked; for the launch, the last.
    public var limit: Int64 = 25_000_000_000
    /// What that limit goes by.
    public var timer: any LifecycleTimer = ThreadTimer.shared
    /// Where the launch and the lists of events are written down while they run, where ``run`` is left as it is.
    public var journal: LaunchJournal?
    /// Runs the commands of an event; by default a ``StartupRunner`` that tells the store of failures.
    public var run: (@Sendable (StartupPlan, LifecycleEvent) -> StartupRecord)?
    /// Whether what the commands of a run emitted is handled after it; by default it always is.
    public var handlesEmitted: @Sendable (StartupRecord, LifecycleEvent) -> Bool = { _, _ in true }

    /// Called when an event is about to be handled.
    package var beginning: @Sendable (LifecycleEvent) -> Void = { _ in }
    /// Called when the commands of the launch have run and what they emitted waits for its turn.
    package var launched: @Sendable () -> Void = {}

    /// Creates a configuration with its defaults.
    public init() {}
  }

  private struct Contents: Sendable {
    var scenes = SceneRegistry()
    var hasBegun = false
    /// When the launch began, on the monotonic clock.
    var launchedAt: Int64 = 0
    var hasShownFirstScreen = false
    /// How many lists emitted events since the last event that came from elsewhere.
    var listsInARow = 0
    var hasEnded = false
  }

  /// The launch, with the lists for its events.
  public let plan: StartupPlan
  /// What owns the process's own window; `nil` where the plan has none.
  public let coordinator: ScreenCoordinator?
  let configuration: Configuration
  private let queue: SerialQueue
  private let contents = Lock(Contents())
  /// What the commands of the process provided, for those that come after.
  private let values: ContextValues
  private let sources = Lock<[any LifecycleEventSource]>([])

  /// Creates a host; nothing happens before the first event.
  public init(_ plan: StartupPlan, configuration: Configuration = Configuration()) {
    self.plan = plan
    self.configuration = configuration
    queue = SerialQueue(executor: configuration.executor)
    let values = ContextValues()
    self.values = values
    coordinator = plan.environment.window.map {
      Self.coordinator(
        of: $0, scene: nil, configuration, configuration.routes ?? plan.routes(ofScene: false, values))
    }
  }

  deinit {
    for source in sources.withLock({ $0 }) { source.stop() }
  }

  /// What is known of the app.
  public var state: LaunchState { configuration.store.state }

  /// The connected scenes, by name; one that disconnects is among them until that was handled.
  public var scenes: [SceneSession] { contents.withLock { $0.scenes.all } }

  /// The scene of that name; where it disconnects and connects again, the earlier one until that was handled.
  public subscript(scene: SceneID) -> SceneSession? { contents.withLock { $0.scenes[scene] } }

  // MARK: - Events

  /// Handles an event, after those of the same scope that came before it.
  ///
  /// - Parameter completion: Called once, when the last responder has answered or the limit has passed.
  public func receive(
    _ event: LifecycleEvent, completion: @escaping @Sendable (LifecycleOutcome) -> Void = { _ in }
  ) {
    receive(event, isEcho: false, completion: completion)
  }

  /// Handles an event, which may tell what the launch was told (``DuplicateEventFilter``).
  package func receive(
    _ event: LifecycleEvent, isEcho: Bool,
    completion: @escaping @Sendable (LifecycleOutcome) -> Void = { _ in }
  ) {
    contents.withLock { $0.listsInARow = 0 }
    take(event, isEcho: isEcho, completion)
  }

  /// Does a job after the events of the process that have come so far.
  package func afterEvents(_ job: @escaping @Sendable () -> Void) { queue.add(job) }

  private func take(
    _ event: LifecycleEvent, isEcho: Bool = false,
    _ completion: @escaping @Sendable (LifecycleOutcome) -> Void
  ) {
    switch event.scope {
    case .process: queue.add { self.handle(event, isEcho: isEcho, completion) }
    case .scene(let scene):
      do throws(LifecycleRefusal) {
        let session = try session(scene, for: event)
        session.queue.add { self.handle(event, in: session, isEcho: isEcho, completion) }
      } catch {
        completion(LifecycleOutcome(refusing: event, error))
      }
    }
  }

  /// Refuses every event from now on, also those that wait for their turn; what is being handled goes on.
  public func end() { contents.withLock { $0.hasEnded = true } }

  /// Handles every event of a source from now on, until the host goes.
  ///
  /// - Throws: What the source throws.
  public func attach(_ source: any LifecycleEventSource) throws {
    try source.start { [weak self] event in self?.receive(event) }
    sources.withLock { $0.append(source) }
  }

  /// Handles an event on a thread of its own, unless an executor says where, and returns what became of it.
  public func outcome(of event: LifecycleEvent) async -> LifecycleOutcome {
    await withCheckedContinuation { continuation in
      Thread.detach(name: "event") { self.receive(event) { continuation.resume(returning: $0) } }
    }
  }

  private var hasEnded: Bool { contents.withLock { $0.hasEnded } }

  private func handle(
    _ event: LifecycleEvent, isEcho: Bool, _ completion: @escaping @Sendable (LifecycleOutcome) -> Void
  ) {
    guard !hasEnded else { return completion(LifecycleOutcome(refusing: event, .ended)) }
    guard case .didFinishLaunching = event else {
      return handle(event, on: coordinator, values, isEcho: isEcho, completion)
    }
    let isFirst = contents.withLock { contents in
      defer { contents.hasBegun = true }
      return !contents.hasBegun
    }
    guard isFirst else { return completion(LifecycleOutcome(refusing: event, .alreadyLaunched)) }
    handle(event, on: coordinator, values, completion)
    configuration.store.dispatch(.launched(inBackground: event.launchOptions.reason.isOutOfSight))
    configuration.launched()
    releaseScenes()
  }

  private func handle(
    _ event: LifecycleEvent, in session: SceneSession, isEcho: Bool = false,
    _ completion: @escaping @Sendable (LifecycleOutcome) -> Void
  ) {
    defer { if case .sceneDidDisconnect = event { end(session) } }
    guard !hasEnded else { return completion(LifecycleOutcome(refusing: event, .ended)) }
    guard session.phase != .disconnected else {
      return completion(LifecycleOutcome(refusing: event, unknown(session.id)))
    }
    session.apply(event)
    handle(event, on: session.coordinator, session.values, in: session, isEcho: isEcho, completion)
  }

  private func handle(
    _ event: LifecycleEvent, on coordinator: ScreenCoordinator?, _ values: ContextValues,
    in session: SceneSession? = nil, isEcho: Bool = false,
    _ completion: @escaping @Sendable (LifecycleOutcome) -> Void
  ) {
    let store = configuration.store
    configuration.beginning(event)
    store.dispatch(.lifecycle(event))
    let window: (any AppWindow)? = isEcho ? coordinator.map(DuplicateScreenFilter.init) : coordinator
    var list = plan.plan(for: event, on: window, values: values)
    // A scene without a window has none; the process's belongs to others.
    if session != nil { list?.environment.window = window }
    let record = list.map { run($0, event) }
    let listeners = configuration.mediator.tell(event)
    for failure in listeners.failures {
      store.dispatch(.failed(LaunchFailure(source: failure.listener, message: failure.failure.description)))
    }
    let parts: [any LifecycleResponder] = [CommandsResponder(record: record)] + configuration.responders
    // The list has run: it alone answers at once.
    let limit = parts.count > 1 ? (configuration.limit, configuration.timer) : nil
    CompositeResponder(parts: parts).ask(event, limit: limit, report: { store.dispatch($0.action) }) {
      response in
      for problem in response.problems { store.dispatch(problem.action) }
      completion(
        LifecycleOutcome(event: event, record: record, listeners: listeners, response: response))
    }
    guard let record, configuration.handlesEmitted(record, event) else { return }
    receiveEmitted(by: record, in: session)
  }

  private func run(_ plan: StartupPlan, _ event: LifecycleEvent) -> StartupRecord {
    if let run = configuration.run { return run(plan, event) }
    var settings = StartupRunner.Configuration()
    settings.observers = [LaunchStateObserver(configuration.store)]
    guard case .didFinishLaunching = event else {
      let time = MonotonicClock.now() - contents.withLock { $0.launchedAt }
      let journal = configuration.journal?.journal(of: event.name, scene: event.scope.scene?.name, at: time)
      if let journal { settings.observers.append(journal) }
      defer { journal?.finish() }
      return StartupRunner(plan, configuration: settings).run()
    }
    settings.journal = configuration.journal
    settings.journal?.expectEvents()
    let runner = StartupRunner(plan, configuration: settings)
    contents.withLock { $0.launchedAt = MonotonicClock.now() }
    return runner.run()
  }

  // MARK: - What commands emit

  /// So many lists in a row that emitted events are worth a word: it may be a circle.
  private static let longRow = 1000

  private func receiveEmitted(by record: StartupRecord, in session: SceneSession?) {
    let emitted = record.flatMap(\.details.emitted)
    if let first = emitted.first { warnOfRow(before: first) }
    let own = plan.environment.sceneEvents
    for emitted in emitted {
      guard let event = LifecycleEvent(emitted, scene: session?.id, own) else {
        report(emitted)
        continue
      }
      guard event.name != LifecycleEventName.didShowFirstScreen || isFirstScreen() else { continue }
      if let session, event.staysInScene {
        // It is of this connection, also where one of the same name waits for its turn.
        session.queue.add { self.handle(event, in: session) { self.report($0) } }
      } else {
        take(event) { self.report($0) }
      }
    }
  }

  /// Nobody waits for the outcome of what a command emitted: that it was refused is known of the app.
  private func report(_ outcome: LifecycleOutcome) {
    guard let refusal = outcome.refusal, refusal != .ended else { return }
    let message = "a command emitted it, and it was refused: \(refusal)"
    configuration.store.dispatch(.failed(LaunchFailure(source: outcome.event.name, message: message)))
  }

  /// An event that every app has, or one of scenes, in a form that it cannot have.
  private func report(_ emitted: EmittedEvent) {
    let payload = emitted.payload.map { "with the payload \"\($0.prefix(200))\"" } ?? "without a payload"
    let message =
      "a command emitted it \(payload), for no scene or one that it cannot have: it was not handled"
    configuration.store.dispatch(.failed(LaunchFailure(source: emitted.name, message: message)))
  }

  private func warnOfRow(before event: EmittedEvent) {
    let count = contents.withLock { contents in
      contents.listsInARow += 1
      return contents.listsInARow
    }
    guard count == Self.longRow else { return }
    let message = "\(count) lists in a row emitted events: do they lead to each other without end?"
    configuration.store.dispatch(.failed(LaunchFailure(source: event.name, message: message)))
  }

  private func isFirstScreen() -> Bool {
    contents.withLock { contents in
      defer { contents.hasShownFirstScreen = true }
      return !contents.hasShownFirstScreen
    }
  }

  // MARK: - Scenes

  private func session(_ id: SceneID, for event: LifecycleEvent) throws(LifecycleRefusal) -> SceneSession {
    switch event {
    case .sceneWillConnect: return try connect(id)
    case .sceneDidDisconnect:
      guard let session = contents.withLock({ $0.scenes.disconnect(id) }) else { throw unknown(id) }
      return session
    default:
      guard let session = contents.withLock({ $0.scenes.connected(id) }) else { throw unknown(id) }
      return session
    }
  }

  private func connect(_ id: SceneID) throws(LifecycleRefusal) -> SceneSession {
    guard contents.withLock({ $0.scenes.connected(id) == nil }) else { throw .alreadyConnected(id) }
    let session = makeSession(id)
    guard contents.withLock({ $0.scenes.connect(session) }) else { throw .alreadyConnected(id) }
    release(id)
    return session
  }

  /// Lets the session of that name begin whose turn it is.
  private func release(_ id: SceneID) {
    contents.withLock { $0.scenes.begun(id) }?.queue.release()
  }

  private func makeSession(_ id: SceneID) -> SceneSession {
    let values = ContextValues(above: values)
    let coordinator = configuration.window(id).map {
      Self.coordinator(
        of: $0, scene: id, configuration, configuration.routes ?? plan.routes(ofScene: true, values))
    }
    return SceneSession(id: id, coordinator: coordinator, executor: configuration.executor, values: values)
  }

  private static func coordinator(
    of window: any AppWindow, scene: SceneID?, _ configuration: Configuration,
    _ routes: @escaping ScreenCoordinator.Routes
  ) -> ScreenCoordinator {
    let store = configuration.store
    return ScreenCoordinator(
      name: scene?.name ?? "main", window: window, routes: routes,
      onChange: { store.dispatch(.screens($0.screens.map(\.name), scene: scene)) })
  }

  private func unknown(_ id: SceneID) -> LifecycleRefusal {
    let known = contents.withLock { $0.scenes.names }
    return .unknownScene(id, suggestion: ClosestName.to(id.name, among: known.map(\.name)), known: known)
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
  /// Whether it is about a scene that is connected before and after it.
  fileprivate var staysInScene: Bool {
    switch self {
    case .sceneWillConnect, .sceneDidDisconnect: false
    default: scope.scene != nil
    }
  }

  /// The event that a command emitted: of the scene that the command ran for where it can be, with a URL for its payload
  /// where it takes one; `nil` for what is no valid form of a known event.
  fileprivate init?(_ emitted: EmittedEvent, scene: SceneID?, _ sceneEvents: [DeclaredEvent]) {
    let (name, payload) = (emitted.name, emitted.payload)
    let scenes = scene == nil ? [nil] : [scene, nil]
    let declared = sceneEvents + [DeclaredEvent(name)]
    let candidates = scenes.lazy.compactMap { scene in
      (try? LifecycleEvent(name: name, payload: payload, scene: scene, declared: declared))
        ?? (try? LifecycleEvent(name: name, url: payload, scene: scene, declared: declared))
    }
    guard let event = candidates.first else { return nil }
    self = event
  }
}

extension ResponderProblem {
  fileprivate var action: LaunchAction {
    .failed(LaunchFailure(source: part, message: description))
  }
}
