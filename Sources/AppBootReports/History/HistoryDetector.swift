import AppBoot

/// A search for the first lasting change in the times of launches.
///
/// At each launch, the rule of `check` (``SlowdownTest``) compares the newest launches with those before them. A change
/// must also be larger than every one that the same comparison showed before, because a drift of the machine can happen
/// again.
struct HistoryDetector {
  /// The number of launches that a comparison needs before the newest ones.
  static let warmUp = 20
  /// The numbers of newest launches that are compared.
  private static let windows = [4, 10]
  /// The maximum number of launches before them.
  private static let mostFormer = 60
  /// The minimum change, as a fraction of the time before.
  private static let leastChange = 0.03
  /// The significance level of one comparison. Neighbouring comparisons share most of their launches.
  private static let level = 0.0001

  /// The result of a search.
  struct Result {
    /// The change with the index of its first launch and of the launch that raised the alarm; `nil` without a change.
    var change: HistoryTrend.Change?
    /// True if there was a change that was no larger than an earlier one.
    var isDrifting = false
  }

  /// Returns the first lasting change in times, oldest first. Takes O(n).
  ///
  /// - Parameter factor: The factor by which more evidence is needed.
  static func first(in times: [Int64], factor: Double) -> Result {
    let results = [true, false].map { first(in: times, slower: $0, level: level / factor) }
    let changes = results.compactMap(\.change)
    return Result(
      change: changes.min { $0.alarm < $1.alarm }, isDrifting: results.contains(where: \.isDrifting))
  }

  private static func first(in times: [Int64], slower: Bool, level: Double) -> Result {
    let limits = SlowdownTest.Limits(slowdown: leastChange, loss: 0, level: level)
    var result = Result()
    for window in windows {
      var factors: [Double] = []
      for end in stride(from: warmUp + window, through: times.count, by: 1) {
        let now = Array(times[(end - window)..<end])
        let former = Array(times[..<(end - window)].suffix(mostFormer))
        let sides = slower ? (base: former, head: now) : (base: now, head: former)
        let factor = Double(sides.head.median) / Double(max(1, sides.base.median))
        // Comparisons that share a launch with this one show the same change.
        let earlier = factors.dropLast(window - 1).max() ?? 1
        factors.append(factor)
        guard factor > 1 + leastChange else { continue }
        let test = SlowdownTest(
          .launch, .elapsed, sessions: [.init(times: sides.base, machineSlowdown: 1)], head: sides.head,
          least: 1 + leastChange)
        guard case .slower = test.finding(limits) else { continue }
        guard factor > earlier else {
          result.isDrifting = true
          continue
        }
        if end <= result.change?.alarm ?? .max {
          result.change = change(in: times, alarm: end - 1, slower: slower)
        }
        break
      }
    }
    return result
  }

  /// Returns the change that ends at an alarm.
  private static func change(in times: [Int64], alarm: Int, slower: Bool) -> HistoryTrend.Change {
    let start = start(in: times[...alarm].map { slower ? $0 : -$0 })
    return HistoryTrend.Change(
      start: start, alarm: alarm, before: Array(times[..<start]).median,
      after: Array(times[start...alarm]).median)
  }

  /// Returns the index at which the larger values most probably begin.
  ///
  /// There the standardised rank sum of the later values is largest (Wilcoxon).
  static func start(in values: [Int64]) -> Int {
    let ranks = Ranks.of(values)
    let count = Double(values.count)
    var rest = ranks.reduce(0, +)
    var best = (index: 0, score: -Double.infinity)
    for (index, rank) in ranks.enumerated() {
      let (before, after) = (Double(index), Double(values.count - index))
      if index >= warmUp / 2, after >= 2 {
        let deviation = (before * after * (count + 1) / 12).squareRoot()
        let score = (rest - after * (count + 1) / 2) / deviation
        if score > best.score { best = (index, score) }
      }
      rest -= rank
    }
    return best.index
  }
}

/// A namespace for functions on the ranks of values.
enum Ranks {
  /// Returns the rank of each value, from 1. Equal values share the mean of their ranks.
  static func of(_ values: [Int64]) -> [Double] {
    let order = values.indices.sorted { (values[$0], $0) < (values[$1], $1) }
    var ranks = [Double](repeating: 0, count: values.count)
    var place = 0
    while place < order.count {
      var end = place
      while end < order.count, values[order[end]] == values[order[place]] { end += 1 }
      for index in order[place..<end] { ranks[index] = Double(place + end + 1) / 2 }
      place = end
    }
    return ranks
  }
}
