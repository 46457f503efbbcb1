/// A search for the known name that is closest to a mistyped name.
///
/// The distance of two names is optimal string alignment, the restricted Damerau-Levenshtein distance: each insertion,
/// deletion, substitution and swap of neighbours costs one. Upper and lower case count as the same letter.
package struct ClosestName: Sendable {
  /// The maximum length of names whose distance is computed. Longer names are only compared for equality, which is
  /// fast.
  private static let longestName = 96

  private let candidates: [String]
  private let folded: [[Unicode.Scalar]]

  /// Creates a search among candidates. If two candidates are equally close to a name, the earlier one is found.
  package init(among candidates: some Sequence<String>) {
    self.candidates = Array(candidates)
    self.folded = self.candidates.map(ClosestName.fold)
  }

  /// Returns the candidate closest to a name; `nil` if each differs by more than about a third of its length.
  package static func to(_ name: String, among candidates: some Sequence<String>) -> String? {
    ClosestName(among: candidates).match(for: name)
  }

  /// Returns the candidate closest to a name; `nil` if each differs by more than a number of letters.
  static func to(
    _ name: String, among candidates: some Sequence<String>, differingAtMost limit: Int
  ) -> String? {
    guard let closest = to(name, among: candidates) else { return nil }
    return distance(fold(name), fold(closest), limit: limit) == nil ? nil : closest
  }

  /// Returns the candidate closest to a name; `nil` if no candidate is close. Takes O(candidates × length × threshold).
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

  /// Returns the candidates that are nearest to a name, in their original order. If there are at most `count`, returns
  /// all.
  package func nearest(_ count: Int, to name: String) -> [String] {
    guard candidates.count > count else { return candidates }
    let wanted = ClosestName.fold(name)
    var best: [(distance: Int, index: Int)] = []
    for (index, candidate) in folded.enumerated() {
      guard max(wanted.count, candidate.count) <= ClosestName.longestName else { continue }
      let limit = best.count < count ? ClosestName.longestName : best[count - 1].distance - 1
      guard limit >= 0, let distance = ClosestName.distance(wanted, candidate, limit: limit) else { continue }
      let place = best.firstIndex { $0.distance > distance } ?? best.endIndex
      best.insert((distance, index), at: place)
      if best.count > count { best.removeLast() }
    }
    var chosen = Set(best.map(\.index))
    for index in candidates.indices {
      guard chosen.count < count else { break }
      chosen.insert(index)
    }
    return chosen.sorted().map { candidates[$0] }
  }

  /// Returns the maximum distance of two close names: a third of the longer name, at least 1; 0 for names of one
  /// letter.
  private static func threshold(_ first: Int, _ second: Int) -> Int {
    let longest = max(first, second)
    return longest < 2 ? 0 : max(1, longest / 3)
  }

  /// Returns the letters of a name in lower case.
  ///
  /// A name of more than 4 × ``longestName`` bytes is not changed: it is too long to compute its distance.
  private static func fold(_ name: String) -> [Unicode.Scalar] {
    guard name.utf8.count > 4 * longestName else { return Array(name.lowercased().unicodeScalars) }
    return Array(name.unicodeScalars)
  }

  /// Returns the distance of two names; `nil` if the distance exceeds the limit.
  ///
  /// It compares only letters whose positions differ by at most the limit. Other pairs of letters cannot give a
  /// distance within the limit.
  static func distance(_ first: [Unicode.Scalar], _ second: [Unicode.Scalar], limit: Int) -> Int? {
    guard abs(first.count - second.count) <= limit else { return nil }
    let far = limit + 1
    var beforePrevious = [Int](repeating: far, count: second.count + 1)
    var previous = (0...second.count).map { min($0, far) }
    var current = beforePrevious
    var (low, lower) = (0, 0)
    for (row, letter) in first.enumerated() {
      let columns = max(0, row - limit)..<max(min(second.count, row + limit + 1), max(0, row - limit))
      current[columns.lowerBound] = columns.lowerBound == 0 ? min(row + 1, far) : far
      (lower, low) = (low, current[columns.lowerBound])
      for column in columns {
        let other = second[column]
        var cost = min(previous[column + 1] + 1, current[column] + 1)
        cost = min(cost, previous[column] + (letter == other ? 0 : 1))
        if row > 0, column > 0, letter == second[column - 1], first[row - 1] == other {
          cost = min(cost, beforePrevious[column - 1] + 1)
        }
        current[column + 1] = cost
        low = min(low, cost)
      }
      if columns.upperBound < second.count { current[columns.upperBound + 1] = far }
      // A swap reaches back two rows, so both must be past the limit.
      if min(low, lower) > limit { return nil }
      (beforePrevious, previous, current) = (previous, current, beforePrevious)
    }
    return previous[second.count] <= limit ? previous[second.count] : nil
  }
}
