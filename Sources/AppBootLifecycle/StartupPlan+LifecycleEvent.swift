public import AppBoot

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
    let plan = if case .didFinishLaunching = event { self } else { handlers(of: event, values) }
    return plan?.adapted(to: event.launchOptions, on: window, values).inheriting(outline.safeMode)
  }

  /// Returns the plan of an event's handlers, which find the event among the values.
  private func handlers(of event: LifecycleEvent, _ values: ContextValues?) -> StartupPlan? {
    guard var plan = events[event.name] else { return nil }
    let name = ContextKey<LifecycleEvent>.lifecycleEvent.name
    // Values that earlier handlers share have priority over those of the plan.
    values?.provide(event, as: name)
    plan.environment.provided[name] = event
    return plan
  }
}

extension StartupPlan {
  /// Returns the plan with a safe mode, unless the plan already has one. Commands can read it, but it skips no steps.
  package func inheriting(_ safeMode: SafeMode?) -> StartupPlan {
    var plan = self
    plan.outline.safeMode = plan.outline.safeMode ?? safeMode
    return plan
  }

  /// Returns the plan with these options and context values. A window that is not `nil` replaces the plan's window.
  ///
  /// The conditions of the steps are evaluated again.
  package func adapted(
    to options: LaunchOptions, on window: (any AnyObject & Sendable)?, _ values: ContextValues?
  ) -> StartupPlan {
    var plan = self
    plan.environment.window = window ?? environment.window
    plan.environment.values = values
    let facts = LaunchCondition.Facts(options: options, environment: plan.environment)
    plan.outline.options = options
    for index in plan.indices where plan.outline.steps[index].attributes.condition != nil {
      plan.outline.steps[index].applyCondition(facts)
    }
    return plan
  }
}

extension StartupPlan {
  /// True if a step of this launch or of an event handler can run as a task, also if it is skipped now.
  var mayRunTasks: Bool { indices.contains(where: runsTask) || events.values.contains(where: \.mayRunTasks) }
}

extension ContextKey<LifecycleEvent> {
  /// The event whose handlers run, with all of its data.
  ///
  /// The launch options of the context have only the event's reason, URL and payload.
  public static var lifecycleEvent: Self { Self("lifecycleEvent") }
}
