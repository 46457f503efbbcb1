import AppBoot
import AppBootReports

/// An error that reports that the baseline and the plan have no step in common, so that nothing can be compared.
struct OtherBaseline: ReportableError {
  /// The ids of the baseline's steps.
  let baseline: [String]
  /// The ids of the plan's steps.
  let plan: [String]

  var message: String {
    "the baseline has no step of this manifest: its steps are \(baseline.listed(atMost: 5)); "
      + "the manifest's are \(plan.listed(atMost: 5))"
  }

  func help(tool: String) -> String? {
    "select another --baseline, or write one with `\(tool) check --record FILE`"
  }

  /// Checks that at least one launch of the baseline has a step of the plan.
  ///
  /// - Throws: ``OtherBaseline`` if no launch has one.
  static func check(_ sessions: [[StartupRecord]], for plan: StartupPlan) throws(OtherBaseline) {
    let records = sessions.flatMap(\.self)
    let ids = Set(plan.outline.map(\.id))
    guard let last = records.last, !last.isEmpty, !ids.isEmpty,
      !records.contains(where: { $0.contains { ids.contains($0.id) } })
    else { return }
    throw OtherBaseline(baseline: last.map(\.id), plan: plan.outline.map(\.id))
  }
}
