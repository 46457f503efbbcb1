import AppBoot

extension LifecycleOutcome {
  /// What became of the event as one line of JSON, without the line feed; for programs that sent it.
  ///
  /// `event`, `scene`, `succeeded`, and `refusal`, or else `answer`, `commands` (how they ended), `listeners` (how many
  /// were told), `failures` and `problems` (in words). Further members may follow in later versions.
  public var json: String { json(upTo: .max) }

  /// The same, with failures and problems cut where their words are longer than an eighth of the limit, in bytes.
  ///
  /// Escapes make a byte six at most, so that the whole stays within the limit.
  package func json(upTo limit: Int) -> String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("event", event.name)
      if let scene = event.scope.scene { writer.member("scene", scene.name) }
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
    writer.member("listeners", listeners.listeners)
    let steps = record?.failures ?? []
    let failed = steps.map { "\($0.id) failed: \($0.state.failure?.message ?? "")" }
    writer.member("failures", Self.cut(failed + listeners.failures.map(\.description), to: limit / 16))
    writer.member("problems", Self.cut(response.problems.map(\.description), to: limit / 16))
  }

  /// The texts that fit, the one that does not cut, and how many are left out.
  private static func cut(_ texts: [String], to limit: Int) -> [String] {
    var left = limit
    var kept: [String] = []
    for text in texts {
      // The quotes and the comma count as well.
      let count = text.utf8.count + 4
      guard count > left else {
        left -= count
        kept.append(text)
        continue
      }
      if left > 64 { kept.append(text.cut(to: left - 64)) }
      let others = texts.count - kept.count
      return others == 0 ? kept : kept + ["\(others) more are left out"]
    }
    return kept
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
