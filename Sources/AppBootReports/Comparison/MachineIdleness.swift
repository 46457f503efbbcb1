package import AppBoot

/// How busy the machine was beside launches, by the calibrations that were measured with them.
///
/// A busy neighbour takes a third to two thirds of a processor's speed for as long as it lasts, and more of one kind of work
/// than of another. The calibrations show it without a look at the launches' own times.
package struct MachineIdleness {
  /// How much longer a fixed piece of work may take than at its best.
  static let tolerance = 1.15
  /// How much longer it may usually take than in the calmest session.
  private static let usualTolerance = 1.1

  /// The baseline's sessions that are compared: those during which the machine was calm, or all where it never was.
  let sessions: [[StartupRecord]]
  /// Whether the machine was busier now than it was at its best.
  let isBusyNow: Bool

  /// Looks at all launches; without calibrations beside each, or on different machines, nothing can be told.
  init(sessions: [[StartupRecord]], head: [StartupRecord]) {
    let all = sessions.flatMap(\.self) + head
    let canTell = all.allSatisfy {
      !$0.header.calibrations.isEmpty && $0.header.host == all.first?.header.host
    }
    let limits = Self.limits(of: all)
    let calm = canTell ? sessions.filter { Self.isCalm($0, limits) } : []
    let judged = calm.isEmpty ? sessions : calm
    self.sessions = canTell ? Self.calmest(of: judged) : judged
    isBusyNow = canTell && !Self.isCalm(head, limits)
  }

  /// The times within which the calibrations of a calm machine are; empty where none were measured.
  package static func limits(of records: [StartupRecord]) -> [Int64] {
    var best: [Int64] = []
    for times in records.map(\.header.calibrations) where !times.isEmpty {
      best = best.isEmpty ? times : zip(best, times).map { min($0, $1) }
    }
    return best.map { Int64(Double($0) * tolerance) }
  }

  /// The sessions in which the calibrations usually took about what they took in the calmest one: a neighbour that comes and
  /// goes slows the median, and not the best.
  private static func calmest(of sessions: [[StartupRecord]]) -> [[StartupRecord]] {
    let usual = sessions.map { LaunchSet.calibrations(beside: $0).map(\.median) }
    guard let kinds = usual.map(\.count).min(), kinds > 0 else { return sessions }
    let best = (0..<kinds).map { kind in max(1, usual.map { $0[kind] }.min() ?? 1) }
    let factors = usual.map { times in (0..<kinds).map { Double(times[$0]) / Double(best[$0]) }.max() ?? 1 }
    let limit = max(usualTolerance, factors.min() ?? 1)
    return zip(sessions, factors).filter { $1 <= limit }.map(\.0)
  }

  /// Whether each calibration was within its limit beside one of the launches.
  private static func isCalm(_ records: [StartupRecord], _ limits: [Int64]) -> Bool {
    limits.indices.allSatisfy { kind in
      records.contains { record in
        let times = record.header.calibrations
        return times.indices.contains(kind) && times[kind] <= limits[kind]
      }
    }
  }
}
