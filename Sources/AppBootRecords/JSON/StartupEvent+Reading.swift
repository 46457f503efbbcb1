import AppBoot

extension StartupEvent {
  /// Reads an event from its object; returns `nil` for a kind that this version does not know.
  init?(reading object: RecordObject, of steps: RecordedSteps) throws(RecordError) {
    let time = try object.required("at", .time)
    guard let kind = try Kind(reading: object, of: steps) else { return nil }
    self.init(kind, at: time)
  }
}

extension StartupEvent.Kind {
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
        step: step(), attempt: object.required("attempt", .count),
        failure: object.optional("failure", .part) ?? Failure(message: "", type: ""),
        delay: .nanoseconds(object.optional("delay", .duration) ?? 0))
    case "overran": self = try .overran(step: step())
    case "noted": self = try .noted(step: step(), text: object.required("text", .text))
    case "announced": self = try .announced(step: step(), text: object.required("text", .text))
    case "processStarted":
      self = try .processStarted(
        step: step(), attempt: object.required("attempt", .count), pid: object.required("pid", .pid),
        commandLine: object.optional("commandLine", .text)?.cut(toScalars: CommandLineText.longest))
    case "killed": self = try .killed(step: step(), after: .nanoseconds(object.required("after", .time)))
    case "output":
      self = try .output(
        step: step(), attempt: object.required("attempt", .count),
        stream: StartupEvent.OutputStream(rawValue: object.required("stream", .text)) ?? .stdout,
        line: object.required("text", .text))
    case "spanStarted":
      self = try .spanStarted(
        step: step(), span: object.required("span", .index), parent: object.optional("parent", .index),
        name: object.required("name", .text))
    case "spanEnded":
      self = try .spanEnded(
        step: step(), span: object.required("span", .index), error: object.optional("error", .text))
    case "valueRead":
      self = try .valueRead(
        step: step(), name: object.required("name", .text), found: object.optional("found", .flag) ?? false)
    case "valueProvided": self = try .valueProvided(step: step(), name: object.required("name", .text))
    case "emitted":
      self = try .emitted(
        step: step(), event: object.required("event", .text), payload: object.optional("payload", .text))
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
