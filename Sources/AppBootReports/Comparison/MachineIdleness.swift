package import AppBoot

/// A judgement of whether the machine was idle or busy during launches. It uses only their calibration runs.
///
/// Other work on the machine takes a third to two thirds of a CPU's speed, and slows some kinds of work more than
/// others. Calibration runs show this independently of the launches' own times.
package struct MachineIdleness {
  /// The maximum factor by which a calibration run on an idle machine exceeds its best time.
  static let tolerance = 1.15
  /// The maximum factor by which a session's median calibration run may exceed that of the idlest session.
  private static let medianTolerance = 1.1

  /// The sessions of the base to compare with: the idlest of those on an idle machine.
  ///
  /// If no session had an idle machine, they are the idlest of all. If idleness is unknown, they are all sessions.
  let sessions: [[StartupRecord]]
  /// True if the machine was busier during the head's launches than at its best.
  let isBusyNow: Bool

  /// Judges the launches of all sessions and of the head.
  ///
  /// Every session counts as idle if a launch has no calibration runs, or if the launches ran on different machines.
  init(sessions: [[StartupRecord]], head: [StartupRecord]) {
    let all = sessions.flatMap(\.self) + head
    let isKnown = all.allSatisfy {
      !$0.header.calibrations.isEmpty && $0.header.host == all.first?.header.host
    }
    let limits = Self.limits(of: all)
    let idle = isKnown ? sessions.filter { Self.isIdle($0, limits) } : []
    let judged = idle.isEmpty ? sessions : idle
    self.sessions = isKnown ? Self.idlest(of: judged) : judged
    isBusyNow = isKnown && !head.isEmpty && !Self.isIdle(head, limits)
  }

  /// Returns the maximum nanoseconds that each kind of calibration run takes on an idle machine.
  ///
  /// Returns an empty array if no launch has calibration runs.
  package static func limits(of records: [StartupRecord]) -> [Int64] {
    var best: [Int64] = []
    for times in records.map(\.header.calibrations) where !times.isEmpty {
      best = best.isEmpty ? times : zip(best, times).map { min($0, $1) }
    }
    return best.map { Int64(Double($0) * tolerance) }
  }

  /// Returns the sessions whose median calibration runs are close to those of the idlest session.
  ///
  /// Other work that comes and goes slows the median, but not the best time.
  private static func idlest(of sessions: [[StartupRecord]]) -> [[StartupRecord]] {
    let medians = sessions.map { LaunchSet.calibrations(of: $0).map(\.median) }
    guard let kinds = medians.map(\.count).min(), kinds > 0 else { return sessions }
    let best = (0..<kinds).map { kind in max(1, medians.map { $0[kind] }.min() ?? 1) }
    let factors = medians.map { times in (0..<kinds).map { Double(times[$0]) / Double(best[$0]) }.max() ?? 1 }
    let limit = max(medianTolerance, factors.min() ?? 1)
    return zip(sessions, factors).filter { $1 <= limit }.map(\.0)
  }

  /// Returns whether each kind of calibration run was within its limit for at least one launch.
  private static func isIdle(_ records: [StartupRecord], _ limits: [Int64]) -> Bool {
    limits.indices.allSatisfy { kind in
      records.contains { record in
        let times = record.header.calibrations
        return times.indices.contains(kind) && times[kind] <= limits[kind]
      }
    }
  }
}
