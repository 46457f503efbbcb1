import AppBoot

/// The last line of a report: whether the launch booted, in how long, and with how many steps.
struct Verdict {
  let style: TextStyle

  func line(for record: StartupRecord) -> String {
    let name = style.visible(record.outline.name)
    let time = DurationText.brief(nanoseconds: record.duration, ascii: style.usesASCII)
    switch record.outcome {
    case .running:
      let last = "the record ends \(style.visible(record.lastRunning)), after \(time)"
      return "\(style.paint("\(name) has not reached its end", .failure)): \(last); \(counts(record))"
    case .succeeded: return booted(name, time, record)
    case .failed(let step):
      return failed(name, "\(style.visible(record.outline[step].id)) failed after \(time)", record)
    case .timedOut: return failed(name, outOfTime(record, time), record)
    case .cancelled(let reason):
      return failed(name, "cancelled after \(time): \(style.visible(reason))", record)
    }
  }

  /// Whether the list of an event did what it should.
  func line(for event: EventRecord) -> String {
    let record = event.record
    let name = style.visible(event.event)
    let time = DurationText.brief(nanoseconds: record.duration, ascii: style.usesASCII)
    switch record.outcome {
    case .running: return "\(name) is under way"
    case .succeeded: return style.paint("\(name) done", .success) + " in \(time): \(counts(record))"
    case .failed(let step):
      return ended(name, "\(style.visible(record.outline[step].id)) failed after \(time)", record)
    case .timedOut: return ended(name, outOfTime(record, time), record)
    case .cancelled(let reason):
      return ended(name, "cancelled after \(time): \(style.visible(reason))", record)
    }
  }

  private func ended(_ name: String, _ reason: String, _ record: StartupRecord) -> String {
    "\(style.paint("\(name) failed", .failure)): \(reason); \(counts(record))"
  }

  private func booted(_ name: String, _ time: String, _ record: StartupRecord) -> String {
    let allowed = record.toleratedFailures.count
    var text = style.paint("\(name) booted", allowed > 0 ? .warning : .success) + " in \(time)"
    if let budget = record.outline.budget { text += ", " + self.budget(budget, record) }
    text += ": \(counts(record))"
    if allowed > 0 { text += style.paint(", \(allowed) allowed failure\(allowed == 1 ? "" : "s")", .warning) }
    return text
  }

  private func budget(_ budget: Int64, _ record: StartupRecord) -> String {
    let text = DurationText.exact(.nanoseconds(budget))
    return record.duration > budget ? style.paint("over its budget of \(text)", .warning) : "budget \(text)"
  }

  private func failed(_ name: String, _ reason: String, _ record: StartupRecord) -> String {
    "\(style.paint("\(name) did not boot", .failure)): \(reason); \(counts(record))"
  }

  private func outOfTime(_ record: StartupRecord, _ time: String) -> String {
    guard let limit = record.outline.timeout else { return "out of time after \(time)" }
    return "out of time after \(time), limit \(DurationText.exact(.nanoseconds(limit)))"
  }

  /// `3 steps`, or `2 of 4 steps, 1 skipped`.
  private func counts(_ record: StartupRecord) -> String {
    var succeeded = 0
    var skipped = 0
    for step in record {
      if step.state == .succeeded { succeeded += 1 }
      if case .skipped = step.state { skipped += 1 }
    }
    let noun = record.count == 1 ? "step" : "steps"
    var text = succeeded == record.count ? "\(succeeded) \(noun)" : "\(succeeded) of \(record.count) \(noun)"
    if skipped > 0 { text += ", \(skipped) skipped" }
    return text
  }
}
