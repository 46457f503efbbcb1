import AppBoot
package import AppBootRecords

/// The change of a step's time between launches.
package struct StepChange: Sendable, Hashable {
  /// The minimum share of the launch's change that a step must have to be named.
  private static let leastShare = 0.2
  /// The maximum number of steps that are named.
  private static let mostSteps = 2

  /// The step's id.
  package let id: String
  /// The change of the median of the step's time in nanoseconds.
  package let change: Int64

  /// Returns the steps that changed most in the direction of the launch, largest change first.
  ///
  /// - Parameters:
  ///   - former: The launches before the change.
  ///   - later: The launches after it, which ran the same steps.
  ///   - total: The change of the launch's time in nanoseconds.
  static func largest(
    from former: [LaunchSummary], to later: [LaunchSummary], explaining total: Int64
  ) -> [StepChange] {
    let steps = later.first?.steps ?? []
    let changes = steps.indices.map { index in
      let (before, after) = (
        former.map { $0.steps[index].duration }.median, later.map { $0.steps[index].duration }.median
      )
      return StepChange(id: steps[index].id, change: after - before)
    }
    return largest(of: changes, explaining: total)
  }

  /// Returns the steps that changed most in the direction of the launch, also those that were added or removed.
  ///
  /// - Parameters:
  ///   - former: Launches of one plan.
  ///   - later: Launches of another plan.
  ///   - total: The change of the launch's time in nanoseconds.
  static func largest(
    betweenPlans former: [LaunchSummary], and later: [LaunchSummary], explaining total: Int64
  ) -> [StepChange] {
    func medians(_ launches: [LaunchSummary]) -> [String: Int64] {
      Dictionary(grouping: launches.flatMap(\.steps), by: \.id).mapValues { $0.map(\.duration).median }
    }
    let (before, after) = (medians(former), medians(later))
    let ids = Set(before.keys).union(after.keys).sorted()
    return largest(
      of: ids.map { StepChange(id: $0, change: (after[$0] ?? 0) - (before[$0] ?? 0)) }, explaining: total)
  }

  private static func largest(of all: [StepChange], explaining total: Int64) -> [StepChange] {
    let sign: Int64 = total < 0 ? -1 : 1
    let least = max(1, Double(abs(total)) * leastShare)
    let alike = all.filter { Double(sign * $0.change) >= least }
    return Array(alike.ranked { sign * $0.change }.prefix(mostSteps))
  }

  /// Returns changes in words, for example `index +11.0 ms, fetch +2.0 ms`.
  ///
  /// - Parameter mark: A function that returns a step's id in the report's markup.
  static func text(_ changes: [StepChange], ascii: Bool, mark: (String) -> String) -> String {
    changes.map { step in
      let sign = step.change < 0 ? (ascii ? "-" : "−") : "+"
      return "\(mark(step.id)) \(sign)\(DurationText.brief(nanoseconds: abs(step.change), ascii: ascii))"
    }.joined(separator: ", ")
  }
}

/// The difference of a launch's time from the launches before it. It exists only if it is significant.
package struct LaunchDifference: Sendable {
  /// The number of launches to compare with.
  package static let base = 20
  /// The minimum number of launches to compare with.
  package static let fewest = 8
  /// The minimum duration of a launch that is compared, in nanoseconds. Reading the history would slow shorter ones.
  package static let shortest: Int64 = 30_000_000
  /// The minimum difference from the median, in spreads of the launches before.
  private static let leastSpreads = 5.0
  /// The minimum spread that counts, as a fraction of the median.
  private static let leastSpread = 0.005
  /// The minimum difference in nanoseconds.
  private static let leastChange: Int64 = 1_000_000

  /// The number of launches that it was compared with.
  package let launches: Int
  /// The difference from their median in nanoseconds; positive if the launch is slower.
  package let change: Int64
  /// The branch of the launches that it was compared with, if launches of other branches were left out.
  private let branch: String?
  private let causes: [StepChange]
  /// The number of launches just before this one that have the same difference. They are left out of the comparison.
  private let recent: Int

  /// Compares a launch with the launches before it. Returns `nil` if there is no significant difference.
  ///
  /// Counts only launches that succeeded, have the same plan and ran the same steps. The launch must be slower, or
  /// faster, than all of them. Its distance from their median must be at least five spreads, and thus 2.5 %. If enough
  /// of them are of the launch's branch, only these count. If the launches just before it differ from earlier ones
  /// in the same way, it is compared with the earlier ones.
  package init?(of launch: LaunchSummary, from former: [LaunchSummary]) {
    let all = former.filter { $0.isComparable(to: launch) }
    let own = all.filter { $0.branch == launch.branch }
    let isOwn = own.count >= Self.fewest
    let same = isOwn ? own : all
    guard launch.succeeded, launch.duration >= Self.shortest,
      let recent = (0...Self.base - Self.fewest).last(where: {
        Self.isDifferent(launch, from: same, after: $0)
      })
    else { return nil }
    let before = same.dropLast(recent).suffix(Self.base)
    self.recent = recent
    launches = before.count
    branch = isOwn && own.count < all.count ? launch.branch : nil
    change = launch.duration - before.map(\.duration).median
    causes = StepChange.largest(from: Array(before), to: [launch], explaining: change)
  }

  /// Returns whether a launch and the `recent` launches just before it all differ from those before them.
  ///
  /// A launch that differs even more than the recent ones has a new difference.
  private static func isDifferent(
    _ launch: LaunchSummary, from former: [LaunchSummary], after recent: Int
  ) -> Bool {
    let times = former.dropLast(recent).suffix(base).map(\.duration)
    guard times.count >= fewest else { return false }
    let median = times.median
    let changes = (former.suffix(recent) + [launch]).map { $0.duration - median }
    let change = changes[recent]
    let least = leastDifference(from: times)
    let limit = changes.dropLast().map(abs).max().map { $0 + least } ?? .max
    let farthest = times.map { change > 0 ? $0 - median : median - $0 }.max() ?? 0
    return abs(change) < limit
      && changes.allSatisfy { ($0 > 0) == (change > 0) && abs($0) > farthest && abs($0) >= least }
  }

  private static func leastDifference(from times: [Int64]) -> Int64 {
    let spread = max(leastSpread, times.spread) * Double(times.median)
    return max(leastChange, Int64(leastSpreads * spread))
  }

  /// Returns the difference in words, for example `12.0 ms slower than the last 20: index +11.0 ms`, or `still 12.0 ms
  /// slower than the 20 launches before the last 2`.
  ///
  /// - Parameter mark: A function that returns a step's id in the report's markup.
  package func text(ascii: Bool = false, mark: (String) -> String) -> String {
    let time = { (change: Int64) in DurationText.brief(nanoseconds: abs(change), ascii: ascii) }
    let own = branch.map { " of \(mark($0))" } ?? ""
    let last = recent == 1 ? "one" : "\(recent)"
    let former = recent == 0 ? "last \(launches)\(own)" : "\(launches) launches\(own) before the last \(last)"
    let slower = "\(time(change)) \(change > 0 ? "slower" : "faster")"
    let words = "\(recent == 0 ? "" : "still ")\(slower) than the \(former)"
    return causes.isEmpty ? words : words + ": " + StepChange.text(causes, ascii: ascii, mark: mark)
  }
}

extension LaunchSummary {
  /// Returns whether both launches succeeded, have the same plan and ran the same steps.
  package func isComparable(to other: LaunchSummary) -> Bool {
    succeeded && other.succeeded && planDigest == other.planDigest && ranSameSteps(as: other)
  }

  /// Returns whether both launches have the same steps, and ran the same ones.
  func ranSameSteps(as other: LaunchSummary) -> Bool {
    steps.count == other.steps.count
      && zip(steps, other.steps).allSatisfy { $0.id == $1.id && ($0.attempts == 0) == ($1.attempts == 0) }
  }

  /// The branch that the launch was labelled with; `nil` for none.
  var branch: String? { label("branch") }

  /// Returns whether both launches have the same manifest and the same steps.
  fileprivate func hasPlan(of other: LaunchSummary) -> Bool {
    planDigest == other.planDigest && steps.count == other.steps.count
      && zip(steps, other.steps).allSatisfy { $0.id == $1.id }
  }
}

/// The last change of the manifest in a history, with the times before and after it.
///
/// A trend counts only launches of one manifest, so it cannot show a change of time that came with another manifest.
package struct ManifestChange: Sendable {
  /// The number of launches before the change, and since then, that make a difference of the times known.
  private static let fewest = 5
  /// The maximum number of launches before the change that count.
  private static let mostFormer = 20
  /// The minimum difference, as a fraction of the time before and in spreads of the times.
  private static let (leastChange, leastSpreads) = (0.03, 2.0)

  /// The index of the first launch of the present manifest, among all launches.
  package let launch: Int
  /// The difference of the times; `nil` if it is not known, or no larger than the noise.
  package let change: HistoryTrend.Change?

  /// Finds the last change of the manifest before a launch. Returns `nil` if no launch has another manifest.
  ///
  /// - Parameters:
  ///   - launches: All launches, oldest first.
  ///   - newest: The newest successful launch.
  init?(in launches: [LaunchSummary], before newest: LaunchSummary) {
    let counted = launches.indices.filter { launches[$0].succeeded && launches[$0].branch == newest.branch }
    guard let last = counted.last(where: { !launches[$0].hasPlan(of: newest) }),
      let start = counted.first(where: { $0 > last })
    else { return nil }
    launch = start
    let former = counted.filter { $0 <= last && launches[$0].isComparable(to: launches[last]) }
      .suffix(Self.mostFormer).map { launches[$0] }
    let later = counted.filter { $0 >= start && launches[$0].isComparable(to: newest) }.map { launches[$0] }
    change = Self.difference(from: former, to: later, start: start)
  }

  private static func difference(
    from former: [LaunchSummary], to later: [LaunchSummary], start: Int
  ) -> HistoryTrend.Change? {
    guard former.count >= fewest, later.count >= fewest else { return nil }
    let (before, after) = (former.map(\.duration), later.map(\.duration))
    let spread = max(before.spread, after.spread)
    var change = HistoryTrend.Change(start: start, alarm: start, before: before.median, after: after.median)
    guard abs(change.fraction) >= max(leastChange, leastSpreads * spread) else { return nil }
    change.causes = StepChange.largest(
      betweenPlans: former, and: later, explaining: change.after - change.before)
    return change
  }
}
