import AppBoot
import AppBootRecords

/// The change of a step's time between launches.
package struct StepChange: Sendable, Hashable {
  /// The minimum share of the launch's change that a step must have to be named.
  private static let leastShare = 0.2
  /// The maximum number of steps that are named.
  private static let mostSteps = 2

  /// The step's id.
  package let id: String
  /// The change of the median of the step's time in nanoseconds.
  package let change: Int64

  /// Returns the steps that changed most in the direction of the launch, largest change first.
  ///
  /// - Parameters:
  ///   - former: The launches before the change.
  ///   - later: The launches after it, which ran the same steps.
  ///   - total: The change of the launch's time in nanoseconds.
  static func largest(
    from former: [LaunchSummary], to later: [LaunchSummary], explaining total: Int64
  ) -> [StepChange] {
    let steps = later.first?.steps ?? []
    let changes = steps.indices.map { index in
      let (before, after) = (
        former.map { $0.steps[index].duration }.median, later.map { $0.steps[index].duration }.median
      )
      return StepChange(id: steps[index].id, change: after - before)
    }
    return largest(of: changes, explaining: total)
  }

  /// Returns the steps that changed most in the direction of the launch, also those that were added or removed.
  ///
  /// - Parameters:
  ///   - former: Launches of one plan.
  ///   - later: Launches of another plan.
  ///   - total: The change of the launch's time in nanoseconds.
  static func largest(
    betweenPlans former: [LaunchSummary], and later: [LaunchSummary], explaining total: Int64
  ) -> [StepChange] {
    func medians(_ launches: [LaunchSummary]) -> [String: Int64] {
      Dictionary(grouping: launches.flatMap(\.steps), by: \.id).mapValues { $0.map(\.duration).median }
    }
    let (before, after) = (medians(former), medians(later))
    let ids = Set(before.keys).union(after.keys).sorted()
    return largest(
      of: ids.map { StepChange(id: $0, change: (after[$0] ?? 0) - (before[$0] ?? 0)) }, explaining: total)
  }

  private static func largest(of all: [StepChange], explaining total: Int64) -> [StepChange] {
    let changes = all.map { StepChange(id: $0.id, change: total < 0 ? -$0.change : $0.change) }
    let least = max(1, Double(abs(total)) * leastShare)
    let alike = changes.enumerated().filter { Double($0.element.change) >= least }
      .sorted { ($1.element.change, $0.offset) < ($0.element.change, $1.offset) }
    return alike.prefix(mostSteps).map { step in
      StepChange(id: step.element.id, change: total < 0 ? -step.element.change : step.element.change)
    }
  }

  /// Returns changes in words, for example `index +11.0 ms, fetch +2.0 ms`.
  ///
  /// - Parameter mark: A function that returns a step's id in the report's markup.
  static func text(_ changes: [StepChange], ascii: Bool, mark: (String) -> String) -> String {
    changes.map { step in
      let sign = step.change < 0 ? (ascii ? "-" : "−") : "+"
      return "\(mark(step.id)) \(sign)\(DurationText.brief(nanoseconds: abs(step.change), ascii: ascii))"
    }.joined(separator: ", ")
  }
}
