extension StartupRecord {
  /// The version of the record's JSON, in `Docs/record.md`.
  public static let formatVersion = 1

  /// The record as JSON; times are integer nanoseconds since the launch began.
  public func json(pretty: Bool = true) -> String {
    var writer = JSONWriter(pretty: pretty)
    writer.object { writer in
      writer.member("format", "appboot-record")
      writer.member("version", Self.formatVersion)
      writer.member("name", plan.name)
      if let source = plan.source { writer.member("manifest", source.name) }
      writer.member("startedAt", startedAt)
      writeOutcome(to: &writer)
      writer.member("duration", duration)
      if let budget = plan.budget { writer.member("budget", budget) }
      writeLaunch(to: &writer)
      writer.key("steps")
      let path = CriticalPath(of: self)
      writer.array { writer in
        for step in self { write(step, path, to: &writer) }
      }
    }
    return writer.text
  }

  private func writeOutcome(to writer: inout JSONWriter) {
    writer.member("outcome", outcome.name)
    switch outcome {
    case .failed(let step): writer.member("failedStep", plan[step].id)
    case .cancelled(let reason): writer.member("reason", reason)
    case .running, .succeeded, .timedOut: break
    }
  }

  private func writeLaunch(to writer: inout JSONWriter) {
    writer.key("launch")
    writer.object { writer in
      writer.member("reason", plan.options.reason.rawValue)
      if let url = plan.options.url { writer.member("url", url) }
      if let payload = plan.options.payload { writer.member("payload", payload) }
    }
  }

  private func write(_ record: StepRecord, _ path: CriticalPath, to writer: inout JSONWriter) {
    writer.object { writer in
      let step = record.step
      writer.member("id", step.id)
      writer.member("command", step.commandName)
      writer.member("lane", step.lane.rawValue)
      if let location = plan.location(ofStep: record.index) {
        writer.member("line", location.line)
        writer.member("column", location.column)
      }
      writer.member("after", plan.predecessors(of: record.index).map { plan[$0].id })
      writer.member("state", record.state.name)
      writeReason(of: record, to: &writer)
      writeTimes(of: record, path, to: &writer)
      write(record.details, to: &writer)
    }
  }

  private func writeReason(of record: StepRecord, to writer: inout JSONWriter) {
    switch record.state {
    case .failed(let failure), .timedOut(let failure):
      writer.key("failure")
      writer.write(failure)
      writer.member("onFailure", record.step.onFailure.rawValue)
    case .skipped, .cancelled:
      writer.member("reason", reasonText(of: record.index) ?? "")
      let chain = causeChain(of: record.index)
      // A chain may be as long as the launch; its root and the nearest links say what there is to know.
      if !chain.isEmpty {
        writer.member("causes", (chain.prefix(1) + chain.dropFirst().suffix(15)).map { plan[$0].id })
      }
    case .waiting, .ready, .running, .succeeded: break
    }
  }

  private func writeTimes(of record: StepRecord, _ path: CriticalPath, to writer: inout JSONWriter) {
    let execution = record.execution
    if let ready = execution.ready { writer.member("ready", ready) }
    if let start = execution.start { writer.member("start", start) }
    if let end = execution.end { writer.member("end", end) }
    writer.member("waiting", execution.waiting)
    writer.member("running", execution.running)
    if let budget = record.step.budget { writer.member("budget", budget) }
    writer.member("critical", path.contains(record.index))
    if let slack = path.slack(of: record.index) { writer.member("slack", slack) }
  }

  private func write(_ details: StepDetails, to writer: inout JSONWriter) {
    if let note = details.note { writer.member("note", note) }
    if let line = details.lastLine { writer.member("lastLine", line) }
    if details.overran { writer.member("overran", true) }
    if !details.attempts.isEmpty {
      writer.key("attempts")
      writer.array { writer in details.attempts.forEach { writer.write($0) } }
    }
    if !details.spans.isEmpty {
      writer.key("spans")
      writer.array { writer in details.spans.forEach { writer.write($0) } }
    }
    if !details.reads.isEmpty { writer.member("reads", details.reads) }
    if !details.provides.isEmpty { writer.member("provides", details.provides) }
    if !details.emitted.isEmpty {
      writer.key("emitted")
      writer.array { writer in details.emitted.forEach { writer.write($0) } }
    }
    if let undo = details.undo {
      writer.key("undo")
      writer.write(undo)
    }
  }
}

extension JSONWriter {
  mutating func write(_ failure: Failure) {
    object { writer in
      writer.member("message", failure.message)
      writer.member("type", failure.type)
      if !failure.causes.isEmpty { writer.member("causes", failure.causes) }
    }
  }

  fileprivate mutating func write(_ attempt: StepAttempt) {
    object { writer in
      writer.member("start", attempt.start)
      if let end = attempt.end { writer.member("end", end) }
      writer.failure(attempt.failure)
    }
  }

  fileprivate mutating func write(_ span: StepSpan) {
    object { writer in
      writer.member("name", span.name)
      writer.member("id", span.id)
      if let parent = span.parent { writer.member("parent", parent) }
      writer.member("start", span.start)
      if let end = span.end { writer.member("end", end) }
      if let error = span.error { writer.member("error", error) }
    }
  }

  fileprivate mutating func write(_ event: EmittedEvent) {
    object { writer in
      writer.member("event", event.name)
      if let payload = event.payload { writer.member("payload", payload) }
    }
  }

  fileprivate mutating func write(_ undo: StepUndo) {
    object { writer in
      writer.member("start", undo.start)
      if let end = undo.end { writer.member("end", end) }
      writer.failure(undo.failure)
    }
  }

  mutating func failure(_ failure: Failure?) {
    guard let failure else { return }
    key("failure")
    write(failure)
  }
}
