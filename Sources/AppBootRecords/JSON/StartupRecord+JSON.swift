public import AppBoot

extension StartupRecord {
  /// The value of `format` in a record's JSON.
  public static let formatName = "appboot-record"
  /// The version of the record's JSON, which `Docs/record.md` describes.
  public static let formatVersion = 1

  /// Returns the record as JSON. Times are integers: nanoseconds since the launch began.
  public func json(pretty: Bool = true) -> String {
    var writer = JSONWriter(pretty: pretty)
    writer.object { writer in
      writer.member("format", Self.formatName)
      writer.member("version", Self.formatVersion)
      writer.member("name", outline.name)
      writeHeader(to: &writer)
      writeRun(to: &writer)
      if !events.isEmpty { writeEvents(to: &writer) }
    }
    return writer.text
  }

  /// Writes the members that the records of a launch and of event handlers have in common.
  func writeRun(to writer: inout JSONWriter) {
    writePlan(to: &writer)
    writer.member("startedAt", startedAt)
    writeOutcome(to: &writer)
    writer.member("duration", elapsedTime)
    if let healthyTime { writer.member("healthyAt", healthyTime) }
    writeSteps(to: &writer)
  }

  private func writeEvents(to writer: inout JSONWriter) {
    writer.key("events")
    writer.array { writer in
      for event in events {
        writer.object { writer in event.write(to: &writer) { event.record.writeRun(to: &$0) } }
      }
    }
  }

  /// Writes the members that are known before the launch begins, except `steps`.
  func writeMaking(to writer: inout JSONWriter) {
    writeHeader(to: &writer)
    writePlan(to: &writer)
  }

  /// Writes the members of a record of event handlers that are known before the handlers run.
  func writeBeginning(to writer: inout JSONWriter) {
    writePlan(to: &writer)
    writer.member("startedAt", startedAt)
    writePlannedSteps(to: &writer)
  }

  /// Writes `steps` with the members that are known before the launch begins.
  func writePlannedSteps(to writer: inout JSONWriter) {
    let locations = outline.locations()
    writer.key("steps")
    writer.array { writer in
      for step in outline.indices {
        writer.beginObject()
        outline.write(step: step, at: locations[step], to: &writer)
        writer.endObject()
      }
    }
  }

  private func writePlan(to writer: inout JSONWriter) {
    writeLaunch(to: &writer)
    if let safeMode = outline.safeMode {
      writer.key("safeMode")
      writer.write(safeMode)
    }
    if let budget = outline.budgetTime { writer.member("budget", budget) }
    if let timeout = outline.timeoutTime { writer.member("timeout", timeout) }
  }

  private func writeHeader(to writer: inout JSONWriter) {
    writer.writeMembers(of: header)
    if let path = outline.manifestName {
      writer.key("manifest")
      writer.object { writer in
        writer.member("path", path)
        if let digest = outline.manifestDigest { writer.member("digest", digest) }
      }
    }
  }

  private func writeOutcome(to writer: inout JSONWriter) {
    writer.outcome(outcome, in: outline)
    if let cancellation {
      writer.key("cancellation")
      writer.write(cancellation)
    }
  }

  private func writeLaunch(to writer: inout JSONWriter) {
    var options = outline.options
    // The outline of event handlers has the event's name, and its options have the event's payload.
    options.payload = options.payload.map { EmittedEvent.written($0, of: outline.name) }
    writer.key("launch")
    writer.write(options)
  }

  private func writeSteps(to writer: inout JSONWriter) {
    let path = CriticalPath(of: self)
    let locations = outline.locations()
    writer.key("steps")
    writer.array { writer in
      for step in self {
        writer.object { writer in
          outline.write(step: step.index, at: locations[step.index], to: &writer)
          writeState(of: step, to: &writer)
          writeTimes(of: step, path, to: &writer)
          writer.writeMembers(of: step.details)
        }
      }
    }
  }

  private func writeState(of record: StepRecord, to writer: inout JSONWriter) {
    writer.member("state", record.state.name)
    switch record.state {
    case .failed(let failure), .timedOut(let failure): writer.failure(failure)
    case .skipped(let reason):
      writer.key("reason")
      writer.write(reason, in: outline)
      let chain = causeChain(of: record.index)
      // A chain may be as long as the launch; its root and the nearest links say what there is to know.
      if !chain.isEmpty {
        writer.member("causes", (chain.prefix(1) + chain.dropFirst().suffix(15)).map { outline[$0].id })
      }
    case .cancelled(let reason):
      writer.key("reason")
      writer.write(reason)
    case .waiting, .ready, .running, .succeeded: break
    }
  }

  private func writeTimes(of record: StepRecord, _ path: CriticalPath, to writer: inout JSONWriter) {
    let execution = record.execution
    if let ready = execution.readyTime { writer.member("ready", ready) }
    if let start = execution.startTime { writer.member("start", start) }
    if let end = execution.endTime { writer.member("end", end) }
    writer.member("waiting", execution.waitingTime)
    writer.member("running", execution.runningTime)
    writer.member("critical", path.contains(record.index))
    if let slack = path.slack(of: record.index) { writer.member("slack", slack) }
  }
}

extension LaunchOutline {
  /// Writes the members of a step that are known before it runs. Records, journals and `appboot list` use it.
  package func write(step index: Int, at location: SourceLocation?, to writer: inout JSONWriter) {
    let after = predecessors(of: index).map { steps[$0].id }
    writer.writeMembers(of: PlannedStep(outline: steps[index], after: after))
    if let location {
      writer.member("line", location.line)
      writer.member("column", location.column)
      if let file = location.file { writer.member("file", file) }
    }
  }
}

extension EventRecord {
  /// Writes the members of the event. Then calls `run`, which writes the members of its handlers.
  func write(to writer: inout JSONWriter, _ run: (inout JSONWriter) -> Void) {
    writer.member("event", event)
    if let scene { writer.member("scene", scene) }
    writer.member("at", time)
    run(&writer)
  }
}

extension JSONWriter {
  /// Writes `outcome`. A failed launch also has `failedStep`, and a cancelled launch also has `reason`.
  mutating func outcome(_ outcome: LaunchOutcome, in outline: LaunchOutline) {
    member("outcome", outcome.name)
    switch outcome {
    case .failed(let step): member("failedStep", outline[step].id)
    case .cancelled(let reason):
      key("reason")
      write(CancelReason.requested(reason))
    case .running, .succeeded, .timedOut: break
    }
  }

  mutating func write(_ reason: CancelReason) {
    object { writer in
      writer.member("kind", reason.name)
      writer.member("text", reason.text)
    }
  }

  package mutating func write(_ reason: SkipReason, in outline: LaunchOutline) {
    object { writer in
      writer.member("kind", reason.name)
      writer.member("text", reason.text(in: outline))
      switch reason {
      case .dependency(let step), .stopped(by: let step): writer.member("step", outline[step].id)
      case .excluded, .condition, .unnecessary, .safeMode: break
      }
    }
  }

  mutating func failure(_ failure: Failure?) {
    guard let failure else { return }
    key("failure")
    write(failure)
  }
}
