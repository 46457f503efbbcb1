package import AppBoot

/// An estimator of the remaining time of a launch. It uses recorded durations.
package struct RemainingTime: Sendable {
  /// The maximum duration that is used: a day in nanoseconds.
  ///
  /// A longer duration comes from a damaged file. Sums of days do not overflow.
  private static let longest: Int64 = 86_400_000_000_000

  private let medians: [String: Int64]

  /// Creates an estimator.
  ///
  /// - Parameter medians: The recorded durations of the steps in nanoseconds, by step id.
  package init(medians: [String: Int64]) {
    self.medians = medians
  }

  /// Returns the estimated nanoseconds from a time in the launch to its end.
  ///
  /// Returns `nil` if the launch is being cancelled, or if a step that has not ended has no recorded duration. The
  /// estimate is the longest remaining path, and at least the remaining work of the main lane.
  package func estimate(_ record: StartupRecord, at time: Int64) -> Int64? {
    guard record.cancellation == nil else { return nil }
    var rest = [Int64](repeating: 0, count: record.count)
    var main: Int64 = 0
    for step in record where !step.state.hasEnded && step.step.skip == nil {
      guard let median = medians[step.id] else { return nil }
      let elapsed = step.execution.startTime.map { max(0, time) - $0 } ?? 0
      rest[step.index] = max(0, max(0, min(median, Self.longest)) - max(0, elapsed))
      if step.step.usesMainLane { main += rest[step.index] }
    }
    return max(main, LongestPath.remainingPaths(record.outline.graph, rest).max() ?? 0)
  }
}
