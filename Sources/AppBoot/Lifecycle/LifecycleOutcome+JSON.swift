extension LifecycleOutcome {
  /// What became of the event as one line of JSON, without the line feed; for programs that sent it.
  ///
  /// `event`, `scene`, `succeeded`, and `refusal`, or else `answer`, `commands` (how they ended), `listeners` (how many
  /// were told), `failures` and `problems` (in words). Further members may follow in later versions.
  public var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("event", event.name)
      if let scene = event.scope.scene { writer.member("scene", scene.name) }
      writer.member("succeeded", succeeded)
      if let refusal {
        writer.member("refusal", refusal.description)
      } else {
        writeAnswer(to: &writer)
      }
    }
    return writer.text
  }

  private func writeAnswer(to writer: inout JSONWriter) {
    writer.key("answer")
    response.answer.write(to: &writer)
    if let record { writer.member("commands", record.outcome.name) }
    writer.member("listeners", listeners.listeners)
    let steps = record?.failures ?? []
    let failed = steps.map { "\($0.id) failed: \($0.state.failure?.message ?? "")" }
    writer.member("failures", failed + listeners.failures.map(\.description))
    writer.member("problems", response.problems.map(\.description))
  }
}

extension LifecycleAnswer {
  /// `null`, `true` or `false`, a fetch result's name, or the options' names in an array.
  fileprivate func write(to writer: inout JSONWriter) {
    switch self {
    case .acknowledged: writer.null()
    case .bool(let flag): writer.value(flag)
    case .fetch(let result): writer.value(result.rawValue)
    case .presentation(let options):
      writer.array { writer in
        for name in options.names { writer.value(name) }
      }
    }
  }
}
