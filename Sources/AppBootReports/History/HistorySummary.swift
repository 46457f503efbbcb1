import AppBoot
package import AppBootRecords

/// The numbers of many launches: the failures, and the percentiles of the times of the launch and of each step.
package struct HistorySummary: Sendable {
  /// The percentiles of the times of the launch or of a step, in nanoseconds.
  package struct Times: Sendable, Hashable {
    /// The step's id; `nil` for the launch.
    package let step: String?
    /// The number of launches in which it succeeded.
    package let launches: Int
    /// The 50th, 90th and 99th percentile.
    package let percentiles: [Int64]

    fileprivate init(_ step: String?, _ times: [Int64]) {
      (self.step, launches) = (step, times.count)
      percentiles = times.percentiles(HistorySummary.percents)
    }
  }

  /// A value of a label whose launches fail more often than all others.
  package struct Failing: Sendable {
    /// The value; `nil` for launches without the label.
    package let value: String?
    package let own: StateCount
    package let others: StateCount
  }

  /// The percentages of the percentiles.
  package static let percents = [50, 90, 99]

  /// The start of the first launch as RFC 3339; `nil` without launches.
  package private(set) var since: String?
  /// The numbers of succeeded and failed launches.
  package private(set) var outcomes = StateCount()
  /// The number of cancelled launches.
  package private(set) var cancelled = 0
  private var durations: [Int64] = []
  private var times: [String: [Int64]] = [:]
  private var groups: [String?: StateCount] = [:]
  private let label: String?

  /// Creates the summary of launches.
  ///
  /// - Parameter label: The name of the label whose values are compared by their failures; `nil` for none.
  package init(of launches: [LaunchSummary] = [], by label: String? = nil) {
    self.label = label
    for launch in launches { add(launch) }
  }

  /// Adds a launch. Only the numbers are stored.
  package mutating func add(_ launch: LaunchSummary) {
    if !launch.startedAt.isEmpty { since = min(since ?? launch.startedAt, launch.startedAt) }
    if launch.outcome == .cancelled {
      cancelled += 1
    } else {
      let state = launch.succeeded ? StateCount.succeeded : "failed"
      outcomes.add(state)
      if let label { groups[launch.label(label), default: StateCount()].add(state) }
    }
    if launch.succeeded { durations.append(launch.duration) }
    for step in launch.steps {
      if let time = step.time { times[step.id, default: []].append(time) }
    }
  }

  /// The number of all launches.
  package var total: Int { outcomes.total + cancelled }

  /// The times of the launches that succeeded.
  package var launch: Times { Times(nil, durations) }

  /// The times of the steps, slowest by the 90th percentile first.
  package var steps: [Times] {
    times.map(Times.init).sorted {
      ($1.percentiles[1], $0.step ?? "") < ($0.percentiles[1], $1.step ?? "")
    }
  }

  /// The values of the label whose share of failures is significantly larger than that of all other launches, largest
  /// share first.
  package var failing: [Failing] {
    groups.compactMap { value, own in
      let others = outcomes.without(own)
      let isFailing = FisherTest.isLarger(own, than: others, level: FisherTest.level / Double(groups.count))
      return isFailing ? Failing(value: value, own: own, others: others) : nil
    }
    .sorted { ($1.share, $0.value ?? "") < ($0.share, $1.value ?? "") }
  }
}

extension HistorySummary.Failing {
  fileprivate var share: Double { Double(own.failures) / Double(max(1, own.total)) }
}

extension LaunchSummary {
  /// True if the launch did not succeed. A cancelled launch counts neither as a failure nor as a success.
  var failed: Bool { !succeeded && outcome != .cancelled }
}

extension LaunchSummary.Step {
  /// The step's duration in nanoseconds; `nil` if it did not succeed or did not run.
  var time: Int64? { state == .succeeded && attempts > 0 ? duration : nil }
}
