package import AppBoot

/// How busy the machine was beside launches, by the yardsticks that were measured with them.
///
/// A busy neighbour takes a third to two thirds of a processor's speed for as long as it lasts, and more of one kind of work
/// than of another. The yardsticks show it without a look at the launches' own times.
package struct MachineCalm {
  /// How much longer a fixed piece of work may take than at its best.
  static let tolerance = 1.15

  /// The baseline's sessions that are compared: those during which the machine was calm, or all where it never was.
  let sessions: [[StartupRecord]]
  /// Whether the machine was busier now than it was at its best.
  let isBusyNow: Bool

  /// Looks at all launches; without yardsticks beside each, or on different machines, nothing can be told.
  init(sessions: [[StartupRecord]], head: [StartupRecord]) {
    let all = sessions.flatMap(\.self) + head
    let canTell = all.allSatisfy { !$0.header.yardsticks.isEmpty && $0.header.host == all.first?.header.host }
    let limits = Self.limits(of: all)
    let calm = canTell ? sessions.filter { Self.isCalm($0, limits) } : []
    self.sessions = calm.isEmpty ? sessions : calm
    isBusyNow = canTell && !Self.isCalm(head, limits)
  }

  /// The times within which the yardsticks of a calm machine are; empty where none were measured.
  package static func limits(of records: [StartupRecord]) -> [Int64] {
    var best: [Int64] = []
    for times in records.map(\.header.yardsticks) where !times.isEmpty {
      best = best.isEmpty ? times : zip(best, times).map { min($0, $1) }
    }
    return best.map { Int64(Double($0) * tolerance) }
  }

  /// Whether each yardstick was within its limit beside one of the launches.
  private static func isCalm(_ records: [StartupRecord], _ limits: [Int64]) -> Bool {
    limits.indices.allSatisfy { kind in
      records.contains { record in
        let times = record.header.yardsticks
        return times.indices.contains(kind) && times[kind] <= limits[kind]
      }
    }
  }
}
