extension StartupPlan {
  /// Returns the plan as the whole of a run, without event handlers; a timeout replaces the manifest's.
  package func alone(timeout: Duration?) -> StartupPlan {
    var plan = self
    plan.events = [:]
    if let timeout { plan.outline.timeout = timeout.nanoseconds }
    return plan
  }

  /// Returns the plan with the launch's safe mode, which its commands can see; no step is skipped because of it.
  package func inheriting(_ safeMode: SafeMode?) -> StartupPlan {
    var plan = self
    plan.outline.safeMode = plan.outline.safeMode ?? safeMode
    return plan
  }

  /// Returns the plan for another request: its commands find these options, this window and these values, and the
  /// conditions of its steps are evaluated again.
  package func adapted(
    to options: LaunchOptions, on window: (any AppWindow)?, _ values: ContextValues?
  ) -> StartupPlan {
    var plan = self
    plan.environment.window = window ?? environment.window
    plan.environment.values = values
    let facts = LaunchCondition.Facts(options: options, environment: plan.environment)
    plan.updateOutline { outline in
      outline.options = options
      for index in outline.indices where outline[index].condition != nil {
        outline.steps[index].applyCondition(facts)
      }
    }
    return plan
  }
}
