extension Comparison {
  /// The comparison for programs. `Docs/ci.md` has an example.
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
