import AppBoot
package import AppBootRecords

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
    let changes = (former.suffix(recent) + [launch]).map { $0.duration - times.median }
    let change = changes[recent]
    let least = leastDifference(from: times)
    let limit = changes.dropLast().map(abs).max().map { $0 + least } ?? .max
    let farthest = times.map { change > 0 ? $0 - times.median : times.median - $0 }.max() ?? 0
    return abs(change) < limit
      && changes.allSatisfy { ($0 > 0) == (change > 0) && abs($0) > farthest && abs($0) >= least }
  }

  private static func leastDifference(from times: [Int64]) -> Int64 {
    let spread = max(leastSpread, HistoryNoise(times).spread) * Double(times.median)
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
}
