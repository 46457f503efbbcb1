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
  fileprivate func explained(by launches: [LaunchSummary]) -> Self {
    var explained = self
    explained.causes = StepChange.largest(
      from: former.map { launches[$0] }, to: later.map { launches[$0] }, explaining: after - before)
    return explained
  }
}
