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
    switch try object.required("kind", .text) {
    case "launchStarted": self = .launchStarted
    case "markedHealthy": self = .markedHealthy
    case "cancelled":
      let reason = try object.optional("reason", RecordForm<RecordedReason>.part)
      self = .cancelled(reason: reason?.cancellation ?? .requested(""))
    case "launchEnded": self = .launchEnded(try steps.outcome(try object.members(), in: object))
    case let name:
      guard Self.stepKinds.contains(name) else { return nil }
      try self.init(name, of: try steps.index(at: "step", in: object), object, steps)
    }
  }

  /// The names of the kinds that have a step.
  private static let stepKinds: Set<String> = [
    "ready", "started", "retrying", "overran", "noted", "announced", "processStarted", "killed", "output",
    "spanStarted", "spanEnded", "valueRead", "valueProvided", "emitted", "declined", "usedCPU", "ended",
    "undoStarted", "undoEnded",
  ]

  private init?(
    _ name: String, of step: Int, _ object: RecordObject, _ steps: RecordedSteps
  ) throws(RecordError) {
    switch name {
    case "ready": self = .ready(step: step)
    case "started": self = .started(step: step, attempt: try object.required("attempt", .count))
    case "retrying":
      self = .retrying(
        step: step, attempt: try object.required("attempt", .count),
        failure: try object.optional("failure", .part) ?? Failure(message: "", type: ""),
        delay: .nanoseconds(try object.optional("delay", .duration) ?? 0))
    case "overran": self = .overran(step: step)
    case "noted": self = .noted(step: step, text: try object.required("text", .text))
    case "announced": self = .announced(step: step, text: try object.required("text", .text))
    case "processStarted":
      self = .processStarted(
        step: step, attempt: try object.required("attempt", .count), pid: try object.required("pid", .pid),
        commandLine: try object.optional("commandLine", .text)?.cut(toScalars: CommandLineText.longest))
    case "killed": self = .killed(step: step, after: .nanoseconds(try object.required("after", .time)))
    case "output":
      self = .output(
        step: step, attempt: try object.required("attempt", .count),
        stream: StartupEvent.OutputStream(rawValue: try object.required("stream", .text)) ?? .stdout,
        line: try object.required("text", .text))
    case "spanStarted":
      self = .spanStarted(
        step: step, span: try object.required("span", .index), parent: try object.optional("parent", .index),
        name: try object.required("name", .text))
    case "spanEnded":
      self = .spanEnded(
        step: step, span: try object.required("span", .index), error: try object.optional("error", .text))
    case "valueRead":
      self = .valueRead(
        step: step, name: try object.required("name", .text),
        found: try object.optional("found", .flag) ?? false)
    case "valueProvided": self = .valueProvided(step: step, name: try object.required("name", .text))
    case "emitted":
      self = .emitted(
        step: step, event: try object.required("event", .text),
        payload: try object.optional("payload", .text))
    case "declined": self = .declined(step: step)
    case "usedCPU": self = .usedCPU(step: step, time: .nanoseconds(try object.required("time", .time)))
    case "ended": self = .ended(step: step, state: try steps.state(try object.members(), in: object))
    case "undoStarted": self = .undoStarted(step: step)
    case "undoEnded": self = .undoEnded(step: step, failure: try object.optional("failure", .part))
    default: return nil
    }
  }
}

extension RecordForm<Int> {
  /// The index of a span in its step.
  fileprivate static var index: Self { .integer(in: 0...Int(Int32.max)) }
}
