import AppBoot

/// The pairs of steps that two sets of launches share.
///
/// Steps are matched by id. A renamed step is matched by its command and its neighbours.
struct StepMatching: Sendable {
  struct Pair: Sendable {
    /// The id that reports show. It is the head's id, even after an exchange of base and head.
    let id: String
    let base: String
    let head: String
    let command: String
  }

  /// The steps that both sets have, in the order of the head.
  private(set) var pairs: [Pair] = []
  private(set) var added: [String] = []
  private(set) var removed: [String] = []
  /// The ids of the steps whose order changed, as they are in the head.
  private(set) var reordered: [String] = []

  /// The same pairs of steps with base and head exchanged.
  var exchanged: StepMatching {
    var matching = self
    matching.pairs = pairs.map { Pair(id: $0.id, base: $0.head, head: $0.base, command: $0.command) }
    (matching.added, matching.removed) = (removed, added)
    return matching
  }

  /// Matches the steps of two sets of launches.
  ///
  /// A new id does not match a removed one if the times of their steps differ by more than a factor of 2.
  init(base: LaunchSet, head: LaunchSet) {
    let (first, second) = (base.outline.map(Array.init) ?? [], head.outline.map(Array.init) ?? [])
    let baseIDs = Set(first.map(\.id))
    let headIDs = Set(second.map(\.id))
    let renamed = Self.renamed(
      Unmatched.list(first, unlike: headIDs), Unmatched.list(second, unlike: baseIDs)
    ) { former, new in
      let (then, now) = (base.running(former).median, head.running(new).median)
      return then == 0 || now == 0 || max(then, now) <= 2 * min(then, now)
    }
    for step in second {
      guard let former = baseIDs.contains(step.id) ? step.id : renamed[step.id] else {
        added.append(step.id)
        continue
      }
      pairs.append(Pair(id: step.id, base: former, head: step.id, command: step.commandName))
    }
    let former = Set(renamed.values)
    removed = first.map(\.id).filter { !headIDs.contains($0) && !former.contains($0) }
    let places = Dictionary(first.enumerated().map { ($0.element.id, $0.offset) }) { old, _ in old }
    let order = pairs.map { places[$0.base] ?? 0 }
    let kept = Set(Self.longestIncrease(of: order))
    reordered = pairs.indices.filter { !kept.contains($0) }.map { pairs[$0].head }
  }

  /// A step whose id only one side has, with the nearest steps before and after it that both sides have.
  private struct Unmatched {
    let id: String
    let command: String
    var before: String?
    var after: String?

    static func list(_ steps: [StepOutline], unlike ids: Set<String>) -> [Unmatched] {
      var before: String?
      var list: [Unmatched] = []
      var open = 0
      for step in steps {
        if ids.contains(step.id) {
          for index in open..<list.count { list[index].after = step.id }
          (before, open) = (step.id, list.count)
        } else {
          list.append(Unmatched(id: step.id, command: step.commandName, before: before))
        }
      }
      return list
    }
  }

  /// Returns the former id of each renamed step.
  ///
  /// It is the only unmatched step of the same command after the same neighbour, or else before the same neighbour. A
  /// weaker rule could match two different steps.
  private static func renamed(
    _ base: [Unmatched], _ head: [Unmatched], _ isAlike: (_ base: String, _ head: String) -> Bool
  ) -> [String: String] {
    struct Place: Hashable {
      let command: String
      let neighbour: String?
    }
    var former: [String: String] = [:]
    for neighbour in [\Unmatched.before, \Unmatched.after] {
      func places(_ steps: [Unmatched]) -> [Place: [Unmatched]] {
        Dictionary(grouping: steps) { Place(command: $0.command, neighbour: $0[keyPath: neighbour]) }
      }
      let taken = Set(former.values)
      let old = places(base.filter { !taken.contains($0.id) })
      for (place, steps) in places(head.filter { former[$0.id] == nil }) {
        guard place.neighbour != nil, steps.count == 1, let one = steps.first, let earlier = old[place],
          earlier.count == 1,
          let other = earlier.first, isAlike(other.id, one.id)
        else { continue }
        former[one.id] = other.id
      }
    }
    return former
  }

  /// Returns the indices of a longest increasing subsequence. Takes O(n log n).
  static func longestIncrease(of values: [Int]) -> [Int] {
    var tails: [Int] = []
    var previous = [Int?](repeating: nil, count: values.count)
    for (index, value) in values.enumerated() {
      var (low, high) = (0, tails.count)
      while low < high {
        let middle = (low + high) / 2
        if values[tails[middle]] < value { low = middle + 1 } else { high = middle }
      }
      previous[index] = low > 0 ? tails[low - 1] : nil
      if low == tails.count { tails.append(index) } else { tails[low] = index }
    }
    var result: [Int] = []
    var current = tails.last
    while let index = current {
      result.append(index)
      current = previous[index]
    }
    return result.reversed()
  }
}
