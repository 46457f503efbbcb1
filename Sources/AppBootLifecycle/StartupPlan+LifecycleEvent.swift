package import AppBoot

extension StartupPlan {
  /// Returns the plan for an event: this plan for the launch, and the plan of the manifest's `on` handlers for other
  /// events.
  ///
  /// Returns `nil` if the manifest has no handlers for the event. The commands find the event's reason, URL and payload
  /// in their launch options, and show screens on the given window. Their `when` conditions are evaluated for the
  /// event.
  package func plan(for event: LifecycleEvent, on window: (any AppWindow)? = nil) -> StartupPlan? {
    plan(for: event, on: window, values: environment.values)
  }

  func plan(for event: LifecycleEvent, on window: (any AppWindow)?, values: ContextValues?) -> StartupPlan? {
    let plan = if case .didFinishLaunching = event { self } else { events[event.name] }
    return plan?.adapted(to: event.launchOptions, on: window, values).inheriting(outline.safeMode)
  }
}
