public import AppBoot

extension LaunchRecord {
  /// The value of `format` in a record's JSON.
  public static let formatName = "appboot-record"
  /// The version of the record's JSON, which `Docs/record.md` describes.
  public static let formatVersion = 1

  /// Returns the record as JSON. Times are integers: nanoseconds since the launch began.
  public func json(pretty: Bool = true) -> String { json(pretty: pretty) { _ in } }

  /// Returns the record as JSON with more members, which readers of records ignore.
  package func json(pretty: Bool = true, adding more: (inout JSONWriter) -> Void) -> String {
    JSONWriter.object(pretty: pretty) { writer in
      writer.members(of: RecordedLaunch(self))
      more(&writer)
    }
  }
}

extension RecordedLaunch {
  init(_ record: LaunchRecord) {
    self.init(
      format: LaunchRecord.formatName, version: LaunchRecord.formatVersion, name: record.outline.name,
      header: record.header, manifest: record.outline.manifest, run: RecordedRun(record),
      events: record.events.map(RecordedEvent.init))
  }
}

extension RecordedPlan {
  init(_ outline: LaunchOutline) {
    var options = outline.options
    // The outline of event handlers has the event's name, and its options have the event's payload.
    options.payload = options.payload.map { EmittedEvent.written($0, of: outline.name) }
    self.init(
      launch: options, safeMode: outline.safeMode, budget: outline.budgetTime, timeout: outline.timeoutTime)
  }
}

extension RecordedRun {
  init(_ record: LaunchRecord) {
    self.init(
      plan: RecordedPlan(record.outline), startedAt: record.startedAt,
      outcome: RecordedOutcome(record.outcome, in: record.outline),
      cancellation: record.cancellation.map(RecordedReason.init), duration: record.elapsedTime,
      healthyAt: record.healthyTime, steps: RecordedStep.all(of: record))
  }
}

extension RecordedEvent {
  init(_ event: EventRecord) { self.init(head: Head(event), run: RecordedRun(event.record)) }
}

extension RecordedEvent.Head {
  init(_ event: EventRecord) { self.init(event: event.event, scene: event.scene, time: event.time) }
}

extension RecordedStepPlan {
  /// Returns the steps of an outline in manifest order.
  static func all(of outline: LaunchOutline) -> [RecordedStepPlan] {
    let locations = outline.locations()
    return outline.indices.map { RecordedStepPlan(step: $0, of: outline, at: locations[$0]) }
  }

  fileprivate init(step: Int, of outline: LaunchOutline, at location: SourceLocation?) {
    self.init(
      outline: outline[step], after: outline.predecessors(of: step).map { outline[$0].id },
      location: location)
  }
}

extension RecordedStep {
  fileprivate static func all(of record: LaunchRecord) -> [RecordedStep] {
    let path = CriticalPath(of: record)
    let roots = record.skipRoots
    return zip(record, RecordedStepPlan.all(of: record.outline)).map { step, planned in
      // A chain may be as long as the launch; its root and the nearest links say what there is to know.
      var causes = record.causeChain(of: step.index, atMost: 16)
      if let root = roots[step.index], let first = causes.first, first != root { causes[0] = root }
      return RecordedStep(
        planned: planned, state: RecordedState(step.state, in: record.outline),
        causes: causes.map { record.outline[$0].id }, execution: step.execution,
        isCritical: path.contains(step.index), slack: path.slack(of: step.index), details: step.details)
    }
  }
}

extension RecordedState {
  init(_ state: StepState, in outline: LaunchOutline) {
    let reason: RecordedReason? =
      switch state {
      case .skipped(let reason): RecordedReason(reason, in: outline)
      case .cancelled(let reason): RecordedReason(reason)
      case .waiting, .ready, .running, .succeeded, .failed, .timedOut: nil
      }
    self.init(kind: state.kind, failure: state.failure, reason: reason)
  }
}

extension RecordedOutcome {
  init(_ outcome: LaunchOutcome, in outline: LaunchOutline) {
    self.init(kind: outcome.kind)
    switch outcome {
    case .failed(let step): failedStep = outline[step].id
    case .cancelled(let reason): self.reason = RecordedReason(.requested(reason))
    case .running, .succeeded, .timedOut: break
    }
  }
}

extension RecordedReason {
  init(_ reason: CancelReason) { self.init(kind: reason.name, text: reason.text) }

  init(_ reason: SkipReason, in outline: LaunchOutline) {
    self.init(kind: reason.name, text: reason.text(in: outline))
    switch reason {
    case .dependency(let step), .stopped(by: let step): self.step = outline[step].id
    case .excluded, .condition, .unnecessary, .safeMode: break
    }
  }
}

extension LaunchOutline {
  /// Writes the members of a step that are known before it runs. `appboot list` uses it.
  package func write(step index: Int, at location: SourceLocation?, to writer: inout JSONWriter) {
    writer.members(of: RecordedStepPlan(step: index, of: self, at: location))
  }
}

extension JSONWriter {
  /// Writes the reason why a step is skipped as a member.
  package mutating func member(_ name: String, _ reason: SkipReason, in outline: LaunchOutline) {
    member(name, RecordedReason(reason, in: outline))
  }
}
