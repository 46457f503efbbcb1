import AppBoot

extension LifecycleOutcome {
  /// The outcome as one line of JSON without a line feed, for the program that sent the event.
  ///
  /// The members are `event`, `scene`, `succeeded`, and either `refusal` or all of the following:
  /// - `answer`: the merged answer
  /// - `commands`: the outcome of the event handlers
  /// - `listeners`: the number of listeners that received the event
  /// - `failures` and `problems`: messages
  ///
  /// Later versions may add members.
  package var json: String { json(upTo: .max) }

  /// Returns the JSON of ``json``. `failures` and `problems` are truncated so that the JSON fits in `limit` bytes.
  ///
  /// Together they get an eighth of `limit` bytes. A byte takes at most six bytes in JSON, so the result stays within
  /// the limit.
  package func json(upTo limit: Int) -> String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("event", event.name)
      if let scene = event.scene { writer.member("scene", scene.name) }
      writer.member("succeeded", succeeded)
      if let refusal {
        writer.member("refusal", refusal.description)
      } else {
        writeAnswer(to: &writer, upTo: limit)
      }
    }
    return writer.text
  }

  private func writeAnswer(to writer: inout JSONWriter, upTo limit: Int) {
    writer.key("answer")
    response.answer.write(to: &writer)
    if let record { writer.member("commands", record.outcome.name) }
    writer.member("listeners", listeners.listenerCount)
    let steps = record?.failures ?? []
    let failed = steps.map { "\($0.id) failed: \($0.state.failure?.message ?? "")" }
    let thrown = listeners.failures.map { "\($0.source) failed at \(event.name): \($0.message)" }
    writer.member("failures", Self.cut(failed + thrown, to: limit / 16))
    writer.member("problems", Self.cut(response.problems.map(\.description), to: limit / 16))
  }

  /// Returns the texts that fit in `limit` bytes.
  ///
  /// If there is room, the next text follows, truncated. The number of omitted texts is the last text.
  private static func cut(_ texts: [String], to limit: Int) -> [String] {
    var left = limit
    var kept: [String] = []
    for text in texts {
      // Each text also needs its quotes and a comma.
      let count = text.utf8.count + 4
      guard count > left else {
        left -= count
        kept.append(text)
        continue
      }
      if left > 64 { kept.append(text.cut(to: left - 64)) }
      let others = texts.count - kept.count
      return others == 0 ? kept : kept + ["\(others) more omitted"]
    }
    return kept
  }
}

extension LifecycleAnswer {
  /// Writes `null`, a Boolean, the name of a fetch result, or an array of option names.
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
