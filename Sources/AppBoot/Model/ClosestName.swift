/// The search for the known name that is closest to a mistyped one.
///
/// Distance is optimal string alignment, the restricted Damerau-Levenshtein distance: insertions, deletions,
/// substitutions and swaps of neighbours each cost one. Upper and lower case count as the same letter.
package struct ClosestName: Sendable {
  /// Longer names are only compared for equality, so that absurd input stays cheap.
  private static let longestName = 96

  private let candidates: [String]
  private let folded: [[Unicode.Scalar]]

  /// Prepares the names to choose from; on a tie the earlier one wins.
  package init(among candidates: some Sequence<String>) {
    self.candidates = Array(candidates)
    self.folded = self.candidates.map(ClosestName.fold)
  }

  /// Returns the candidate closest to a name; `nil` if all differ by more than about a third of their length.
  package static func to(_ name: String, among candidates: some Sequence<String>) -> String? {
    ClosestName(among: candidates).match(for: name)
  }

  /// Returns the candidate closest to a name; `nil` if no candidate is close. O(candidates × length × threshold)
  package func match(for name: String) -> String? {
    let wanted = ClosestName.fold(name)
    guard !wanted.isEmpty else { return nil }
    if let same = folded.firstIndex(of: wanted) { return candidates[same] }
    guard wanted.count <= ClosestName.longestName else { return nil }

    var best: (index: Int, distance: Int)?
    for (index, candidate) in folded.enumerated() where candidate.count <= ClosestName.longestName {
      let allowed = ClosestName.threshold(wanted.count, candidate.count)
      let limit = min(allowed, (best?.distance).map { $0 - 1 } ?? allowed)
      guard limit > 0, let distance = ClosestName.distance(wanted, candidate, limit: limit) else { continue }
      best = (index, distance)
    }
    return best.map { candidates[$0.index] }
  }

  /// The largest distance that counts as close: a third of the longer name, at least 1; 0 for names of one letter.
  private static func threshold(_ first: Int, _ second: Int) -> Int {
    let longest = max(first, second)
    return longest < 2 ? 0 : max(1, longest / 3)
  }

  /// Returns the lower-case letters, cut off one letter past the longest name that is compared.
  private static func fold(_ name: String) -> [Unicode.Scalar] {
    guard name.utf8.count > 4 * longestName else { return Array(name.lowercased().unicodeScalars) }
    return Array(name.unicodeScalars)
  }

  /// Returns the distance of two names; `nil` if it exceeds the limit.
  static func distance(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar], limit: Int) -> Int? {
    guard abs(first.count - second.count) <= limit else { return nil }
    var beforePrevious = [Int](repeating: 0, count: second.count + 1)
    var previous = Array(0...second.count)
    var current = beforePrevious
    for (row, letter) in first.enumerated() {
      current[0] = row + 1
      for (column, other) in second.enumerated() {
        var cost = min(previous[column + 1] + 1, current[column] + 1)
        cost = min(cost, previous[column] + (letter == other ? 0 : 1))
        if row > 0, column > 0, letter == second[column - 1], first[row - 1] == other {
          cost = min(cost, beforePrevious[column - 1] + 1)
        }
        current[column + 1] = cost
      }
      // A swap reaches back two rows, so both must be past the limit.
      if let low = current.min(), let lower = previous.min(), min(low, lower) > limit { return nil }
      (beforePrevious, previous, current) = (previous, current, beforePrevious)
    }
    return previous[second.count] <= limit ? previous[second.count] : nil
  }
}
