public import AppBoot

extension LaunchEvent {
  /// Returns the event as one line of JSON without a line feed.
  ///
  /// It has `kind`, `at` in nanoseconds, `step` with the step's id, and members that depend on the kind.
  ///
  /// The first event, `launchStarted`, also has the format's version and the launch's steps. A reader should ignore
  /// kinds and members that it does not know.
  public func json(in outline: LaunchOutline) -> String {
    json(in: outline, at: moment, startedAt: nil)
  }

  /// Returns the event as a line of a stream that contains several launches.
  ///
  /// - Parameters:
  ///   - time: The nanoseconds since the start of the stream.
  ///   - startedAt: The wall time of the stream's start. Only the first event has it; `nil` for all others.
  ///   - handled: The name of the lifecycle event whose handlers the launch runs; `nil` for other launches.
  package func json(
    in outline: LaunchOutline, at time: Int64, startedAt: String?, handled: String? = nil
  ) -> String {
    var writer = JSONWriter()
    write(to: &writer, in: outline, at: time, startedAt: startedAt, handled: handled)
    return writer.text
  }

  /// Writes the event as a JSON object. By default it has its own time.
  func write(
    to writer: inout JSONWriter, in outline: LaunchOutline, at time: Int64? = nil, startedAt: String? = nil,
    handled: String? = nil
  ) {
    writer.object { writer in
      writer.member("kind", kind.name)
      writer.member("at", time ?? moment)
      if let startedAt { writer.member("startedAt", startedAt) }
      if let step = kind.step {
        writer.member("step", outline[step].id)
      } else if let handled {
        writer.member("event", handled)
      }
      kind.write(to: &writer, in: outline)
    }
  }
}

extension LaunchEvent.Kind {
  fileprivate func write(to writer: inout JSONWriter, in outline: LaunchOutline) {
    switch self {
    case .launchStarted:
      writer.member("format", "appboot-events")
      writer.member("version", LaunchRecord.formatVersion)
      writer.member("name", outline.name)
      writer.member("steps", outline.map(\.id))
    case .ready, .overran, .declined, .undoStarted, .markedHealthy: break
    case .started(_, let attempt): writer.member("attempt", attempt)
    case .retrying(let retry):
      writer.member("attempt", retry.attempt)
      writer.member("delay", retry.delay.nanoseconds)
      writer.member("failure", retry.failure)
    case .noted(_, let text), .announced(_, let text): writer.member("text", text)
    case .processStarted(let start):
      writer.member("attempt", start.attempt)
      writer.member("pid", start.pid)
      if let commandLine = start.commandLine { writer.member("commandLine", commandLine) }
    case .killed(_, let time): writer.member("after", time.nanoseconds)
    case .output(let output):
      writer.member("attempt", output.attempt)
      writer.member("stream", output.stream.rawValue)
      writer.member("text", output.line)
    case .spanStarted(let start):
      writer.member("span", start.span)
      if let parent = start.parent { writer.member("parent", parent) }
      writer.member("name", start.name)
    case .spanEnded(let end):
      writer.member("span", end.span)
      if let error = end.error { writer.member("error", error) }
    case .valueRead(let read):
      writer.member("name", read.name)
      writer.member("found", read.found)
    case .valueProvided(_, let name): writer.member("name", name)
    case .emitted(let emission):
      writer.member("event", emission.event)
      if let payload = emission.payload {
        writer.member("payload", EmittedEvent.written(payload, of: emission.event))
      }
    case .usedCPU(_, let time): writer.member("time", time.nanoseconds)
    case .ended(_, let state): writer.members(of: RecordedState(state, in: outline))
    case .undoEnded(_, let failure): if let failure { writer.member("failure", failure) }
    case .cancelled(let reason): writer.member("reason", RecordedReason(reason))
    case .launchEnded(let outcome): writer.members(of: RecordedOutcome(outcome, in: outline))
    }
  }
}

extension LaunchEvent {
  /// Reads an event from its object; returns `nil` for a kind that this version does not know.
  init?(reading object: RecordObject, of steps: RecordedSteps) throws(RecordError) {
    let time = try object.required("at", .time)
    guard let kind = try Kind(reading: object, of: steps) else { return nil }
    self.init(kind, at: time)
  }
}

extension LaunchEvent.Kind {
  fileprivate init?(reading object: RecordObject, of steps: RecordedSteps) throws(RecordError) {
    func step() throws(RecordError) -> Int { try steps.index(at: "step", in: object) }
    switch try object.required("kind", .text) {
    case "launchStarted": self = .launchStarted
    case "markedHealthy": self = .markedHealthy
    case "cancelled":
      let reason = try object.optional("reason", RecordForm<RecordedReason>.part)
      self = .cancelled(reason: reason?.cancellation ?? .requested(""))
    case "launchEnded": self = try .launchEnded(steps.outcome(object.members(), in: object))
    case "ready": self = try .ready(step: step())
    case "started": self = try .started(step: step(), attempt: object.required("attempt", .count))
    case "retrying":
      self = try .retrying(
        .init(
          step: step(), attempt: object.required("attempt", .count),
          failure: object.optional("failure", .part) ?? Failure(message: "", type: ""),
          delay: .nanoseconds(object.optional("delay", .duration) ?? 0)))
    case "overran": self = try .overran(step: step())
    case "noted": self = try .noted(step: step(), text: object.required("text", .text))
    case "announced": self = try .announced(step: step(), text: object.required("text", .text))
    case "processStarted":
      self = try .processStarted(
        .init(
          step: step(), attempt: object.required("attempt", .count), pid: object.required("pid", .pid),
          commandLine: object.optional("commandLine", .text)?.cut(toScalars: CommandLineText.longest)))
    case "killed": self = try .killed(step: step(), after: .nanoseconds(object.required("after", .time)))
    case "output":
      self = try .output(
        .init(
          step: step(), attempt: object.required("attempt", .count),
          stream: LaunchEvent.OutputStream(rawValue: object.required("stream", .text)) ?? .stdout,
          line: object.required("text", .text)))
    case "spanStarted":
      self = try .spanStarted(
        .init(
          step: step(), span: object.required("span", .index), parent: object.optional("parent", .index),
          name: object.required("name", .text)))
    case "spanEnded":
      self = try .spanEnded(
        .init(
          step: step(), span: object.required("span", .index), error: object.optional("error", .text)))
    case "valueRead":
      self = try .valueRead(
        .init(
          step: step(), name: object.required("name", .text), found: object.optional("found", .flag) ?? false)
      )
    case "valueProvided": self = try .valueProvided(step: step(), name: object.required("name", .text))
    case "emitted":
      self = try .emitted(
        .init(
          step: step(), event: object.required("event", .text), payload: object.optional("payload", .text)))
    case "declined": self = try .declined(step: step())
    case "usedCPU": self = try .usedCPU(step: step(), time: .nanoseconds(object.required("time", .time)))
    case "ended": self = try .ended(step: step(), state: steps.state(object.members(), in: object))
    case "undoStarted": self = try .undoStarted(step: step())
    case "undoEnded": self = try .undoEnded(step: step(), failure: object.optional("failure", .part))
    default: return nil
    }
  }
}

extension RecordForm<Int> {
  /// The index of a span in its step.
  fileprivate static var index: Self { .integer(in: 0...Int(Int32.max)) }
}
