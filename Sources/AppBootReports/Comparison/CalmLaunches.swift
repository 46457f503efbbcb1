package import AppBoot

/// The launches during which the machine was about as quick as it ever was, by the yardsticks beside them.
///
/// A busy neighbour takes a third to two thirds of a processor's speed for as long as it lasts. Which launches had one is
/// seen without looking at their own times.
package struct CalmLaunches {
  /// How much longer a fixed piece of work may take than at its best.
  private static let tolerance = 1.15
  /// With fewer launches of a set it is better to take all.
  private static let fewest = 5

  /// The baseline's launches that are compared, by session.
  let sessions: [[StartupRecord]]
  /// The launches that are compared with them.
  let head: [StartupRecord]
  /// Whether yardsticks were measured beside all launches, on one machine.
  let canTell: Bool
  /// Whether these are the calm ones.
  let areCalm: Bool

  /// Chooses the calm launches, of the sessions that have enough of them; all launches where the head has too few, or where
  /// they ran on different machines.
  init(sessions: [[StartupRecord]], head: [StartupRecord]) {
    let all = sessions.flatMap(\.self) + head
    canTell = all.allSatisfy { !$0.header.yardsticks.isEmpty && $0.header.host == all.first?.header.host }
    let limits = Self.limits(of: all)
    let calm = sessions.map { $0.filter { Self.isCalm($0, limits) } }.filter { $0.count >= Self.fewest }
    let calmHead = head.filter { Self.isCalm($0, limits) }
    areCalm = canTell && !calm.isEmpty && calmHead.count >= Self.fewest
    self.sessions = areCalm ? calm : sessions
    self.head = areCalm ? calmHead : head
  }

  /// The times within which the yardsticks of a calm launch are; empty where none were measured.
  package static func limits(of records: [StartupRecord]) -> [Int64] {
    var best: [Int64] = []
    for times in records.map(\.header.yardsticks) where !times.isEmpty {
      best = best.isEmpty ? times : zip(best, times).map { min($0, $1) }
    }
    return best.map { Int64(Double($0) * tolerance) }
  }

  private static func isCalm(_ record: StartupRecord, _ limits: [Int64]) -> Bool {
    let times = record.header.yardsticks
    return times.count >= limits.count && !times.isEmpty && zip(times, limits).allSatisfy { $0 <= $1 }
  }
}
