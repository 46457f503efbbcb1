package import AppBoot
package import AppBootLifecycle

extension LaunchPlan {
  /// Creates a launch of steps, for this package's tests.
  ///
  /// - Parameter steps: The steps, each with the ids of the steps that must come before it; `nil` means the step before
  ///   it.
  /// - Throws: ``PlanError``.
  package init(
    name: String = "launch", steps: [(step: LaunchStep, after: [String]?)],
    options: LaunchOptions = LaunchOptions(), window: (any AppWindow)? = nil,
    state: any StateStore = MemoryStateStore(), timeout: Duration? = nil
  ) throws {
    var plan = try LaunchPlan(name, timeout: timeout, options: options, state: state) {
      for (step, ids) in steps { Step(step, after: ids) }
    }
    for index in plan.indices where steps[index].step.skip != nil {
      plan.outline.steps[index].skip = steps[index].step.skip
    }
    self = plan.window(window)
  }
}
