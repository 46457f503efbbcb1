import AppBoot

/// The order in which `run` would start the steps, with the same workers and the same recorded durations.
struct StartOrder {
  /// The number of background steps that run at once.
  let jobs: Int
  /// Recorded durations of the launch's steps, in nanoseconds by id.
  let history: [String: Int64]

  func steps(ofLaunch plan: StartupPlan) -> [Int] { RunOrder.of(plan, jobs: jobs, history: history) }

  /// Returns the indices of an event's steps in the order of their start. No durations are recorded for these steps.
  func steps(ofEvent plan: StartupPlan) -> [Int] { RunOrder.of(plan, jobs: jobs) }
}
