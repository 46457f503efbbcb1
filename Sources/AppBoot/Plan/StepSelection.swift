/// A selection of the steps to run, in the launch and in its event handlers.
struct StepSelection: Sendable {
  var only: Set<String>?
  var skip: Set<String> = []
  /// The ids of the steps that run with all steps that must come before them (`--to`); `nil` to select no goals.
  var goals: [String]?
  /// The ids of the goals and of all steps that must come before them; `nil` without goals.
  private var needed: Set<String>?

  /// Computes `needed`: the ids of the goals and of all steps that must come before them, directly or indirectly.
  mutating func resolve(in manifest: Manifest) {
    guard let goals else { return }
    let lists = [manifest.commands] + manifest.events.map(\.entries)
    needed = lists.reduce(into: Set(goals)) { $0.formUnion(Self.needed(by: goals, in: $1)) }
  }

  /// Returns the ids of a list's goals and of the entries that must come before them. Takes O(entries).
  private static func needed(by goals: [String], in entries: [ManifestEntry]) -> [String] {
    let places = Dictionary(entries.enumerated().map { ($1.id, $0) }) { first, _ in first }
    var isNeeded = [Bool](repeating: false, count: entries.count)
    var pending = goals.compactMap { places[$0] }
    while let index = pending.popLast() {
      guard !isNeeded[index] else { continue }
      isNeeded[index] = true
      if let after = entries[index].after {
        pending += after.compactMap { places[$0.id] }
      } else if index > 0 {
        pending.append(index - 1)
      }
    }
    return entries.indices.filter { isNeeded[$0] }.map { entries[$0].id }
  }

  func check(against plan: StartupPlan) throws(SelectionError) {
    let wanted = skip.union(only ?? []).union(goals ?? [])
    guard !wanted.isEmpty else { return }
    let ids = plan.map(\.id) + plan.events.keys.sorted().flatMap { plan.events[$0]?.map(\.id) ?? [] }
    let known = Set(ids)
    let unknown = wanted.subtracting(known).sorted()
    guard !unknown.isEmpty else { return }
    throw SelectionError(unknown: unknown, known: ids)
  }

  func reason(for id: String) -> SkipReason? {
    if skip.contains(id) { return .excluded("--skip \(id)") }
    if let only, !only.contains(id) { return .excluded("not in --only") }
    if let needed, !needed.contains(id) {
      return .excluded("not needed by --to \((goals ?? []).joined(separator: ","))")
    }
    return nil
  }
}

/// An error that reports unknown ids in a selection of steps.
public struct SelectionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The unknown ids in ascending order; at least one.
  public let unknown: [String]
  /// The ids that exist.
  public let known: [String]

  /// Creates the error.
  package init(unknown: [String], known: [String]) {
    self.unknown = unknown
    self.known = known
  }

  /// The error message: the unknown ids, and the closest ids or a list of ids.
  public var description: String { "\(problem): \(suggestions ?? list)" }

  /// The part of the message with the unknown ids.
  package var problem: String {
    let names = unknown.quotedList
    return unknown.count == 1 ? "there is no step \(names)" : "there are no steps \(names)"
  }

  /// The part of the message with the closest ids that exist; `nil` if no id is close.
  package var suggestions: String? {
    let search = ClosestName(among: known)
    var found: [String] = []
    for id in unknown.prefix(ClosestName.mostSearches) where found.count < ClosestName.most {
      guard let match = search.match(for: id) else { continue }
      found.append(unknown.count == 1 ? "\"\(match)\"" : "\"\(match)\" for \"\(id)\"")
    }
    return found.isEmpty ? nil : "did you mean \(found.joined(separator: ", "))?"
  }

  private var list: String {
    "the steps are \(known.prefix(20).joined(separator: ", "))\(known.count > 20 ? ", …" : "")"
  }
}
