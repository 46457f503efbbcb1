import AppBootSystem

extension StartupPlan {
  /// The plan for an event: the launch itself, or the manifest's `on` list; `nil` where there is no list.
  ///
  /// Its commands find the event as their launch (reason, URL, payload), and the window given; their `when` is judged
  /// by it.
  public func plan(for event: LifecycleEvent, on window: (any AppWindow)? = nil) -> StartupPlan? {
    plan(for: event, on: window, values: environment.values)
  }

  func plan(for event: LifecycleEvent, on window: (any AppWindow)?, values: ContextValues?) -> StartupPlan? {
    let plan = if case .didFinishLaunching = event { self } else { events[event.name] }
    return plan?.adapted(to: event.launchOptions, on: window, values).told(of: safeMode)
  }

  /// The plan of an event as the whole of a run, in which no other list follows; within a limit, where one is given.
  package func alone(limit: Duration?) -> StartupPlan {
    var plan = self
    plan.events = [:]
    if let limit { plan.timeout = limit.nanoseconds }
    return plan
  }

  /// The plan of a list, whose commands are told that the launch before it is careful; no step is left out for that.
  package func told(of safeMode: SafeMode?) -> StartupPlan {
    var plan = self
    plan.safeMode = plan.safeMode ?? safeMode
    return plan
  }

  func adapted(to options: LaunchOptions, on window: (any AppWindow)?, _ values: ContextValues?)
    -> StartupPlan
  {
    var environment = environment
    environment.window = window ?? environment.window
    environment.values = values
    var steps = steps
    let facts = LaunchCondition.Facts(options: options, environment: environment)
    for index in steps.indices where steps[index].condition != nil { steps[index].judge(facts) }
    var plan = StartupPlan(
      name: name, options: options, source: source, steps: steps, graph: graph, environment: environment)
    plan.budget = budget
    plan.timeout = timeout
    plan.events = events
    plan.safeMode = safeMode
    return plan
  }
}

extension StartupStep {
  /// Skips the step where its condition does not hold; what the selection left out stays so.
  mutating func judge(_ facts: LaunchCondition.Facts) {
    switch skip {
    case nil, .condition: break
    case .excluded, .dependency, .stopped, .safeMode: return
    }
    skip = condition?.obstacle(facts).map(SkipReason.condition)
  }
}

extension LaunchCondition.Facts {
  init(options: LaunchOptions, environment: LaunchEnvironment) {
    self.init(
      platform: Host.platform, options: options, isFirstLaunch: environment.isFirstLaunch,
      variable: environment.variable)
  }
}
