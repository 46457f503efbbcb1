package import AppBootRecords

/// The trend of the launches' times: steady, or with a lasting change.
package enum HistoryTrend: Sendable, Hashable {
  /// A lasting change of the launch's time.
  package struct Change: Sendable, Hashable {
    /// The index of the first launch after the change, among the launches that were examined.
    package let start: Int
    /// The index of the launch at which the evidence sufficed.
    package let alarm: Int
    /// The median time before the change, in nanoseconds.
    package let before: Int64
    /// The median time since the change, in nanoseconds.
    package var after: Int64
    /// The launches before the change, by their indices.
    var former: [Int] = []
    /// The launches since the change, by their indices.
    var later: [Int] = []
    /// The steps that changed most in the same direction, largest change first; at most two.
    package var causes: [StepChange] = []

    /// True if the launches became slower.
    package var isSlower: Bool { after > before }
    /// The change as a fraction of the time before.
    package var fraction: Double { Double(after - before) / Double(max(1, before)) }
  }

  /// There are too few launches. The value is the number that an alarm needs.
  case tooFew(needed: Int)
  /// The launches show no lasting change.
  case steady
  /// The launches became slower, which is an alarm, or faster.
  case changed(Change)
  /// The times vary too much, or changed as much before, so that a change may be noise. The value is their spread as a
  /// fraction of the median.
  case tooNoisy(spread: Double)

  /// The trend's name in JSON.
  package var name: String {
    switch self {
    case .tooFew: "tooFew"
    case .steady: "steady"
    case .changed(let change): change.isSlower ? "slower" : "faster"
    case .tooNoisy: "tooNoisy"
    }
  }

  /// The lasting change; `nil` without one.
  package var change: Change? { if case .changed(let change) = self { change } else { nil } }

  /// True if the launches became slower.
  package var isSlower: Bool { change?.isSlower == true }

  /// The minimum number of launches for an alarm.
  static let fewest = HistoryDetector.warmUp + 4

  /// The maximum spread of launches in which a small change is visible.
  static let mostSpread = 0.06

  /// The number of launches in a row that show that a change was taken back.
  private static let returning = 6

  /// Examines the times of launches. The result names the steps that explain a change.
  ///
  /// - Parameter launches: Successful launches of one plan, oldest first, that ran the same steps.
  package init(of launches: [LaunchSummary]) {
    self.init(of: launches.map(\.duration))
    guard var change else { return }
    change.causes = StepChange.largest(
      from: change.former.map { launches[$0] }, to: change.later.map { launches[$0] },
      explaining: change.after - change.before)
    self = .changed(change)
  }

  /// Examines times of launches, oldest first.
  ///
  /// After each change, the launches since then are examined alone. The last change decides. If a change was taken
  /// back, the launches before it and after it are examined together, and the change before it decides again.
  init(of times: [Int64]) {
    guard times.count >= Self.fewest else {
      self = .tooFew(needed: Self.fewest)
      return
    }
    var level = Array(times.indices)
    var last: Change?
    var restarts = 0
    var isDrifting = false
    // Each restart is another chance for a false alarm, and needs more evidence.
    while true {
      let values = level.map { times[$0] }
      let result = HistoryDetector.first(in: values, factor: Double(1 + restarts))
      isDrifting = result.isDrifting
      guard let found = result.change else { break }
      restarts += 1
      if let end = Self.end(of: found, in: values) {
        let passing = Array(level[found.start..<end])
        let spread = Array(values[..<found.start]).spread
        level.removeSubrange(found.start..<end)
        // Without an earlier change, the return is a change of its own. It is an alarm only after a long time that was
        // clearly faster.
        let isClear = passing.count >= HistoryDetector.warmUp && abs(found.fraction) >= 3 * spread
        if last == nil, found.after > found.before || isClear {
          last = Self.change(times, from: passing, to: Array(level[found.start...]))
        }
      } else {
        let former = Array(level[..<found.start])
        level.removeFirst(found.start)
        last = Self.change(times, from: former, to: level, alarm: found.alarm - found.start)
      }
    }
    let rest = level.map { times[$0] }
    if let last {
      self = last.lasts(in: rest) ? .changed(last.lasting(level, times)) : .steady
    } else {
      self = isDrifting || rest.spread > Self.mostSpread ? .tooNoisy(spread: rest.spread) : .steady
    }
  }

  /// Returns the change between two lists of launches.
  private static func change(
    _ times: [Int64], from former: [Int], to later: [Int], alarm: Int = 0
  ) -> Change {
    Change(
      start: later[0], alarm: later[alarm], before: former.map { times[$0] }.median,
      after: later.map { times[$0] }.median, former: former, later: later)
  }

  /// Returns the index at which a change ends, because several values in a row are nearer to those before it.
  ///
  /// Returns `nil` if it lasts. The index is after that of the alarm.
  private static func end(of change: Change, in values: [Int64]) -> Int? {
    let middle = change.before + (change.after - change.before) / 2
    var count = 0
    for index in values.indices.dropFirst(change.alarm + 1) {
      count = (values[index] < middle) == (change.before < middle) ? count + 1 : 0
      if count == returning { return index - returning + 1 }
    }
    return nil
  }
}

extension HistoryTrend.Change {
  /// Returns whether the newest ten launches still show at least half of the change.
  fileprivate func lasts(in times: [Int64]) -> Bool {
    let newest = Array(times.suffix(10)).median - before
    return (newest > 0) == (after > before) && 2 * abs(newest) >= abs(after - before)
  }

  /// Returns the change with those launches after it that are on the present level.
  fileprivate func lasting(_ level: [Int], _ times: [Int64]) -> Self {
    var change = self
    change.later = level.filter { $0 >= start }
    change.after = change.later.map { times[$0] }.median
    return change
  }
}

extension [Int64] {
  /// The spread as a fraction of the median: 1.48 times the median absolute deviation. For a normal distribution it is
  /// the standard deviation.
  var spread: Double {
    let median = median
    return 1.4826 * Double(map { abs($0 - median) }.median) / Double(Swift.max(1, median))
  }
}

/// A search for the first lasting change in the times of launches.
///
/// At each launch, the rule of `check` (``SlowdownTest``) compares the newest launches with those before them. A change
/// must also be larger than every one that the same comparison showed before, because a drift of the machine can happen
/// again, and larger than the differences between blocks of earlier launches.
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
        guard factor > earlier, differs(now, from: times[..<(end - window)]) else {
          result.isDrifting = true
          continue
        }
        if end <= result.change?.alarm ?? .max {
          let middle = (now.median + former.median) / 2
          result.change = change(in: times, alarm: end - 1) { ($0 > middle) == slower }
        }
        break
      }
    }
    return result
  }

  /// Returns whether the newest times differ more from those before them than blocks of as many launches differ from
  /// each other. Noise can change its level for many launches.
  ///
  /// It is Student's test of one value. Source: Hahn, Meeker, "Statistical Intervals", 1991, section 4.7.
  private static func differs(_ now: [Int64], from former: ArraySlice<Int64>) -> Bool {
    let blocks = stride(from: former.count, through: now.count, by: -now.count).map { end in
      Double(Array(former[(end - now.count)..<end]).median)
    }
    guard former.count >= 20, let low = former.min(), let high = former.max() else { return false }
    // With a few blocks, only a change beyond all of the past is clear.
    let beyond = (high - low) / 2
    if now.count >= 10, now.allSatisfy({ $0 > high + beyond }) || now.allSatisfy({ $0 < low - beyond }) {
      return true
    }
    let mean = blocks.reduce(0, +) / Double(blocks.count)
    let variance = blocks.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(blocks.count - 1)
    let difference = Double(now.median) - mean
    // If neighbouring launches resemble each other, ten of them count as one.
    let count = resembles(former) ? former.count / 10 : blocks.count
    let limit = studentLimit(count - 1, isNoisy: Array(former).spread > HistoryTrend.mostSpread)
    return difference * difference > limit * limit * variance * (1 + 1 / Double(count))
  }

  /// Returns whether neighbouring times resemble each other: the ranks of each time and of the one before it have a
  /// correlation above 0.2.
  private static func resembles(_ times: ArraySlice<Int64>) -> Bool {
    let order = times.indices.sorted { (times[$0], $0) < (times[$1], $1) }
    var ranks = [Double](repeating: 0, count: times.count)
    for (rank, index) in order.enumerated() {
      ranks[index - times.startIndex] = Double(rank) - Double(times.count - 1) / 2
    }
    let products = zip(ranks, ranks.dropFirst()).reduce(0) { $0 + $1.0 * $1.1 }
    return products > 0.2 * ranks.reduce(0) { $0 + $1 * $1 }
  }

  /// Returns the limit that Student's distribution exceeds with a probability of 0.2 %, in a noisy history 0.02 %.
  ///
  /// Source: Abramowitz, Stegun, "Handbook of Mathematical Functions", 26.7.5.
  private static func studentLimit(_ freedom: Int, isNoisy: Bool) -> Double {
    let few = isNoisy ? [1591.6, 49.98, 17.6, 10.92, 8.36] : [159.15, 15.76, 8.05, 5.95, 5.03]
    guard freedom > few.count else { return few[max(0, freedom - 1)] }
    let part = 1 / Double(freedom)
    return isNoisy
      ? 3.54 + part * (11.976 + part * (36.46 + part * 83.77))
      : 2.878 + part * (6.679 + part * (14.35 + part * 23.5))
  }

  /// Returns the change that ends at an alarm.
  ///
  /// It starts at the launch from which changed times outnumber the others most, counted back from the alarm.
  ///
  /// - Parameter isChanged: Returns whether a time is nearer to those at the alarm than to those before.
  private static func change(
    in times: [Int64], alarm: Int, isChanged: (Int64) -> Bool
  ) -> HistoryTrend.Change {
    var best = (start: alarm, score: 0)
    var score = 0
    for index in (warmUp / 2...alarm).reversed() {
      score += isChanged(times[index]) ? 1 : -1
      if score > best.score { best = (index, score) }
    }
    return HistoryTrend.Change(
      start: best.start, alarm: alarm, before: Array(times[..<best.start]).median,
      after: Array(times[best.start...alarm]).median)
  }
}
