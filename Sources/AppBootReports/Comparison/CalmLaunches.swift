package import AppBoot

/// The launches of a baseline and of now during which the machine was equally busy, by the yardsticks beside them.
///
/// A busy neighbour takes a third to two thirds of a processor's speed for as long as it lasts, and more of one kind of work
/// than of another. Which launches had one is seen without looking at their own times. Launches of the same level are compared:
/// the calm ones where there are enough, else those of the level that has most.
package struct CalmLaunches {
  /// How much longer a fixed piece of work takes at most within a level.
  private static let width = 1.15
  /// With fewer launches a level says too little.
  private static let fewest = 5

  /// The baseline's launches that are compared, by session.
  let sessions: [[StartupRecord]]
  /// The launches that are compared with them.
  let head: [StartupRecord]
  /// Whether yardsticks were measured beside all launches, on one machine.
  let canTell: Bool
  /// Whether these launches are of one level.
  let areAlike: Bool

  /// Chooses the level; all launches where there is none, or where they ran on different machines.
  init(sessions: [[StartupRecord]], head: [StartupRecord]) {
    let all = sessions.flatMap(\.self) + head
    canTell = all.allSatisfy { !$0.header.yardsticks.isEmpty && $0.header.host == all.first?.header.host }
    let best = canTell ? Self.best(all) : []
    let base = Dictionary(grouping: sessions.flatMap(\.self)) { Self.level(of: $0, best) }
    let now = Dictionary(grouping: head) { Self.level(of: $0, best) }
    func count(_ level: Int) -> Int { min(base[level]?.count ?? 0, now[level]?.count ?? 0) }
    let level = count(0) >= Self.fewest ? 0 : now.keys.sorted().max { count($0) < count($1) } ?? 0
    areAlike = canTell && count(level) >= Self.fewest
    self.head = areAlike ? now[level] ?? [] : head
    let alike = sessions.map { $0.filter { Self.level(of: $0, best) == level } }
    let large = alike.filter { $0.count >= Self.fewest }
    self.sessions = !areAlike ? sessions : large.isEmpty ? [alike.flatMap(\.self)] : large
  }

  /// The times within which the yardsticks of a calm launch are; empty where none were measured.
  package static func limits(of records: [StartupRecord]) -> [Int64] {
    best(records).map { Int64(Double($0) * width) }
  }

  private static func best(_ records: [StartupRecord]) -> [Int64] {
    var best: [Int64] = []
    for times in records.map(\.header.yardsticks) where !times.isEmpty {
      best = best.isEmpty ? times : zip(best, times).map { min($0, $1) }
    }
    return best
  }

  /// How busy the machine was: 0 where every yardstick was within 15 % of its best, 1 within 15 % of that, and so on.
  private static func level(of record: StartupRecord, _ best: [Int64]) -> Int {
    let factor = zip(record.header.yardsticks, best).map { Double($0) / Double(max(1, $1)) }.max() ?? 1
    var level = 0
    var limit = width
    while factor > limit, level < 30 {
      level += 1
      limit *= width
    }
    return level
  }
}
