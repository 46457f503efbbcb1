/// The outcomes of the launch or of a step on one side of a comparison.
package struct StateCount: Sendable, Hashable {
  /// The number of launches for each state's name.
  package private(set) var counts: [String: Int] = [:]
  /// The cause of a failure as one line; `nil` without a failure.
  package private(set) var cause: String?

  mutating func add(_ state: String, cause: String? = nil) {
    counts[state, default: 0] += 1
    self.cause = cause.map { String($0.prefix(Self.longestCause)) } ?? self.cause
  }

  /// The maximum number of characters of a cause.
  private static let longestCause = 200

  /// Returns the numbers of the launches without those of a part of them.
  func without(_ part: StateCount) -> StateCount {
    var rest = self
    for (state, count) in part.counts { rest.counts[state, default: 0] -= count }
    return rest
  }

  /// The number of launches.
  var total: Int { counts.values.reduce(0, +) }

  /// The number of launches with another state than `succeeded`.
  var failures: Int { total - (counts[Self.succeeded] ?? 0) }

  /// The states' names, without their numbers.
  var names: Set<String> { Set(counts.keys) }

  /// The outcome in words, for example `succeeded`, `skipped` or `failed in 1 of 8 launches: no cache`.
  var words: String {
    let others = counts.filter { $0.key != Self.succeeded }.sorted { $0.key < $1.key }
    let reason = cause.map { ": \($0)" } ?? ""
    guard !others.isEmpty else { return counts.isEmpty ? "new" : Self.succeeded }
    if counts.count == 1 { return others[0].key + reason }
    return others.map { "\($0.key)\(LaunchTally.place($0.value, of: total))" }.joined(separator: ", ")
      + reason
  }

  static let succeeded = "succeeded"
}

/// A difference between the former and the current outcomes of the launch or of a step.
package struct StateChange: Sendable, Hashable {
  /// The id of the step; `nil` for the launch.
  package let step: String?
  package let before: StateCount
  package let now: StateCount

  /// Returns the changed outcomes between two sets of launches: the launch, new steps that fail, and the steps in the
  /// head's order.
  ///
  /// Different numbers of the same outcomes are a change of the launch if its share of failures differs significantly.
  static func of(_ base: LaunchSet, _ head: LaunchSet, _ pairs: [StepMatching.Pair]) -> [StateChange] {
    let launch = StateChange(step: nil, before: base.outcomes, now: head.outcomes)
    let steps = pairs.compactMap { pair -> StateChange? in
      guard let before = base.states[pair.base], let now = head.states[pair.head] else { return nil }
      return StateChange(step: pair.id, before: before, now: now)
    }
    let paired = Set(pairs.map(\.head))
    let failing = head.states.filter { !paired.contains($0.key) && $0.value.cause != nil }.map { id, now in
      StateChange(step: id, before: StateCount(), now: now)
    }
    // A new step that fails is the cause of the other changes.
    return [launch].filter(\.isDifferent) + failing.sorted { ($0.step ?? "") < ($1.step ?? "") }
      + steps.filter(\.isDifferent)
  }

  private var isDifferent: Bool {
    guard before.total > 0, now.total > 0 else { return false }
    if before.names != now.names { return true }
    return step == nil && (failsMore || failsLess)
  }

  /// True if launches fail now and none failed before, or if the share of failures is significantly larger.
  package var failsMore: Bool {
    now.failures > 0 && (before.failures == 0 || FisherTest.isLarger(now, than: before))
  }

  /// True if the share of failures is significantly smaller.
  private var failsLess: Bool { FisherTest.isLarger(before, than: now) }

  /// The headline for a changed outcome of the launch, for example `fails now`.
  var headline: String {
    let failures = now.failures
    if failures == 0 { return "succeeds now" }
    return failures < now.total ? "fails\(LaunchTally.place(failures, of: now.total)) now" : "fails now"
  }

  /// The sentence for a changed outcome of the launch, without its subject.
  var sentence: String {
    let place = now.failures == now.total ? LaunchTally.place(now.failures, of: now.total) : ""
    let reason = now.cause.map { ": \($0)\(place)" } ?? ""
    let former = LaunchTally.place(before.failures, of: before.total)
    let formerReason = before.cause.map { ": \($0)" } ?? ""
    return headline + reason
      + (before.failures == 0 ? "; it succeeded before" : "; it failed\(former) before\(formerReason)")
  }
}
