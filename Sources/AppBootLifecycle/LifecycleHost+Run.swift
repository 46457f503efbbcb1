public import AppBoot
import AppBootSystem

extension LifecycleHost {
  /// Returns a function that handles the events which commands emit after their run has ended.
  ///
  /// The function returns false if the host has ended or was deallocated. An event of scenes belongs to `session`, if
  /// that is not `nil`.
  func lateReceiver(in session: SceneSession?) -> @Sendable (String, String?) -> Bool {
    { [weak self, weak session] name, payload in
      guard let self, !hasEnded else { return false }
      receive(emitted: EmittedEvent(name: name, payload: payload), in: session)
      return true
    }
  }

  /// A runner for the launch. Its caller runs it, completes the session, and then sends `didFinishLaunching`.
  package var launchRunner: LaunchRunner {
    var launch = plan.plan(for: .didFinishLaunching(plan.options), on: coordinator, values: values) ?? plan
    launch.environment.host.receiveLate = lateReceiver(in: nil)
    return launchRunner(launch)
  }

  private func launchRunner(_ plan: LaunchPlan) -> LaunchRunner {
    var settings = settings
    settings.onOpen = { [session, sink = settings.sink] in session.begin($0, sink: sink) }
    return LaunchRunner(plan, configuration: settings)
  }

  private var settings: LaunchRunner.Configuration {
    var settings = configuration.runner
    settings.recordObservers.append(LaunchStateObserver(configuration.store))
    return settings
  }

  /// Runs the commands of the launch or of an event's handlers on the calling thread.
  func run(_ plan: LaunchPlan, _ event: LifecycleEvent, _ expiration: EventExpiration?) -> LaunchRecord {
    if let driver = configuration.driver { return driver.run(plan, for: event) }
    guard case .didFinishLaunching = event else {
      let run = session.run(plan, for: event, configuration: settings) { expiration?.add($0) }
      if expiration?.isOver == true, case .cancelled(let reason) = run.record.outcome {
        report("its handlers were cancelled: \(reason)", from: event.name)
      }
      return run.record
    }
    if let record = session.record { return record }
    let record = session.run(launchRunner(plan))
    if !record.succeeded || keeper?.isEnding == true { keeper?.beginToStop() }
    return record
  }

  /// Returns the completion of an event; `nil` for a repeated `willTerminate`, which the host does not handle.
  ///
  /// The completion of `willTerminate` is called when the services have ended.
  func begin(
    _ event: LifecycleEvent, _ completion: @escaping @Sendable (LifecycleOutcome) -> Void
  ) -> (@Sendable (LifecycleOutcome) -> Void)? {
    guard event == .willTerminate else { return completion }
    termination.whenDone(completion)
    guard termination.begin() else { return nil }
    return { [termination, keeper] outcome in
      guard let keeper else { return termination.complete(outcome) }
      keeper.whenStopped { termination.complete(outcome) }
    }
  }

  /// Blocks the calling thread until the host has handled the events so far, and the services that shut down have
  /// ended. The main thread serves the main actor meanwhile, unless the caller is a job of that actor.
  ///
  /// Use it after `willTerminate` if the process ends when the caller returns. An asynchronous caller waits for the
  /// outcome of the event instead. It returns at once if the plan has no services. A listener that calls it does not
  /// wait for the events.
  @available(*, noasync, message: "use await receive(.willTerminate)")
  public func waitForServices() {
    guard let keeper else { return }
    let loop = MainLoop()
    let wait = { @Sendable in keeper.whenStopped { loop.stop() } }
    if isBlockedByCaller { wait() } else { queue.add(wait) }
    loop.run()
  }

  /// True if the host may be unable to handle events while the calling thread waits.
  private var isBlockedByCaller: Bool {
    queue.isRunningHere || MainQueue.isBlockedByCaller
  }

  /// Handles an event and returns its outcome. For `didFinishLaunching`, it returns when the
  /// launch's commands have ended.
  ///
  /// Handlers can block, so a new thread sends the event. If the caller is on the main actor, the main thread sends it
  /// when the caller is suspended.
  @discardableResult
  public func receive(
    _ event: LifecycleEvent, isolation: isolated (any Actor)? = #isolation
  ) async -> LifecycleOutcome {
    let isOnMainActor = isolation === MainActor.shared
    return await withCheckedContinuation { continuation in
      let handle = { @Sendable in self.receive(event) { continuation.resume(returning: $0) } }
      if isOnMainActor { MainQueue.add(handle) } else { Thread.detach(name: "appboot-event", handle) }
    }
  }
}

extension LifecycleHost {
  /// Launches the app, and returns the record and the values of its commands.
  ///
  /// It sends `didFinishLaunching`. A second call returns the same launch.
  ///
  /// - Parameter options: The request that launched the app.
  /// - Throws: ``LaunchFailed`` if the launch did not succeed, or if the host has ended.
  public func launch(
    _ options: LaunchOptions = LaunchOptions(), isolation: isolated (any Actor)? = #isolation
  ) async throws(LaunchFailed) -> CompletedLaunch {
    let outcome = await receive(.didFinishLaunching(options), isolation: isolation)
    let record = outcome.record ?? session.record ?? LaunchRecord(outline: plan.outline, startedAt: "")
    guard record.succeeded else { throw LaunchFailed(record: record) }
    return CompletedLaunch(record, values, of: plan)
  }

  /// Returns the newest value that a command of the process has provided for a key; `nil` if there is none of its type.
  public func value<Value>(for key: ContextKey<Value>) -> Value? { values[key.name] as? Value }

  /// Returns the events with a name from now on. They end with the host.
  ///
  /// ```swift
  /// for await event in host.events(.didBecomeActive) { refresh() }
  /// ```
  ///
  /// The stream receives an event as a listener does, and keeps the events that its reader has not taken yet.
  public func events(_ name: EventName) -> AsyncStream<LifecycleEvent> {
    let (stream, continuation) = AsyncStream.makeStream(of: LifecycleEvent.self)
    let subscription = configuration.mediator.on(name) { continuation.yield($0) }
    let id = ObjectIdentifier(subscription)
    continuation.onTermination = { [weak self] _ in
      subscription.cancel()
      self?.streams.withLock { $0[id] = nil }
    }
    streams.withLock { $0[id] = continuation }
    if hasEnded { continuation.finish() }
    return stream
  }
}

extension LifecycleHost {
  /// The state of the app.
  public var state: LaunchState { configuration.store.state }

  /// Subscribes to a part of ``state``, as ``LifecycleStore/subscribe(to:_:)`` does.
  @discardableResult
  public func subscribe<Part: Equatable & Sendable>(
    to select: @escaping @Sendable (LaunchState) -> Part, _ notify: @escaping @Sendable (Part) -> Void
  ) -> LifecycleSubscription {
    configuration.store.subscribe(to: select, notify)
  }

  /// Subscribes an object of the main actor to a part of ``state``, as ``LifecycleStore/subscribe(_:to:_:)`` does.
  @MainActor
  @discardableResult
  public func subscribe<Object: AnyObject, Part: Equatable & Sendable>(
    _ object: Object, to select: @escaping @Sendable (LaunchState) -> Part,
    _ notify: @escaping @MainActor @Sendable (_ object: Object, _ part: Part) -> Void
  ) -> LifecycleSubscription {
    configuration.store.subscribe(object, to: select, notify)
  }

  /// Returns the values of a part of ``state``, as ``LifecycleStore/values(of:bufferingPolicy:)`` does.
  public func values<Part: Equatable & Sendable>(
    of select: @escaping @Sendable (LaunchState) -> Part
  ) -> AsyncStream<Part> {
    configuration.store.values(of: select)
  }
}

/// An object that runs the launch and the event handlers of a host itself, as the tool does.
///
/// A driver uses only the observers of the host's ``LifecycleHost/Configuration/runner``.
package protocol LifecycleDriver: AnyObject, Sendable {
  /// Runs a launch or the handlers of an event on the calling thread, and returns the record.
  func run(_ plan: LaunchPlan, for event: LifecycleEvent) -> LaunchRecord

  /// Returns whether the host handles the events that a run for an event emitted.
  func handlesEvents(emittedBy record: LaunchRecord, of event: LifecycleEvent) -> Bool

  /// Prepares for an event that the host is about to handle.
  func willHandle(_ event: LifecycleEvent)

  /// Continues after the handlers and listeners of an event.
  func didHandle(_ event: LifecycleEvent)

  /// False to ignore the events of services.
  var handlesServiceEvents: Bool { get }
}
