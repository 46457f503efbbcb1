/// A selection of the steps to run, in the launch and in its event handlers.
struct StepSelection: Sendable {
  var only: Set<String>?
  var skip: Set<String> = []
  /// The ids of the steps that run with all steps that must come before them (`--to`); `nil` to select no goals.
  var goals: [String]?

  func check(against plan: StartupPlan) throws(SelectionError) {
    let wanted = skip.union(only ?? []).union(goals ?? [])
    guard !wanted.isEmpty else { return }
    let ids = plan.map(\.id) + plan.events.keys.sorted().flatMap { plan.events[$0]?.map(\.id) ?? [] }
    let known = Set(ids)
    let unknown = wanted.subtracting(known).sorted()
    guard !unknown.isEmpty else { return }
    throw SelectionError(unknown: unknown, known: ids)
  }

  /// Returns the reason why a step is skipped; `nil` if it runs.
  ///
  /// - Parameter isNeeded: False for a step that is not a goal, and does not come before one.
  func reason(for id: String, isNeeded: Bool = true) -> SkipReason? {
    if skip.contains(id) { return .excluded("--skip \(id)") }
    if let only, !only.contains(id) { return .excluded("not in --only") }
    return isNeeded ? nil : .excluded("not needed by --to \((goals ?? []).joined(separator: ","))")
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
