public import AppBoot

extension StartupEvent {
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
  package func json(in outline: LaunchOutline, at time: Int64, startedAt: String?) -> String {
    var writer = JSONWriter()
    write(to: &writer, in: outline, at: time, startedAt: startedAt)
    return writer.text
  }

  /// Writes the event as a JSON object. By default it has its own time.
  func write(
    to writer: inout JSONWriter, in outline: LaunchOutline, at time: Int64? = nil, startedAt: String? = nil
  ) {
    writer.object { writer in
      writer.member("kind", kind.name)
      writer.member("at", time ?? moment)
      if let startedAt { writer.member("startedAt", startedAt) }
      if let step = kind.step { writer.member("step", outline[step].id) }
      kind.write(to: &writer, in: outline)
    }
  }
}

extension StartupEvent.Kind {
  fileprivate func write(to writer: inout JSONWriter, in outline: LaunchOutline) {
    switch self {
    case .launchStarted:
      writer.member("format", "appboot-events")
      writer.member("version", StartupRecord.formatVersion)
      writer.member("name", outline.name)
      writer.member("steps", outline.map(\.id))
    case .ready, .overran, .declined, .undoStarted, .markedHealthy: break
    case .started(_, let attempt): writer.member("attempt", attempt)
    case .retrying(_, let attempt, let failure, let delay):
      writer.member("attempt", attempt)
      writer.member("delay", delay.nanoseconds)
      writer.member("failure", failure)
    case .noted(_, let text), .announced(_, let text): writer.member("text", text)
    case .processStarted(_, let attempt, let pid, let commandLine):
      writer.member("attempt", attempt)
      writer.member("pid", pid)
      if let commandLine { writer.member("commandLine", commandLine) }
    case .killed(_, let time): writer.member("after", time.nanoseconds)
    case .output(_, let attempt, let stream, let line):
      writer.member("attempt", attempt)
      writer.member("stream", stream.rawValue)
      writer.member("text", line)
    case .spanStarted(_, let span, let parent, let name):
      writer.member("span", span)
      if let parent { writer.member("parent", parent) }
      writer.member("name", name)
    case .spanEnded(_, let span, let error):
      writer.member("span", span)
      if let error { writer.member("error", error) }
    case .valueRead(_, let name, let found):
      writer.member("name", name)
      writer.member("found", found)
    case .valueProvided(_, let name): writer.member("name", name)
    case .emitted(_, let event, let payload):
      writer.member("event", event)
      if let payload { writer.member("payload", EmittedEvent.written(payload, of: event)) }
    case .usedCPU(_, let time): writer.member("time", time.nanoseconds)
    case .ended(_, let state): writer.members(of: RecordedState(state, in: outline))
    case .undoEnded(_, let failure): if let failure { writer.member("failure", failure) }
    case .cancelled(let reason): writer.member("reason", RecordedReason(reason))
    case .launchEnded(let outcome): writer.members(of: RecordedOutcome(outcome, in: outline))
    }
  }
}
