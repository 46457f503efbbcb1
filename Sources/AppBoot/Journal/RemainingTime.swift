import AppBootSystem

/// How long a launch will still take, by how long its steps took before.
package struct RemainingTime: Sendable {
  /// A day: what is longer is damage, and sums of it do not overflow.
  private static let longest: Int64 = 86_400_000_000_000

  private let medians: [String: Int64]

  /// - Parameter medians: How long each step took, in nanoseconds by id.
  package init(medians: [String: Int64]) {
    self.medians = medians
  }

  /// How many files are looked at, and how long one may be.
  static let (mostFiles, mostBytes) = (8, 1 << 21)

  /// By the last launches that a state directory keeps and that booted: at most five of the last eight, and
  /// none of more than 2 MiB.
  package init(keptIn directory: String) {
    var times: [String: [Int64]] = [:]
    var known = 0
    for path in LaunchHistory(directory: directory).kept().suffix(Self.mostFiles).reversed() where known < 5 {
      guard let bytes = try? FileSystem.readStart(of: path, limit: Self.mostBytes + 1),
        bytes.count <= Self.mostBytes,
        let record = try? RecordArchive.read(SourceText(name: path, bytes: bytes)).record, record.succeeded
      else { continue }
      known += 1
      // A step that failed in a launch that booted was allowed to, and takes its time again.
      for step in record where step.execution.start != nil && step.execution.end != nil {
        times[step.id, default: []].append(step.execution.running)
      }
    }
    medians = times.mapValues { $0.sorted()[$0.count / 2] }
  }

  /// Nanoseconds from a time of the launch to its end: the longest way that is left, and at least what is left
  /// for the main lane. `nil` where a step that is still to end is not known.
  package func estimate(_ record: StartupRecord, at time: Int64) -> Int64? {
    var rest = [Int64](repeating: 0, count: record.count)
    var main: Int64 = 0
    for step in record where !step.state.hasEnded && step.step.skip == nil {
      guard let median = medians[step.id] else { return nil }
      let elapsed = step.execution.start.map { max(0, time) - $0 } ?? 0
      rest[step.index] = max(0, max(0, min(median, Self.longest)) - max(0, elapsed))
      if step.step.lane == .main { main += rest[step.index] }
    }
    return max(main, LongestPath.remainingPaths(record.outline.graph, rest).max() ?? 0)
  }
}
