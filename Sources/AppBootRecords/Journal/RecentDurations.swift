package import AppBoot

/// The recorded durations of a manifest's steps, which are stored in the state.
///
/// They decide which ready step starts first, and give the estimate of a launch's remaining time.
package enum RecentDurations {
  /// The maximum number of launches whose durations are stored for each step.
  static let depth = 5
  private static let name = "durations.json"

  /// Returns the medians of the recorded durations of a manifest's steps in nanoseconds, by step id.
  ///
  /// Returns an empty dictionary if the state cannot be read.
  package static func medians(in state: any StateStore, of manifest: String? = nil) -> [String: Int64] {
    durations(in: state, of: manifest).compactMapValues { times in
      let sorted = times.sorted()
      return sorted.isEmpty ? nil : sorted[sorted.count / 2]
    }
  }

  /// Adds the durations of a launch's steps.
  ///
  /// A step that timed out is recorded with the time until then. A failed step is recorded only if the launch succeeded
  /// in spite of it, because it will probably take as long again. A cancelled step is not recorded.
  ///
  /// - Throws: The error of the state store if the state cannot be written.
  package static func add(_ record: LaunchRecord, to state: any StateStore) throws {
    let manifest = record.outline.manifestName
    let known = durations(in: state, of: manifest)
    let json = JSONWriter.object { writer in
      for step in record {
        let before = known[step.id] ?? []
        let times = record.isTypical(step.state) ? before + [step.execution.runningTime] : before
        guard !times.isEmpty else { continue }
        writer.array(step.id) { writer in times.suffix(depth).forEach { writer.value($0) } }
      }
    }
    try state.write(ManifestScope.name(Self.name, of: manifest), Array(json.utf8))
  }

  /// Returns the stored durations by step id. A damaged file counts as absent, and is replaced after the launch.
  private static func durations(in state: any StateStore, of manifest: String?) -> [String: [Int64]] {
    let name = ManifestScope.name(Self.name, of: manifest)
    guard let bytes = (try? state.read(name)) ?? nil,
      let document = try? JSONDocument(parsing: SourceText(name: name, bytes: bytes))
    else { return [:] }
    var durations: [String: [Int64]] = [:]
    for (key, value) in document.root.members {
      durations[key.string] = value.elements.compactMap { try? $0.integer(as: Int64.self) }.filter { $0 >= 0 }
    }
    return durations
  }
}

extension LaunchRecord {
  /// Returns whether a step that ended in this state will probably take as long in the next launch.
  fileprivate func isTypical(_ state: StepState) -> Bool {
    switch state {
    case .succeeded, .timedOut: true
    case .failed: succeeded
    case .waiting, .ready, .running, .cancelled, .skipped: false
    }
  }
}

/// An estimator of the remaining time of a launch. It uses recorded durations.
package struct RemainingTime: Sendable {
  /// The maximum duration that is used: a day in nanoseconds.
  ///
  /// A longer duration comes from a damaged file. Sums of days do not overflow.
  private static let longest: Int64 = 86_400_000_000_000
  /// The nanoseconds by which a step exceeds its recorded duration before the remaining time counts as unknown.
  private static let leastExcess: Int64 = 1_000_000_000

  private let medians: [String: Int64]

  /// Creates an estimator.
  ///
  /// - Parameter medians: The recorded durations of the steps in nanoseconds, by step id.
  package init(medians: [String: Int64]) {
    self.medians = medians
  }

  /// Returns the estimated nanoseconds from a time in the launch to its end.
  ///
  /// Returns `nil` if the launch is being cancelled, or if a step that has not ended has no recorded duration, or has
  /// taken more than twice as long. The estimate is the longest remaining path, and at least the remaining work of the
  /// main lane.
  package func estimate(_ record: LaunchRecord, at time: Int64) -> Int64? {
    guard record.cancellation == nil else { return nil }
    var rest = [Int64](repeating: 0, count: record.count)
    var main: Int64 = 0
    for step in record where !step.state.hasEnded && step.step.skip == nil {
      guard let median = medians[step.id].map({ max(0, min($0, Self.longest)) }) else { return nil }
      let elapsed = max(0, step.execution.startTime.map { max(0, time) - $0 } ?? 0)
      let excess = elapsed - median
      if excess > median, excess >= Self.leastExcess { return nil }
      rest[step.index] = max(0, -excess)
      if step.step.placement.usesMainLane { main += rest[step.index] }
    }
    return max(main, LongestPath.remainingPaths(record.outline.graph, rest).max() ?? 0)
  }
}
