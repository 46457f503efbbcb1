import AppBoot

extension Comparison {
  /// The comparison for programs. `Docs/json.md` has an example.
  var json: JSONObject {
    [
      "format": "appboot-comparison",
      "version": 1,
      "maximumSlowdown": options.maximumSlowdown,
      "confidence": RatioEstimate.confidence,
      "base": base.json,
      "head": head.json,
      "hostsDiffer": hostsDiffer,
      "appsDiffer": appsDiffer,
      "paired": isPaired,
      "launch": launch.json,
      "steps": steps.map(\.json),
      "states": states.map(\.json),
      "added": added,
      "removed": removed,
      "reordered": reordered,
    ]
  }
}

extension Comparison.Side {
  fileprivate var json: JSONObject { ["name": name, "launches": launches, "leftOut": leftOut] }
}

extension Comparison.Step {
  fileprivate var json: JSONObject { ["id": id, "formerId": formerID, "command": command] + effect.json }
}

extension StateChange {
  fileprivate var json: JSONObject { ["step": step, "before": before.json, "now": now.json] }
}

extension StateCount {
  fileprivate var json: JSONObject {
    JSONObject(counts.sorted { $0.key < $1.key }.map { ($0.key, $0.value) })
  }
}

extension Effect {
  fileprivate var json: JSONObject {
    let decided: JSONObject = ["decision": decision.name, "factor": decision.factor] + decision.reason
    guard hasTimes else { return decided }
    let isKnown = interval.upperBound.isFinite
    let times: JSONObject = [
      "base": baseMedian,
      "head": headMedian,
      "basePercentile90": basePercentile90,
      "headPercentile90": headPercentile90,
      "ratio": ratio,
      "ratioLow": isKnown ? interval.lowerBound : nil,
      "ratioHigh": isKnown ? interval.upperBound : nil,
      "test": test?.json,
    ]
    return decided + times
  }
}

extension Effect.Decision {
  /// The reason for an inconclusive decision, as members; empty for other decisions.
  fileprivate var reason: JSONObject {
    switch self {
    case .slower, .partlySlower, .faster, .unchanged, .same: [:]
    case .inconclusive(.tooFewLaunches(let needed)): ["reason": "tooFewLaunches", "launchesNeeded": needed]
    case .inconclusive(.notMeasured(let words)): ["reason": "notMeasured", "detail": words]
    case .inconclusive(.withinNoise): ["reason": "withinNoise"]
    case .inconclusive(.tooSmall): ["reason": "tooSmall"]
    case .inconclusive(.machineSpeed): ["reason": "machineSpeed"]
    case .inconclusive(.otherMachine): ["reason": "otherMachine"]
    }
  }
}

extension SlowdownTest {
  fileprivate var json: JSONObject {
    [
      "clock": clock.rawValue,
      "base": base,
      "head": head,
      "machineSlowdown": machineSlowdown,
      "factor": factor,
      "probability": probability,
      "slowLaunches": share?.json,
    ]
  }
}

extension SlowShare {
  fileprivate var json: JSONObject {
    ["threshold": threshold, "base": base, "head": head, "probability": probability]
  }
}

/// A condition under which a comparison can miss a slowdown.
package enum ComparisonWarning: Sendable, Hashable {
  /// The sides have other names, or no step in common: they are probably launches of different apps.
  case otherApp(base: String, head: String, sharesSteps: Bool)
  /// The base has too few launches for a decision, or can have too few if the launches run in turns.
  case baseTooSmall(launches: Int, needed: Int, isPaired: Bool = false)
  /// The base was measured on another machine. Only steps are compared then.
  case otherMachine
  /// All steps that compute took longer, by at least this factor.
  case allSlower(factor: Double)
  /// A step or the launch looks slower, but it may be chance or the machine.
  case undecided(SlowdownTest.Subject, slowdown: String, isPaired: Bool)
  /// Some steps exist only in the head (`added`) or only in the base (`removed`).
  case changed(added: [String], removed: [String])

  /// The message of the warning.
  package var words: String {
    switch self {
    case .otherApp(let base, let head, let sharesSteps):
      Self.otherApp(base, head, sharesSteps: sharesSteps)
    case .baseTooSmall(_, let needed, isPaired: true):
      "too few launches to tell a slowdown from noise: at least \(needed) are needed (--max-runs \(needed))"
    case .baseTooSmall(let launches, let needed, isPaired: false):
      "the baseline has \(launches) launch\(launches == 1 ? "" : "es"), too few to tell a slowdown from noise: "
        + "at least \(needed) are needed, and 20 are better (check --runs 20 --record FILE)"
    case .allSlower(let factor):
      "all steps that compute take longer than in the baseline, by at least \(EffectPercent.unsigned(factor)): the "
        + "machine or every step became slower; use check --against to compare both in turns"
    case .undecided(let subject, let slowdown, let isPaired):
      "\(subject.name) looks slower by \(slowdown), but it may be "
        + (isPaired
          ? "noise; use more launches (--max-runs)"
          : "the machine or noise; use check --against to compare both in turns")
    case .otherMachine:
      "the baseline was measured on another machine: only the steps are compared, each with the others"
    case .changed(let added, let removed):
      "the steps differ: "
        + [
          added.isEmpty ? "" : "added: \(added.listed(atMost: 5))",
          removed.isEmpty ? "" : "removed: \(removed.listed(atMost: 5))",
        ].filter { !$0.isEmpty }.joined(separator: "; ")
    }
  }

  private static func otherApp(_ base: String, _ head: String, sharesSteps: Bool) -> String {
    let names = base == head ? [] : ["their names differ (\"\(base)\" and \"\(head)\")"]
    let steps = sharesSteps ? [] : ["they have no step in common"]
    return "base and head are probably different apps: \((names + steps).joined(separator: ", and "))"
      + (sharesSteps ? "" : "; the times say nothing about a change")
  }
}

extension Comparison {
  /// The warnings to show in a report of the comparison. Its table already shows the numbers of launches and changed
  /// steps.
  var ownWarnings: [ComparisonWarning] {
    warnings.filter {
      switch $0 {
      case .otherApp, .otherMachine, .allSlower, .undecided: true
      case .baseTooSmall, .changed: false
      }
    }
  }
}

extension SlowdownTest.Subject {
  /// The id of the step, or `the launch`.
  package var name: String {
    switch self {
    case .step(let id): id
    case .launch: "the launch"
    }
  }
}
