/// A condition under which a comparison can miss a slowdown.
package enum ComparisonWarning: Sendable, Hashable {
  /// The sides have other names, or no step in common: they are probably launches of different apps.
  case otherApp(base: String, head: String, sharesSteps: Bool)
  /// The base has too few launches for a decision.
  case baseTooSmall(launches: Int, needed: Int)
  /// The machine was busier during the head's launches than at its best, or the launches' times were uneven.
  case busyMachine
  /// The base was measured on another machine. Only steps are compared then.
  case otherMachine
  /// Most steps took longer, by about this factor. `isMachine` is true if calibration runs took longer too.
  case mostStepsSlower(factor: Double, isMachine: Bool)
  /// Some steps exist only in the head (`added`) or only in the base (`removed`).
  case changed(added: [String], removed: [String])

  /// The facts from which the warnings are derived.
  struct Facts {
    let baseLaunches: Int
    let headLaunches: Int
    let launchLimit: Int
    let isBusy: Bool
    let times: [SpeedAdjustedTimes]
    let rule: SlowdownRule

    var canDecide: Bool { baseLaunches >= needed }

    private var needed: Int { PrecedenceTest.baseNeeded(head: launchLimit, level: rule.level) }

    var warnings: [ComparisonWarning] {
      var warnings: [ComparisonWarning] = []
      if isBusy, headLaunches >= launchLimit { warnings.append(.busyMachine) }
      if !canDecide { warnings.append(.baseTooSmall(launches: baseLaunches, needed: needed)) }
      if times.contains(where: \.hostsDiffer) { warnings.append(.otherMachine) }
      if let matching = times.last?.matching, !matching.added.isEmpty || !matching.removed.isEmpty {
        warnings.append(.changed(added: matching.added, removed: matching.removed))
      }
      if let warning = mostStepsSlower, !warnings.contains(.busyMachine), !warnings.contains(.otherMachine) {
        warnings.append(warning)
      }
      return warnings
    }

    /// A warning that most steps took longer although no test found a slowdown; `nil` if there is no reason to warn.
    ///
    /// The reason is a median step that is slower by a larger factor than an idle machine causes.
    private var mostStepsSlower: ComparisonWarning? {
      // Without calibration runs nothing is known of the machine.
      let factors = times.compactMap(\.calibrationSlowdown)
      guard canDecide, rule.slower.isEmpty, factors.count == times.count, let machine = factors.max() else {
        return nil
      }
      let changes = Dictionary(grouping: rule.tests.filter { $0.subject != .launch }, by: \.subject).values
        .compactMap { $0.map(\.change).min() }.sorted()
      guard changes.count > 2, case let median = changes[(changes.count - 1) / 2],
        median > SpeedAdjustedTimes.idleLimit
      else { return nil }
      return .mostStepsSlower(factor: median, isMachine: machine > SpeedAdjustedTimes.idleLimit)
    }
  }
}

extension ComparisonWarning {
  /// The message of the warning.
  package var words: String {
    switch self {
    case .otherApp(let base, let head, let sharesSteps):
      Self.otherApp(base, head, sharesSteps: sharesSteps)
    case .baseTooSmall(let launches, let needed):
      "the baseline has \(launches) launch\(launches == 1 ? "" : "es"), too few to tell a slowdown from noise: "
        + "at least \(needed) are needed, and 20 are better"
    case .busyMachine:
      "the machine was busier than at its best, or launches were uneven: a slowdown can go unnoticed"
    case .mostStepsSlower(let factor, isMachine: false):
      "most steps took longer than in the baseline, by about \(EffectPercent.unsigned(factor)), and calibration runs "
        + "did not: either the machine or every step became slower"
    case .mostStepsSlower(let factor, isMachine: true):
      "most steps took longer than in the baseline, by about \(EffectPercent.unsigned(factor)), and so did calibration "
        + "runs: the machine was slower, and a slowdown can go unnoticed"
    case .otherMachine:
      "the baseline was measured on another machine: only the steps are compared, each with the others"
    case .changed(let added, let removed):
      "the baseline has other steps: "
        + [
          added.isEmpty ? "" : "added since then: \(Self.list(added))",
          removed.isEmpty ? "" : "removed: \(Self.list(removed))",
        ].filter { !$0.isEmpty }.joined(separator: "; ")
    }
  }

  private static func otherApp(_ base: String, _ head: String, sharesSteps: Bool) -> String {
    let names = base == head ? [] : ["their names differ (\"\(base)\" and \"\(head)\")"]
    let steps = sharesSteps ? [] : ["they have no step in common"]
    return "base and head are probably different apps: \((names + steps).joined(separator: ", and "))"
      + (sharesSteps ? "" : "; the times say nothing about a change")
  }

  /// Returns at most five ids, and the number of further ones: `a, b, c, d, e and 2 more`.
  package static func list(_ ids: [String]) -> String {
    ids.prefix(5).joined(separator: ", ") + (ids.count > 5 ? " and \(ids.count - 5) more" : "")
  }
}

extension Comparison {
  /// The warnings to show in a report of the comparison. Its table already shows the numbers of launches and changed
  /// steps.
  var ownWarnings: [ComparisonWarning] {
    warnings.filter {
      switch $0 {
      case .otherApp, .busyMachine, .otherMachine, .mostStepsSlower: true
      case .baseTooSmall, .changed: false
      }
    }
  }
}
