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

  /// The launches with one value of a label.
  package struct Group: Sendable {
    /// The label's value; `nil` for launches without the label.
    package let value: String?
    /// The rows of these launches: the launch, then the selected steps.
    package let rows: [Row]
    /// The launches, oldest first.
    package let launches: [LaunchSummary]
    /// The indices of the launches that the trend was computed from, among ``launches``.
    package let examined: [Int]
    /// The trend of the launches' times.
    package let trend: HistoryTrend

    /// True if these launches became slower.
    package var isSlower: Bool { trend.isSlower }
  }

  /// A label whose values differ between launches that the trend counts.
  package struct MixedLabel: Sendable, Hashable {
    package let name: String
    /// The values, in the order of their first launches.
    package let values: [String]
  }

  /// The launches, oldest first.
  package let launches: [LaunchSummary]
  /// The row of the launch.
  package let launch: Row
  /// The number of launches of the newest manifest that ran other steps than the newest launch, as with `--only`.
  package let partialCount: Int
  /// The rows of the steps: those that were selected, or all steps in the order of the newest launch.
  package let steps: [Row]
  /// The groups by a label; empty without a label.
  package let groups: [Group]
  /// The label of the groups; `nil` for no groups.
  package let label: String?
  /// True if steps were selected.
  package let isSelection: Bool
  /// The indices of the launches that the trend was computed from: those like the newest successful launch, of the same
  /// branch.
  package let examined: [Int]
  /// The branch of the launches in ``examined``; `nil` for launches without the label.
  package let branch: String?
  /// The number of launches that are like the newest successful one, but of another branch.
  package let otherBranches: Int
  /// The other branches whose launches became slower; empty with a label to group by.
  package let slowerBranches: [Group]
  /// The labels, apart from `branch`, that differ between the launches in ``examined``. Labels with a new value for
  /// nearly each launch, such as `commit`, are left out.
  package let mixedLabels: [MixedLabel]
  /// The last change of the manifest; `nil` if all launches have the same one.
  package let manifestChange: ManifestChange?
  /// The trend of the launches' times.
  package let trend: HistoryTrend
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
    self.launches = launches
    self.summary = summary
    self.label = label
    isSelection = steps != nil
    let ids = steps ?? launches.last?.steps.map(\.id) ?? []
    launch = Self.row(of: launches)
    partialCount = launches.count { $0.succeeded } - launch.times.count { $0 != nil }
    self.steps = Self.rows(of: ids, in: launches)
    groups = label.map { Self.groups(of: launches, by: $0, steps ?? []) } ?? []
    let newest = launches.last(where: \.succeeded)
    let similar = Self.similar(launches)
    let examined = similar.filter { launches[$0].branch == newest?.branch }
    self.examined = examined
    branch = newest?.branch
    otherBranches = similar.count - examined.count
    slowerBranches = label == nil ? Self.slowerBranches(of: launches, except: newest?.branch) : []
    mixedLabels = Self.mixedLabels(of: examined.map { launches[$0] })
    manifestChange = newest.flatMap { ManifestChange(in: launches, before: $0) }
    trend = HistoryTrend(of: examined.map { launches[$0] })
  }

  /// Returns the indices of the launches that are like the newest successful one.
  private static func similar(_ launches: [LaunchSummary]) -> [Int] {
    guard let newest = launches.last(where: \.succeeded) else { return [] }
    return launches.indices.filter { launches[$0].isComparable(to: newest) }
  }

  private static func slowerBranches(of launches: [LaunchSummary], except branch: String?) -> [Group] {
    guard Set(launches.map(\.branch)).count > 1 else { return [] }
    return groups(of: launches, by: "branch", []).filter { $0.value != branch && $0.isSlower }
  }

  private static func mixedLabels(of launches: [LaunchSummary]) -> [MixedLabel] {
    var values: [String: [String]] = [:]
    var seen: [String: Set<String>] = [:]
    for label in launches.flatMap(\.labels) where label.name != "branch" {
      if seen[label.name, default: []].insert(label.value).inserted {
        values[label.name, default: []].append(label.value)
      }
    }
    return values.filter { $0.value.count > 1 && 2 * $0.value.count <= launches.count }
      .map { MixedLabel(name: $0.key, values: $0.value) }.sorted { $0.name < $1.name }
  }

  /// True if an alarm is shown: the launches became slower. With a label, those of a group.
  package var isSlower: Bool {
    groups.isEmpty ? trend.isSlower : groups.contains(where: \.isSlower)
  }

  /// The steps of the summary that were selected, or all, slowest first; empty without a summary.
  var summarySteps: [HistorySummary.Times] {
    let selection = isSelection ? Set(steps.map(\.step)) : nil
    return summary?.steps.filter { selection?.contains($0.step) ?? true } ?? []
  }

  /// The rows of the steps, largest change first.
  var stepsByChange: [Row] {
    steps.enumerated().map { (size: abs($0.element.change), place: $0.offset) }
      .sorted { ($1.size, $0.place) < ($0.size, $1.place) }.map { steps[$0.place] }
  }

  private static func row(of launches: [LaunchSummary]) -> Row {
    let newest = launches.last(where: \.succeeded)
    return Row(
      step: nil,
      times: launches.map { launch in
        guard let newest, launch.succeeded else { return nil }
        return launch.planDigest != newest.planDigest || launch.ranSameSteps(as: newest)
          ? launch.duration : nil
      },
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
        times: steps.map { $0?.time },
        failures: steps.count { $0?.state.isFailure == true },
        retries: steps.reduce(0) { $0 + max(0, ($1?.attempts ?? 0) - 1) })
    }
  }

  private static func groups(of launches: [LaunchSummary], by label: String, _ steps: [String]) -> [Group] {
    var values: [String?] = []
    for launch in launches where !values.contains(launch.label(label)) { values.append(launch.label(label)) }
    return values.map { value in
      let part = launches.filter { $0.label(label) == value }
      let branch = part.last(where: \.succeeded)?.branch
      let examined = similar(part).filter { part[$0].branch == branch }
      return Group(
        value: value, rows: [row(of: part)] + rows(of: steps, in: part), launches: part, examined: examined,
        trend: HistoryTrend(of: examined.map { part[$0] }))
    }
  }
}
