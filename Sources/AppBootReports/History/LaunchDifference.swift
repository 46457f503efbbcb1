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

  /// Compares a launch with the launches before it. Returns `nil` if there is no significant difference.
  ///
  /// Counts only launches that succeeded, have the same plan and ran the same steps. The launch must be slower, or
  /// faster, than all of them. Its distance from their median must be at least five spreads, and thus 2.5 %. If enough
  /// of them are of the launch's branch, only these count.
  package init?(of launch: LaunchSummary, from former: [LaunchSummary]) {
    let all = former.filter { $0.isComparable(to: launch) }
    let own = all.filter { $0.branch == launch.branch }
    let isOwn = own.count >= Self.fewest
    let same = (isOwn ? own : all).suffix(Self.base)
    let times = same.map(\.duration)
    guard launch.succeeded, launch.duration >= Self.shortest, times.count >= Self.fewest else { return nil }
    let change = launch.duration - times.median
    guard times.allSatisfy({ change > 0 ? $0 < launch.duration : $0 > launch.duration }),
      abs(change) >= Self.leastDifference(from: times)
    else { return nil }
    self.launches = times.count
    branch = isOwn && own.count < all.count ? launch.branch : nil
    self.change = change
    causes = StepChange.largest(from: Array(same), to: [launch], explaining: change)
  }

  private static func leastDifference(from times: [Int64]) -> Int64 {
    let spread = max(leastSpread, HistoryNoise(times).spread) * Double(times.median)
    return max(leastChange, Int64(leastSpreads * spread))
  }

  /// Returns the difference in words, for example `12.0 ms slower than the last 20: index +11.0 ms`.
  ///
  /// - Parameter mark: A function that returns a step's id in the report's markup.
  package func text(ascii: Bool = false, mark: (String) -> String) -> String {
    let time = { (change: Int64) in DurationText.brief(nanoseconds: abs(change), ascii: ascii) }
    let own = branch.map { " of \(mark($0))" } ?? ""
    let words = "\(time(change)) \(change > 0 ? "slower" : "faster") than the last \(launches)\(own)"
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
