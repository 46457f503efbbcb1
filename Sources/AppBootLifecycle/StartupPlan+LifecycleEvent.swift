public import AppBoot

extension StartupPlan {
  /// Returns the plan for an event: the launch itself, or the manifest's `on` handlers; `nil` if there are none.
  ///
  /// Its commands find the event as their launch (reason, URL, payload), and the window given; their `when` is evaluated
  /// for it.
  public func plan(for event: LifecycleEvent, on window: (any AppWindow)? = nil) -> StartupPlan? {
    plan(for: event, on: window, values: environment.values)
  }

  func plan(for event: LifecycleEvent, on window: (any AppWindow)?, values: ContextValues?) -> StartupPlan? {
    let plan = if case .didFinishLaunching = event { self } else { events[event.name] }
    return plan?.adapted(to: event.launchOptions, on: window, values).inheriting(outline.safeMode)
  }
}
