/// How long the steps of a launch took the last few times, kept in its state: what to start first goes by it.
package enum RecentDurations {
  /// How many launches are remembered of each step.
  static let depth = 5
  private static let name = "durations.json"

  /// The median of each step's remembered times, in nanoseconds by id; empty where nothing can be read.
  package static func medians(in state: any StateStore) -> [String: Int64] {
    durations(in: state).compactMapValues { times in
      let sorted = times.sorted()
      return sorted.isEmpty ? nil : sorted[sorted.count / 2]
    }
  }

  /// Adds the times of a launch; one that ran out of time took as long as it may, and one that
  /// failed or was cancelled says nothing of how long it takes.
  ///
  /// - Throws: What the state throws where it cannot keep them.
  package static func add(_ record: StartupRecord, to state: any StateStore) throws {
    let known = durations(in: state)
    var writer = JSONWriter()
    writer.object { writer in
      for step in record {
        let before = known[step.id] ?? []
        let times = step.state.tellsHowLong ? before + [step.execution.running] : before
        guard !times.isEmpty else { continue }
        writer.key(step.id)
        writer.array { writer in times.suffix(depth).forEach { writer.value($0) } }
      }
    }
    try state.write(name, Array(writer.text.utf8))
  }

  /// A file that is damaged is as good as none: it is written anew after the launch.
  private static func durations(in state: any StateStore) -> [String: [Int64]] {
    guard let bytes = (try? state.read(name)) ?? nil,
      let document = try? JSONDocument(parsing: SourceText(name: name, bytes: bytes))
    else { return [:] }
    var durations: [String: [Int64]] = [:]
    for (key, value) in document.root.pairs {
      durations[key.string] = value.elements.compactMap { try? $0.integer(as: Int64.self) }.filter { $0 >= 0 }
    }
    return durations
  }
}

extension StepState {
  /// Whether a step that ended so is likely to take as long the next time.
  fileprivate var tellsHowLong: Bool {
    switch self {
    case .succeeded, .timedOut: true
    case .waiting, .ready, .running, .failed, .cancelled, .skipped: false
    }
  }
}
