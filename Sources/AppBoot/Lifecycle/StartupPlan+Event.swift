extension StartupPlan {
  /// The plan for an event: the launch itself, or the manifest's `on` list; `nil` where there is no list.
  ///
  /// Its commands find the event as their launch (reason, URL, payload), and the window given.
  public func plan(for event: LifecycleEvent, on window: (any Window)? = nil) -> StartupPlan? {
    if case .didFinishLaunching(let options) = event { return adapted(to: options, on: window) }
    return events[event.name]?.adapted(to: event.launchOptions, on: window)
  }

  private func adapted(to options: LaunchOptions, on window: (any Window)?) -> StartupPlan {
    var environment = environment
    environment.window = window ?? environment.window
    var plan = StartupPlan(
      name: name, options: options, source: source, steps: steps, graph: graph, environment: environment)
    plan.budget = budget
    plan.timeout = timeout
    plan.events = events
    return plan
  }
}
