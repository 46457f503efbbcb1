import AppBoot
import AppBootRecords

/// The stored launches as JSON, which `Docs/history.md` describes.
package struct HistoryJSON: Sendable {
  /// The value of `format`.
  package static let formatName = "appboot-history"
  /// The version of the JSON.
  package static let version = 1

  /// Creates a writer.
  package init() {}

  /// Returns the JSON.
  package func text(of report: HistoryReport) -> String {
    var writer = JSONWriter(pretty: true)
    writer.object { writer in
      writer.member("format", Self.formatName)
      writer.member("version", Self.version)
      writer.member("name", report.launches.last?.name ?? "")
      writer.key("launches")
      writer.array { writer in for launch in report.launches { write(launch, to: &writer) } }
      write(report.launch, to: &writer, key: "launch")
      writer.key("steps")
      writer.array { writer in for row in report.steps { writer.object { write(row, to: &$0) } } }
      if let label = report.label { write(report.groups, by: label, to: &writer) }
      if let summary = report.summary { write(summary, of: report, to: &writer) }
      write(report.trend, of: report, to: &writer)
    }
    return writer.text + "\n"
  }

  private func write(_ launch: LaunchSummary, to writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("startedAt", launch.startedAt)
      writer.member("duration", launch.duration)
      writer.member("outcome", launch.outcome.rawValue)
      if let digest = launch.planDigest { writer.member("digest", digest) }
      guard !launch.labels.isEmpty else { return }
      writer.key("labels")
      writer.object { writer in for label in launch.labels { writer.member(label.name, label.value) } }
    }
  }

  private func write(_ row: HistoryReport.Row, to writer: inout JSONWriter, key: String) {
    writer.key(key)
    writer.object { write(row, to: &$0) }
  }

  private func write(_ row: HistoryReport.Row, to writer: inout JSONWriter) {
    if let step = row.step { writer.member("id", step) }
    if let newest = row.newest { writer.member("newest", newest) }
    if let median = row.median { writer.member("median", median) }
    writer.member("change", row.change)
    writer.member("failures", row.failures)
    writer.member("retries", row.retries)
    writer.key("durations")
    writer.array { writer in
      for time in row.times {
        if let time { writer.value(time) } else { writer.null() }
      }
    }
  }

  private func write(_ summary: HistorySummary, of report: HistoryReport, to writer: inout JSONWriter) {
    writer.key("summary")
    writer.object { writer in
      write(summary.outcomes, to: &writer)
      writer.key("launch")
      writer.object { write(summary.launch, to: &$0) }
      writer.key("steps")
      writer.array { writer in for step in report.summarySteps { writer.object { write(step, to: &$0) } } }
      guard report.label != nil else { return }
      writer.key("failing")
      writer.array { writer in
        for group in summary.failing {
          writer.object { writer in
            if let value = group.value { writer.member("value", value) }
            write(group.own, to: &writer)
          }
        }
      }
    }
  }

  private func write(_ outcomes: StateCount, to writer: inout JSONWriter) {
    writer.member("launches", outcomes.total)
    writer.member("failures", outcomes.failures)
  }

  private func write(_ times: HistorySummary.Times, to writer: inout JSONWriter) {
    if let step = times.step { writer.member("id", step) }
    writer.member("launches", times.launches)
    for (percent, time) in zip(HistorySummary.percents, times.percentiles) {
      writer.member("p\(percent)", time)
    }
  }

  private func write(_ groups: [HistoryReport.Group], by label: String, to writer: inout JSONWriter) {
    writer.member("label", label)
    writer.key("groups")
    writer.array { writer in
      for group in groups {
        writer.object { writer in
          if let value = group.value { writer.member("value", value) }
          writer.member("launches", group.launches.count)
          writer.member("trend", group.trend.name)
          if let launch = group.rows.first { write(launch, to: &writer, key: "launch") }
          writer.key("steps")
          writer.array { writer in
            for row in group.rows.dropFirst() { writer.object { write(row, to: &$0) } }
          }
        }
      }
    }
  }

  private func write(_ trend: HistoryTrend, of report: HistoryReport, to writer: inout JSONWriter) {
    writer.key("trend")
    writer.object { writer in
      writer.member("result", trend.name)
      writer.member("launches", report.examined.count)
      switch trend {
      case .tooFew(let needed): writer.member("needed", needed)
      case .steady: break
      case .slower(let change), .faster(let change): write(change, of: report, to: &writer)
      case .tooNoisy(let spread): writer.member("spread", spread)
      }
      if let branch = report.branch { writer.member("branch", branch) }
    }
    guard let change = report.manifestChange else { return }
    writer.key("manifestChange")
    writer.object { writer in
      writer.member("start", change.launch)
      guard let times = change.change else { return }
      writer.member("before", times.before)
      writer.member("after", times.after)
      write(times.causes, to: &writer)
    }
  }

  private func write(
    _ change: HistoryTrend.Change, of report: HistoryReport, to writer: inout JSONWriter
  ) {
    writer.member("start", report.examined[change.start])
    writer.member("alarm", report.examined[change.alarm])
    writer.member("before", change.before)
    writer.member("after", change.after)
    write(change.causes, to: &writer)
  }

  private func write(_ causes: [StepChange], to writer: inout JSONWriter) {
    writer.key("steps")
    writer.array { writer in
      for cause in causes {
        writer.object { writer in
          writer.member("id", cause.id)
          writer.member("change", cause.change)
        }
      }
    }
  }
}
