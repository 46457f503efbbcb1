import AppBoot
import AppBootRecords

/// The stored launches as JSON, which `Docs/json.md` describes.
package struct HistoryJSON: Sendable {
  /// Creates a writer.
  package init() {}

  /// Returns the JSON.
  package func text(of report: HistoryReport) -> String {
    let json: JSONObject = [
      "format": "appboot-history",
      "version": 1,
      "name": report.launches.last?.name ?? "",
      "launches": report.launches.map(\.json),
      "launch": report.all.launch.json,
      "steps": report.all.steps.map(\.json),
      "label": report.label,
      "groups": report.label == nil ? nil : report.groups.map(\.json),
      "summary": summary(of: report),
      "trend": trend(of: report),
      "manifestChange": report.manifestChange.map { change -> JSONObject in
        ["start": change.launch] + (change.change?.json ?? [:])
      },
    ]
    return json.text(pretty: true)
  }

  private func summary(of report: HistoryReport) -> JSONObject? {
    guard let summary = report.summary else { return nil }
    return [
      "launches": summary.total,
      "failures": summary.outcomes.failures,
      "cancelled": summary.cancelled,
      "launch": summary.launch.json,
      "steps": report.summarySteps.map(\.json),
      "failing": report.label == nil ? nil : summary.failing.map(\.json),
    ]
  }

  private func trend(of report: HistoryReport) -> JSONObject {
    let details: JSONObject =
      switch report.all.trend {
      case .tooFew(let needed): ["needed": needed]
      case .steady: [:]
      case .changed(let change):
        ["start": report.all.examined[change.start], "alarm": report.all.examined[change.alarm]] + change.json
      case .tooNoisy(let spread): ["spread": spread]
      }
    return ["result": report.all.trend.name, "launches": report.all.examined.count] + details
      + ["branch": report.all.branch]
  }
}

extension LaunchSummary {
  fileprivate var json: JSONObject {
    [
      "startedAt": startedAt,
      "duration": duration,
      "outcome": outcome.rawValue,
      "failedLater": failedLater,
      "digest": planDigest,
      "labels": labels.isEmpty ? nil : JSONObject(labels.map { ($0.name, $0.value) }),
    ]
  }
}

extension HistoryReport.Row {
  fileprivate var json: JSONObject {
    [
      "id": step,
      "newest": newest,
      "median": median,
      "change": change,
      "failures": failures,
      "cancelled": cancelled,
      "retries": retries,
      "durations": times.map { RawJSON(text: $0.map { String($0) } ?? "null") },
    ]
  }
}

extension HistoryReport.Group {
  fileprivate var json: JSONObject {
    [
      "value": value,
      "launches": launches.count,
      "trend": trend.name,
      "launch": launch.json,
      "steps": steps.map(\.json),
    ]
  }
}

extension HistorySummary.Times {
  fileprivate var json: JSONObject {
    ["id": step, "launches": launches]
      + JSONObject(zip(HistorySummary.percents, percentiles).map { percent, time in ("p\(percent)", time) })
  }
}

extension HistoryTrend.Change {
  fileprivate var json: JSONObject {
    [
      "before": before,
      "after": after,
      "steps": causes.map(\.json),
    ]
  }
}

extension HistorySummary.Failing {
  fileprivate var json: JSONObject { ["value": value, "launches": own.total, "failures": own.failures] }
}

extension StepChange {
  fileprivate var json: JSONObject { ["id": id, "change": change] }
}
