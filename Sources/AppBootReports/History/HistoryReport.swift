import AppBoot
package import AppBootRecords

/// The stored launches of a manifest, with what changed: for the launch and for each step.
package struct HistoryReport: Sendable {
  /// The times of the launch or of a step.
  package struct Row: Sendable {
    /// The step's id; `nil` for the launch.
    package let step: String?
    /// The duration in each launch in nanoseconds; `nil` if the launch or the step did not succeed, and for a launch
    /// of other steps (``HistoryReport/partialCount``).
    package let times: [Int64?]
    /// The number of launches in which it failed or timed out.
    package let failures: Int
    /// The number of launches that were cancelled; `nil` for a step.
    package var cancelled: Int?
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
      guard newestCount > 0 else { return 0 }
      return Array(known.suffix(newestCount)).median - Array(known.dropLast(newestCount)).median
    }

    /// The number of newest launches in ``change``.
    private var newestCount: Int { min(Self.mostNewest, times.count { $0 != nil } / 2) }

    private static let mostNewest = 10

    /// The title of a column with ``change``, for example `last 10`.
    var changeTitle: String { newestCount > 0 ? "last \(newestCount)" : Self.changeTitle }

    /// The title of a column with ``change`` for groups, whose numbers of launches differ.
    static let changeTitle = "recent"
  }

  /// All launches, or those with one value of a label.
  package struct Group: Sendable {
    /// The label's value; `nil` for launches without the label, and for all launches.
    package let value: String?
    /// The launches, oldest first.
    package let launches: [LaunchSummary]
    /// The row of the launch.
    package let launch: Row
    /// The rows of the selected steps.
    package let steps: [Row]
    /// The branch of the newest successful launch; `nil` without the label.
    package let branch: String?
    /// The number of launches that are like the newest successful one, but of another branch.
    package let otherBranches: Int
    /// The indices of the launches that the trend was computed from: those like the newest successful launch, of the
    /// same branch.
    package let examined: [Int]
    /// The trend of the launches' times.
    package let trend: HistoryTrend

    fileprivate init(_ launches: [LaunchSummary], value: String? = nil, steps: [String]) {
      self.value = value
      self.launches = launches
      launch = HistoryReport.row(of: launches)
      self.steps = HistoryReport.rows(of: steps, in: launches)
      let newest = launches.last(where: \.succeeded)
      let similar = launches.indices.filter { newest?.isComparable(to: launches[$0]) == true }
      branch = newest?.branch
      examined = similar.filter { launches[$0].branch == newest?.branch }
      otherBranches = similar.count - examined.count
      trend = HistoryTrend(of: examined.map { launches[$0] })
    }

    /// True if these launches became slower.
    package var isSlower: Bool { trend.isSlower }
  }

  /// A label whose values differ between launches that the trend counts.
  package struct MixedLabel: Sendable, Hashable {
    package let name: String
    /// The values, in the order of their first launches.
    package let values: [String]
  }

  /// All launches, with the rows of the steps: those that were selected, or all in the order of the newest launch.
  package let all: Group
  /// The groups by a label; empty without a label.
  package let groups: [Group]
  /// The label of the groups; `nil` for no groups.
  package let label: String?
  /// True if steps were selected.
  package let isSelection: Bool
  /// The other branches whose launches became slower; empty with a label to group by.
  package let slowerBranches: [Group]
  /// The labels, apart from `branch`, that differ between the launches that the trend counts. Labels with a new value
  /// for nearly each launch, such as `commit`, are left out.
  package let mixedLabels: [MixedLabel]
  /// The last change of the manifest; `nil` if all launches have the same one.
  package let manifestChange: ManifestChange?
  /// The summary of all launches of a directory of records, of which ``launches`` are the newest; `nil` for the
  /// launches of a state directory.
  package let summary: HistorySummary?

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - launches: The launches, oldest first.
  ///   - steps: The ids of the steps to show; `nil` for all.
  ///   - label: The name of the label to group by; `nil` for no groups.
  ///   - summary: The summary of all launches of a directory of records.
  package init(
    of launches: [LaunchSummary], steps: [String]? = nil, by label: String? = nil,
    summary: HistorySummary? = nil
  ) {
    self.summary = summary
    self.label = label
    isSelection = steps != nil
    let all = Group(launches, steps: steps ?? launches.last?.steps.map(\.id) ?? [])
    self.all = all
    groups = label.map { Self.groups(of: launches, by: $0, steps ?? []) } ?? []
    let others = label == nil ? launches.filter { $0.branch != all.branch } : []
    slowerBranches = Self.groups(of: others, by: "branch", []).filter(\.isSlower)
    mixedLabels = Self.mixedLabels(of: all.examined.map { launches[$0] })
    manifestChange = launches.last(where: \.succeeded).flatMap { ManifestChange(in: launches, before: $0) }
  }

  private static func mixedLabels(of launches: [LaunchSummary]) -> [MixedLabel] {
    var values: [String: [String]] = [:]
    for label in launches.flatMap(\.labels) where label.name != "branch" {
      if values[label.name]?.contains(label.value) != true {
        values[label.name, default: []].append(label.value)
      }
    }
    return values.filter { $0.value.count > 1 && 2 * $0.value.count <= launches.count }
      .map { MixedLabel(name: $0.key, values: $0.value) }.sorted { $0.name < $1.name }
  }

  /// The launches, oldest first.
  package var launches: [LaunchSummary] { all.launches }
  /// The number of launches of the newest manifest that ran other steps than the newest launch, as with `--only`.
  var partialCount: Int { launches.count { $0.succeeded } - all.launch.times.count { $0 != nil } }
  /// True if an alarm is shown: the launches became slower. With a label, those of a group.
  package var isSlower: Bool {
    groups.isEmpty ? all.isSlower : groups.contains(where: \.isSlower)
  }

  /// The steps of the summary that were selected, or all, slowest first; empty without a summary.
  var summarySteps: [HistorySummary.Times] {
    let selection = isSelection ? Set(all.steps.map(\.step)) : nil
    return summary?.steps.filter { selection?.contains($0.step) ?? true } ?? []
  }

  /// The rows of the steps, largest change first.
  var stepsByChange: [Row] {
    all.steps.ranked { abs($0.change) }
  }

  fileprivate static func row(of launches: [LaunchSummary]) -> Row {
    let newest = launches.last(where: \.succeeded)
    return Row(
      step: nil,
      times: launches.map { launch in
        guard let newest, launch.succeeded else { return nil }
        return launch.planDigest != newest.planDigest || launch.ranSameSteps(as: newest)
          ? launch.duration : nil
      },
      failures: launches.count(where: \.failed),
      cancelled: launches.count { $0.outcome == .cancelled },
      retries: launches.reduce(0) { $0 + $1.steps.reduce(0) { $0 + max(0, $1.attempts - 1) } })
  }

  fileprivate static func rows(of ids: [String], in launches: [LaunchSummary]) -> [Row] {
    // One dictionary a launch: a search for each step would take O(n²) in the number of steps.
    let known = launches.map { launch in
      Dictionary(launch.steps.map { ($0.id, $0) }) { first, _ in first }
    }
    return ids.map { id in
      let steps = known.map { $0[id] }
      return Row(
        step: id,
        times: steps.map { $0?.time },
        failures: steps.count { $0?.state.isFailure == true },
        retries: steps.reduce(0) { $0 + max(0, ($1?.attempts ?? 0) - 1) })
    }
  }

  private static func groups(of launches: [LaunchSummary], by label: String, _ steps: [String]) -> [Group] {
    var values: [String?] = []
    for launch in launches where !values.contains(launch.label(label)) { values.append(launch.label(label)) }
    return values.map { value in
      Group(launches.filter { $0.label(label) == value }, value: value, steps: steps)
    }
  }
}
