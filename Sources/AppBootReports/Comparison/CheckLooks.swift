/// The numbers of launches after which a check compares its launches with the base.
///
/// The first is the requested number; each further one has half as many more, and at least five, up to a limit. A
/// check ends at the first look that shows no reason for more launches, or a slowdown that is certain. The looks
/// before the last share ``Comparison/Options/earlyLevel`` (Bonferroni), so a check has at most the false alarms of
/// both levels together.
package struct CheckLooks: Sendable {
  /// The numbers of launches at the looks, ascending.
  let counts: [Int]

  /// Creates the looks of a check.
  ///
  /// - Parameters:
  ///   - runs: The number of launches at the first look, at least 1.
  ///   - limit: The number of launches at the last look.
  package init(runs: Int, limit: Int) {
    var counts = [max(1, runs)]
    while let last = counts.last, last < limit { counts.append(min(limit, last + max(5, last / 2))) }
    self.counts = counts
  }

  /// The number of launches at the first look.
  package var first: Int { counts[0] }

  /// Returns the number of launches at the next look; `nil` if the check can end with this comparison.
  ///
  /// - Parameters:
  ///   - comparison: The comparison of all launches so far.
  ///   - goal: The number of launches of the look that is over; `nil` for those of the comparison.
  package func next(after comparison: Comparison, goal: Int? = nil) -> Int? {
    guard comparison.needsMoreLaunches, !comparison.isCertain(looks: counts.count - 1) else { return nil }
    return counts.first { $0 > goal ?? comparison.head.launches }
  }
}
