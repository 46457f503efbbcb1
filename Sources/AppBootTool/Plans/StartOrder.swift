import AppBoot
import AppBootAnalysis

/// The order in which `run` would start the steps. It uses the same number of workers and the same recorded durations.
struct StartOrder {
  /// The maximum number of background steps that run at the same time.
  let jobs: Int
  /// The recorded durations of the launch's steps in nanoseconds, by step id.
  let history: [String: Int64]

  func steps(ofLaunch plan: StartupPlan) -> [Int] { RunOrder.of(plan, jobs: jobs, history: history) }

  /// Returns the indices of the steps of an event's handlers in start order. No durations are recorded for them.
  func steps(ofEvent plan: StartupPlan) -> [Int] { RunOrder.of(plan, jobs: jobs) }
}
