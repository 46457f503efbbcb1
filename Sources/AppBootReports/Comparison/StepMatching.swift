import AppBoot

/// Which step of one plan is which of another: by id, and where that is new, by command and place.
struct StepMatching {
  struct Pair {
    let base: String
    let head: String
    let command: String
  }

  /// The steps that both have, in the head's order.
  private(set) var pairs: [Pair] = []
  private(set) var added: [String] = []
  private(set) var removed: [String] = []
  /// The ids in the head of those that stand in another order.
  private(set) var reordered: [String] = []

  init(base: StartupPlan?, head: StartupPlan?) {
    let (first, second) = (base.map(Array.init) ?? [], head.map(Array.init) ?? [])
    let baseIDs = Set(first.map(\.id))
    let headIDs = Set(second.map(\.id))
    let renamed = Self.renamed(
      Unmatched.list(first, unlike: headIDs), Unmatched.list(second, unlike: baseIDs))
    for step in second {
      guard let former = baseIDs.contains(step.id) ? step.id : renamed[step.id] else {
        added.append(step.id)
        continue
      }
      pairs.append(Pair(base: former, head: step.id, command: step.commandName))
    }
    let former = Set(renamed.values)
    removed = first.map(\.id).filter { !headIDs.contains($0) && !former.contains($0) }
    let places = Dictionary(first.enumerated().map { ($0.element.id, $0.offset) }) { old, _ in old }
    let order = pairs.map { places[$0.base] ?? 0 }
    let kept = Set(Self.longestIncrease(of: order))
    reordered = pairs.indices.filter { !kept.contains($0) }.map { pairs[$0].head }
  }

  /// A step whose id the other side does not have, with the nearest one before it that it has.
  private struct Unmatched {
    let id: String
    let command: String
    let neighbour: String?

    static func list(_ steps: [StartupStep], unlike ids: Set<String>) -> [Unmatched] {
      var neighbour: String?
      return steps.compactMap { step in
        guard !ids.contains(step.id) else {
          neighbour = step.id
          return nil
        }
        return Unmatched(id: step.id, command: step.commandName, neighbour: neighbour)
      }
    }
  }

  /// The former id of each new one: the same command, as many of it as before, or else at the same place.
  private static func renamed(_ base: [Unmatched], _ head: [Unmatched]) -> [String: String] {
    var former: [String: String] = [:]
    let candidates = Dictionary(grouping: base, by: \.command)
    for (command, new) in Dictionary(grouping: head, by: \.command) {
      var old = candidates[command] ?? []
      if old.count == new.count {
        for (one, other) in zip(new, old) { former[one.id] = other.id }
        continue
      }
      for step in new {
        guard let index = old.firstIndex(where: { $0.neighbour == step.neighbour }) else { continue }
        former[step.id] = old.remove(at: index).id
      }
    }
    return former
  }

  /// The indices of a longest increasing part of a list; O(n log n).
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
