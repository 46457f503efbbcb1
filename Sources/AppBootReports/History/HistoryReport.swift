package import AppBoot

/// The kept launches of a manifest, with what changed: for the launch and for each step.
package struct HistoryReport: Sendable {
  /// The times of the launch or of a step.
  package struct Row: Sendable {
    /// The step's id; `nil` for the launch.
    package let step: String?
    /// The duration in each launch in nanoseconds; `nil` if the launch or the step did not succeed.
    package let times: [Int64?]
    /// The number of launches in which it failed or timed out.
    package let failures: Int
    /// The number of attempts beyond the first ones.
    package let retries: Int

    /// The newest duration in nanoseconds; `nil` without a success.
    package var newest: Int64? { times.last { $0 != nil } ?? nil }
    /// The median duration in nanoseconds; `nil` without a success.
    package var median: Int64? {
      let known = times.compactMap(\.self)
      return known.isEmpty ? nil : known.median
    }

    /// The median of the newest launches, at most ten, less the median of all before; 0 if either has none.
    package var change: Int64 {
      let known = times.compactMap(\.self)
      let count = min(10, known.count / 2)
      guard count > 0 else { return 0 }
      return Array(known.suffix(count)).median - Array(known.dropLast(count)).median
    }
  }

  /// The launches with one value of a label.
  package struct Group: Sendable {
    /// The label's value; `nil` for launches without the label.
    package let value: String?
    /// The rows of these launches: the launch, then the selected steps.
    package let rows: [Row]
    /// The number of launches.
    package let launches: Int
  }

  /// The launches, oldest first.
  package let launches: [LaunchSummary]
  /// The row of the launch.
  package let launch: Row
  /// The rows of the steps: those that were selected, or all steps in the order of the newest launch.
  package let steps: [Row]
  /// The groups by a label; empty without a label.
  package let groups: [Group]
  /// The label of the groups; `nil` for no groups.
  package let label: String?
  /// True if steps were selected.
  package let isSelection: Bool
  /// The indices of the launches that the trend was computed from: those like the newest successful launch.
  package let examined: [Int]
  /// The trend of the launches' times.
  package let trend: HistoryTrend

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - launches: The launches, oldest first.
  ///   - steps: The ids of the steps to show; `nil` for all.
  ///   - label: The name of the label to group by; `nil` for no groups.
  package init(of launches: [LaunchSummary], steps: [String]? = nil, by label: String? = nil) {
    self.launches = launches
    self.label = label
    isSelection = steps != nil
    let ids = steps ?? launches.last?.steps.map(\.id) ?? []
    launch = Self.row(of: launches)
    self.steps = Self.rows(of: ids, in: launches)
    groups = label.map { Self.groups(of: launches, by: $0, steps ?? []) } ?? []
    let newest = launches.last(where: \.succeeded)
    examined = launches.indices.filter { index in newest.map { launches[index].isComparable(to: $0) } ?? false
    }
    trend = HistoryTrend(of: examined.map { launches[$0] })
  }

  /// The changes between stretches of launches that took about the same time, for pictures (``ChangePoints``).
  ///
  /// Takes O(n²) in the number of launches.
  package var stretches: [HistoryTrend.Change] {
    let launches = examined.map { self.launches[$0] }
    let starts = ChangePoints.of(launches.map(\.duration))
    let bounds = [0] + starts + [launches.count]
    return starts.indices.map { place in
      HistoryTrend.Change(
        between: Array(launches[bounds[place]..<starts[place]]),
        and: Array(launches[starts[place]..<bounds[place + 2]]), start: starts[place])
    }
  }

  /// The rows of the steps, largest change first.
  var stepsByChange: [Row] {
    steps.enumerated().map { (size: abs($0.element.change), place: $0.offset) }
      .sorted { ($1.size, $0.place) < ($0.size, $1.place) }.map { steps[$0.place] }
  }

  private static func row(of launches: [LaunchSummary]) -> Row {
    Row(
      step: nil, times: launches.map { $0.succeeded ? $0.duration : nil },
      failures: launches.count { !$0.succeeded },
      retries: launches.reduce(0) { $0 + $1.steps.reduce(0) { $0 + max(0, $1.attempts - 1) } })
  }

  private static func rows(of ids: [String], in launches: [LaunchSummary]) -> [Row] {
    // One dictionary a launch: a search for each step would take O(n²) in the number of steps.
    let known = launches.map { launch in
      Dictionary(launch.steps.map { ($0.id, $0) }) { first, _ in first }
    }
    return ids.map { id in
      let steps = known.map { $0[id] }
      return Row(
        step: id,
        times: steps.map { step in
          step.flatMap { $0.state == .succeeded && $0.attempts > 0 ? $0.duration : nil }
        },
        failures: steps.count { $0?.state.isFailure == true },
        retries: steps.reduce(0) { $0 + max(0, ($1?.attempts ?? 0) - 1) })
    }
  }

  private static func groups(of launches: [LaunchSummary], by label: String, _ steps: [String]) -> [Group] {
    var values: [String?] = []
    for launch in launches where !values.contains(launch.label(label)) { values.append(launch.label(label)) }
    return values.map { value in
      let part = launches.filter { $0.label(label) == value }
      return Group(value: value, rows: [row(of: part)] + rows(of: steps, in: part), launches: part.count)
    }
  }
}
