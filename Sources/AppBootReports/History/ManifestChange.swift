import AppBoot
import AppBootRecords

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
    let spread = max(HistoryNoise(before).spread, HistoryNoise(after).spread)
    var change = HistoryTrend.Change(start: start, alarm: start, before: before.median, after: after.median)
    guard abs(change.fraction) >= max(leastChange, leastSpreads * spread) else { return nil }
    change.causes = StepChange.largest(
      betweenPlans: former, and: later, explaining: change.after - change.before)
    return change
  }
}

extension LaunchSummary {
  /// The branch that the launch was labelled with; `nil` for none.
  var branch: String? { label("branch") }

  /// Returns whether both launches have the same manifest and the same steps.
  fileprivate func hasPlan(of other: LaunchSummary) -> Bool {
    planDigest == other.planDigest && steps.count == other.steps.count
      && zip(steps, other.steps).allSatisfy { $0.id == $1.id }
  }
}
