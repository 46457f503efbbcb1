package import AppBoot

extension StartupPlan {
  /// Creates a launch of steps, for this package's tests.
  ///
  /// - Parameter steps: The steps, each with the ids of the steps that must come before it; `nil` means the step before
  ///   it.
  /// - Throws: ``PlanMistakes``.
  package init(
    name: String = "launch", steps: [(step: StartupStep, after: [String]?)],
    options: LaunchOptions = LaunchOptions(), window: (any AppWindow)? = nil,
    state: any StateStore = MemoryStateStore(), timeout: Duration? = nil
  ) throws {
    try self.init(name, timeout: timeout, options: options, window: window, state: state) {
      for (step, ids) in steps { Step(step, after: ids) }
    }
  }
}
