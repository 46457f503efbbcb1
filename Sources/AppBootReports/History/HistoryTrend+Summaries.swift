import AppBoot
package import AppBootRecords

extension HistoryTrend {
  /// Examines the times of launches. The result names the steps that explain a change.
  ///
  /// - Parameter launches: Successful launches of one plan, oldest first, that ran the same steps.
  package init(of launches: [LaunchSummary]) {
    self.init(of: launches.map(\.duration))
    switch self {
    case .slower(let change): self = .slower(change.explained(by: launches))
    case .faster(let change): self = .faster(change.explained(by: launches))
    case .tooFew, .steady, .tooNoisy: break
    }
  }
}

extension HistoryTrend.Change {
  /// Creates the change between two stretches of launches that ran the same steps.
  init(between former: [LaunchSummary], and later: [LaunchSummary], start: Int) {
    self.init(
      start: start, alarm: start, before: former.map(\.duration).median, after: later.map(\.duration).median)
    causes = StepChange.largest(from: former, to: later, explaining: after - before)
  }

  fileprivate func explained(by launches: [LaunchSummary]) -> Self {
    var explained = self
    explained.causes = StepChange.largest(
      from: former.map { launches[$0] }, to: later.map { launches[$0] }, explaining: after - before)
    return explained
  }
}
