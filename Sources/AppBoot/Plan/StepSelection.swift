/// Which steps of a plan are to run, of the launch and of the events alike.
struct StepSelection: Sendable {
  var only: Set<String>?
  var skip: Set<String> = []

  func check(against plan: StartupPlan) throws(SelectionError) {
    let wanted = skip.union(only ?? [])
    guard !wanted.isEmpty else { return }
    let ids = plan.map(\.id) + plan.events.sorted { $0.key < $1.key }.flatMap { $0.value.map(\.id) }
    let known = Set(ids)
    for id in wanted.sorted() where !known.contains(id) {
      throw SelectionError(id: id, suggestion: ClosestName.to(id, among: ids), known: ids)
    }
  }

  func reason(for id: String) -> SkipReason? {
    if skip.contains(id) { return .excluded("--skip \(id)") }
    if let only, !only.contains(id) { return .excluded("not in --only") }
    return nil
  }
}

/// A step that is to run or to be skipped, and does not exist.
public struct SelectionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The id that was asked for.
  public let id: String
  /// The closest one that exists.
  public let suggestion: String?
  /// The ids that exist.
  public let known: [String]

  /// What does not exist, and what does.
  public var description: String {
    let hint = suggestion.map { "did you mean \"\($0)\"?" }
    let list = "the steps are \(known.prefix(20).joined(separator: ", "))\(known.count > 20 ? ", …" : "")"
    return "no step \"\(id)\": \(hint ?? list)"
  }
}
