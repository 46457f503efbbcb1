/// The warnings about a sound plan: values that cannot have the effect for which they were written.
struct PlanWarnings {
  private let manifest: Manifest
  private let plan: StartupPlan
  /// The number of steps that may be visited: a manifest of 100,000 rollbacks gets its warnings in time.
  private static let visits = 2_000_000

  init(_ manifest: Manifest, _ plan: StartupPlan) {
    self.manifest = manifest
    self.plan = plan
  }

  /// Every warning, by entry.
  var all: [Diagnostic] {
    var warnings = launchBudget.map { [$0] } ?? []
    let lists =
      [(manifest.commands, plan)]
      + manifest.events.compactMap { event in
        plan.events[event.name].map { (event.entries, $0) }
      }
    for (entries, plan) in lists {
      warnings += entries.compactMap(Self.budget)
      warnings += Self.rollbacks(entries, plan)
    }
    return warnings + manifest.commands.compactMap(timeout)
  }

  private var launchBudget: Diagnostic? {
    guard let budget = manifest.budget, let timeout = manifest.timeout, budget > timeout,
      let range = manifest.budgetRange
    else { return nil }
    return Self.budget(budget, above: timeout, of: "the launch", at: range)
  }

  // MARK: - Entries

  private static func budget(of entry: ManifestEntry) -> Diagnostic? {
    guard let attributes = entry.attributes, let budget = attributes.budget, let timeout = attributes.timeout,
      budget > timeout, let range = attributes.budgetRange
    else { return nil }
    return Self.budget(budget, above: timeout, of: "\"\(entry.id.excerpt)\"", at: range)
  }

  private static func budget(
    _ budget: Duration, above timeout: Duration, of what: String, at range: SourceRange
  ) -> Diagnostic {
    .warning(
      "the budget of \(what), \(DurationText.exact(budget)), is longer than its timeout, "
        + DurationText.exact(timeout), at: range, help: "the timeout comes first: lower the budget")
  }

  private func timeout(of entry: ManifestEntry) -> Diagnostic? {
    guard let attributes = entry.attributes, let timeout = attributes.timeout, let launch = manifest.timeout,
      timeout > launch, let range = attributes.timeoutRange
    else { return nil }
    return .warning(
      "the timeout of \"\(entry.id.excerpt)\", \(DurationText.exact(timeout)), is longer than the launch's, "
        + DurationText.exact(launch), at: range,
      help: "the launch times out first: lower this timeout, or raise the launch's")
  }

  // MARK: - Rollbacks

  /// Returns a warning for each rollback before which no step ends that can be undone.
  private static func rollbacks(_ entries: [ManifestEntry], _ plan: StartupPlan) -> [Diagnostic] {
    let rollbacks = entries.indices.filter { entries[$0].onFailure == .rollback }
    guard !rollbacks.isEmpty else { return [] }
    let undoable = plan.commands.map { $0 is any UndoableCommand }
    let count = undoable.count { $0 }
    var visitsLeft = visits
    return rollbacks.compactMap { step in
      let later = followers(of: step, plan.graph, &visitsLeft)
      guard visitsLeft > 0, later.count(where: { undoable[$0] }) == count,
        let range = entries[step].attributes?.policyRange
      else { return nil }
      return .warning(
        "a failure of \"\(entries[step].id.excerpt)\" rolls nothing back: no command before it can be undone",
        at: range, help: "write \"stop\", or use commands that can be undone")
    }
  }

  /// Returns a step and all steps that come after it, directly or not.
  private static func followers(of step: Int, _ graph: DependencyGraph, _ visitsLeft: inout Int) -> [Int] {
    var isKnown = [Bool](repeating: false, count: graph.count)
    isKnown[step] = true
    var found = [step]
    var next = 0
    visitsLeft -= graph.count / 64
    while next < found.count, visitsLeft > 0 {
      for follower in graph.successors(of: found[next]) where !isKnown[Int(follower)] {
        isKnown[Int(follower)] = true
        found.append(Int(follower))
      }
      visitsLeft -= 1
      next += 1
    }
    return found
  }
}
