package import AppBoot
import AppBootSystem

extension LifecycleHost {
  /// The plan of the launch, for a caller that runs it and then sends `didFinishLaunching` with its record.
  package var launchPlan: StartupPlan {
    var launch = plan.plan(for: .didFinishLaunching(plan.options), on: coordinator, values: values) ?? plan
    launch.environment.receiveLate = lateReceiver(in: nil)
    return launch
  }

  /// Runs the commands of the launch or of an event's handlers on the calling thread.
  func run(_ plan: StartupPlan, _ event: LifecycleEvent) -> StartupRecord {
    if let run = configuration.run { return run(plan, event) }
    var settings = configuration.runner
    let sink = settings.sink
    settings.recordObservers.append(LaunchStateObserver(configuration.store))
    guard case .didFinishLaunching = event else {
      return EventRunner(event, launchedAt: launchedAt.withLock(\.self), sink: sink)
        .run(plan, configuration: settings).record
    }
    sink?.expectEvents()
    // Opening the sink is not a part of the launch's time.
    settings.onOpen = { [launchedAt, services] _ in
      launchedAt.withLock { $0 = MonotonicClock.now() }
      services.beginLaunch()
    }
    let record = services.runLaunch(StartupRunner(plan, configuration: settings))
    if record.succeeded { try? FirstLaunch.markSucceeded(plan, in: plan.environment.state) }
    return record
  }

  /// The keeper of the plan's services; `nil` if the plan has none.
  package var serviceKeeper: (any ServiceKeeping)? { services.keeper }

  /// Returns the completion of an event; `nil` for a repeated `willTerminate`, which the host does not handle.
  ///
  /// The completion of `willTerminate` is called when the services have ended.
  func begin(
    _ event: LifecycleEvent, _ completion: @escaping @Sendable (LifecycleOutcome) -> Void
  ) -> (@Sendable (LifecycleOutcome) -> Void)? {
    guard event == .willTerminate else { return completion }
    guard let first = termination.begin(completion) else { return nil }
    return { [services] outcome in services.whenStopped { first(outcome) } }
  }

  /// Blocks the calling thread until the host has handled the events so far, and the services that shut down have
  /// ended. The main thread serves the main actor meanwhile, unless the caller is a job of that actor.
  ///
  /// Use it after `willTerminate` if the process ends when the caller returns. An asynchronous caller waits for the
  /// outcome of the event instead. It returns at once if the plan has no services. A listener that calls it does not
  /// wait for the events.
  @available(*, noasync, message: "use await receive(.willTerminate)")
  public func waitForServices() {
    guard services.keeper != nil else { return }
    let loop = MainLoop()
    let wait = { @Sendable [services] in services.whenStopped { loop.stop() } }
    if isBlockedByCaller { wait() } else { queue.add(wait) }
    loop.run()
  }

  /// True if the host may be unable to handle events while the calling thread waits.
  private var isBlockedByCaller: Bool {
    queue.isRunningHere || MainQueue.isBlockedByCaller
  }
}
