package import AppBoot

/// The launches during which the machine was about as quick as it ever was, by the yardsticks beside them.
///
/// A busy neighbour takes a third to two thirds of a processor's speed for as long as it lasts. Which launches had one is
/// seen without looking at their own times.
package enum CalmLaunches {
  /// How much longer a fixed piece of work may take than at its best.
  private static let tolerance = 1.15
  /// With fewer launches it is better to take all.
  private static let fewest = (base: 5, head: 10)

  /// The times within which the yardsticks of a calm launch are; empty where none were measured.
  package static func limits(of records: [StartupRecord]) -> [Int64] {
    limits(best(records))
  }

  private static func limits(_ best: [Int64]) -> [Int64] { best.map { Int64(Double($0) * tolerance) } }

  private static func best(_ records: [StartupRecord]) -> [Int64] {
    records.map(\.header.yardsticks).filter { !$0.isEmpty }.reduce(nil) { best, times in
      best.map { zip($0, times).map { min($0, $1) } } ?? times
    } ?? []
  }

  /// The calm launches of both sides where there are enough of each, else all.
  static func chosen(base: [StartupRecord], head: [StartupRecord]) -> (
    base: [StartupRecord], head: [StartupRecord]
  ) {
    let limits = limits(best(base + head))
    let chosen = (base: base.filter { isCalm($0, limits) }, head: head.filter { isCalm($0, limits) })
    guard chosen.base.count >= fewest.base, chosen.head.count >= fewest.head else { return (base, head) }
    return chosen
  }

  private static func isCalm(_ record: StartupRecord, _ limits: [Int64]) -> Bool {
    let times = record.header.yardsticks
    return times.count >= limits.count && !times.isEmpty && zip(times, limits).allSatisfy { $0 <= $1 }
  }
}
