import AppBoot

extension StartupEvent {
  /// Reads an event from its object; returns `nil` for a kind that this version does not know.
  init?(reading object: RecordObject, with reader: RecordReader) throws(RecordError) {
    let time = try object.requiredTime("at")
    guard let kind = try Kind(reading: object, with: reader) else { return nil }
    self.init(kind, at: time)
  }
}

extension StartupEvent.Kind {
  fileprivate init?(reading object: RecordObject, with reader: RecordReader) throws(RecordError) {
    switch try object.string("kind") {
    case "launchStarted": self = .launchStarted
    case "markedHealthy": self = .markedHealthy
    case "cancelled":
      self = .cancelled(reason: try object.object("reason").map(reader.cancelReason) ?? .requested(""))
    case "launchEnded": self = .launchEnded(try reader.outcome(in: object))
    case let name:
      guard Self.stepKinds.contains(name) else { return nil }
      try self.init(name, of: try reader.stepIndex("step", of: object), object, reader)
    }
  }

  /// The names of the kinds that have a step.
  private static let stepKinds: Set<String> = [
    "ready", "started", "retrying", "overran", "noted", "announced", "processStarted", "killed", "output",
    "spanStarted", "spanEnded", "valueRead", "valueProvided", "emitted", "declined", "usedCPU", "ended",
    "undoStarted", "undoEnded",
  ]

  private init?(
    _ name: String, of step: Int, _ object: RecordObject, _ reader: RecordReader
  ) throws(RecordError) {
    switch name {
    case "ready": self = .ready(step: step)
    case "started": self = .started(step: step, attempt: try object.required("attempt", in: Self.counts))
    case "retrying":
      self = .retrying(
        step: step, attempt: try object.required("attempt", in: Self.counts),
        failure: try object.part("failure") ?? Failure(message: "", type: ""),
        delay: .nanoseconds(try object.span("delay") ?? 0))
    case "overran": self = .overran(step: step)
    case "noted": self = .noted(step: step, text: try object.string("text"))
    case "announced": self = .announced(step: step, text: try object.string("text"))
    case "processStarted":
      self = .processStarted(
        step: step, attempt: try object.required("attempt", in: Self.counts),
        pid: try object.required("pid", in: 1...Int32.max),
        commandLine: try object.optionalString("commandLine")?.cut(toScalars: CommandLineText.longest))
    case "killed": self = .killed(step: step, after: .nanoseconds(try object.requiredTime("after")))
    case "output":
      self = .output(
        step: step, attempt: try object.required("attempt", in: Self.counts),
        stream: StartupEvent.OutputStream(rawValue: try object.string("stream")) ?? .stdout,
        line: try object.string("text"))
    case "valueRead":
      self = .valueRead(step: step, name: try object.string("name"), found: try object.flag("found"))
    case "valueProvided": self = .valueProvided(step: step, name: try object.string("name"))
    case "emitted":
      self = .emitted(
        step: step, event: try object.string("event"), payload: try object.optionalString("payload"))
    case "declined": self = .declined(step: step)
    case "usedCPU": self = .usedCPU(step: step, time: .nanoseconds(try object.requiredTime("time")))
    case "ended": self = .ended(step: step, state: try reader.state(of: object))
    case "undoStarted": self = .undoStarted(step: step)
    case "undoEnded": self = .undoEnded(step: step, failure: try object.part("failure"))
    default: try self.init(span: name, of: step, object)
    }
  }

  private init?(span name: String, of step: Int, _ object: RecordObject) throws(RecordError) {
    let span: Int = try object.required("span", in: 0...Int(Int32.max))
    switch name {
    case "spanStarted":
      self = .spanStarted(
        step: step, span: span, parent: try object.integer("parent", in: 0...Int(Int32.max)),
        name: try object.string("name"))
    case "spanEnded": self = .spanEnded(step: step, span: span, error: try object.optionalString("error"))
    default: return nil
    }
  }

  private static let counts = 1...Int(Int32.max)
}
