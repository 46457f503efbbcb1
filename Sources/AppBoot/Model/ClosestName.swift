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
  package static func to(
    _ name: String, among candidates: some Sequence<String>, differingAtMost limit: Int
  ) -> String? {
    guard let closest = to(name, among: candidates) else { return nil }
    return distance(fold(name), fold(closest), limit: limit) == nil ? nil : closest
  }

  /// Returns the candidate closest to a name; `nil` if no candidate is close. Takes O(candidates × length²).
  package func match(for name: String) -> String? {
    let wanted = ClosestName.fold(name)
    guard !wanted.isEmpty else { return nil }
    if let same = folded.firstIndex(of: wanted) { return candidates[same] }
    var best: (index: Int, distance: Int)?
    for (index, other) in folded.enumerated() {
      let limit = min(ClosestName.threshold(wanted.count, other.count), best.map { $0.distance - 1 } ?? .max)
      if let distance = ClosestName.distance(wanted, other, limit: limit) { best = (index, distance) }
    }
    return best.map { candidates[$0.index] }
  }

  /// Returns the candidates that are nearest to a name, in their original order. If there are at most `count`, returns
  /// all.
  package func nearest(_ count: Int, to name: String) -> [String] {
    let wanted = ClosestName.fold(name)
    // The nearest candidates so far, from the nearest to the farthest.
    var nearest: [(index: Int, distance: Int)] = []
    for (index, other) in folded.enumerated() {
      let farthest = nearest.count < count ? nil : nearest.last?.distance
      let limit = min(ClosestName.longestName, farthest.map { $0 - 1 } ?? .max)
      let distance = ClosestName.distance(wanted, other, limit: limit)
      guard distance != nil || nearest.count < count else { continue }
      let place = nearest.firstIndex { $0.distance > distance ?? .max } ?? nearest.count
      nearest.insert((index, distance ?? .max), at: place)
      if nearest.count > count { nearest.removeLast() }
    }
    return nearest.map(\.index).sorted().map { candidates[$0] }
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
    Array((name.utf8.count > 4 * longestName ? name : name.lowercased()).unicodeScalars)
  }

  /// Returns the distance of two names; `nil` if the distance exceeds the limit, or if a name is too long.
  private static func distance(
    _ first: [Unicode.Scalar], _ second: [Unicode.Scalar], limit: Int
  ) -> Int? {
    guard max(first.count, second.count) <= longestName, abs(first.count - second.count) <= limit else {
      return nil
    }
    var beforePrevious: [Int] = []
    var previous = Array(0...second.count)
    for (row, letter) in first.enumerated() {
      var current = [row + 1]
      current.reserveCapacity(previous.count)
      for (column, other) in second.enumerated() {
        var cost = min(previous[column + 1], current[column]) + 1
        cost = min(cost, previous[column] + (letter == other ? 0 : 1))
        if row > 0, column > 0, letter == second[column - 1], first[row - 1] == other {
          cost = min(cost, beforePrevious[column - 1] + 1)
        }
        current.append(cost)
      }
      // A swap reaches back two rows, so both must be past the limit.
      guard previous.contains(where: { $0 <= limit }) || current.contains(where: { $0 <= limit }) else {
        return nil
      }
      (beforePrevious, previous) = (previous, current)
    }
    return previous[second.count] <= limit ? previous[second.count] : nil
  }
}
