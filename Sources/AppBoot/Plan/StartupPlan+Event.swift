extension StartupPlan {
  /// Returns the plan without its event handlers.
  ///
  /// - Parameter timeout: The new timeout of the plan; `nil` to leave its timeout unchanged.
  package func alone(timeout: Duration?) -> StartupPlan {
    var plan = self
    plan.events = [:]
    if let timeout { plan.outline.timeoutTime = timeout.nanoseconds }
    return plan
  }

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
    plan.updateOutline { outline in
      outline.options = options
      for index in outline.indices where outline.steps[index].attributes.condition != nil {
        outline.steps[index].applyCondition(facts)
      }
    }
    return plan
  }
}
