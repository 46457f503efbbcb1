import AppBoot

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

    /// The change as a fraction of the time before.
    package var fraction: Double { Double(after - before) / Double(max(1, before)) }
  }

  /// There are too few launches. The value is the number that an alarm needs.
  case tooFew(needed: Int)
  /// The launches show no lasting change.
  case steady
  /// The launches became slower. This is an alarm.
  case slower(Change)
  /// The launches became faster.
  case faster(Change)
  /// The times vary too much, or changed as much before, so that a change may be noise. The value is their spread as a
  /// fraction of the median.
  case tooNoisy(spread: Double)

  /// The trend's name in JSON.
  package var name: String {
    switch self {
    case .tooFew: "tooFew"
    case .steady: "steady"
    case .slower: "slower"
    case .faster: "faster"
    case .tooNoisy: "tooNoisy"
    }
  }

  /// The lasting change; `nil` without one.
  var change: Change? {
    switch self {
    case .slower(let change), .faster(let change): change
    case .tooFew, .steady, .tooNoisy: nil
    }
  }

  /// True if the launches became slower.
  package var isSlower: Bool { if case .slower = self { true } else { false } }

  /// The minimum number of launches for an alarm.
  static let fewest = HistoryDetector.warmUp + 4

  /// The number of launches in a row that show that a change was taken back.
  private static let returning = 6

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
    var last: HistoryTrend?
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
        let noise = HistoryNoise(Array(values[..<found.start]))
        level.removeSubrange(found.start..<end)
        // Without an earlier change, the return is a change of its own. It is an alarm only after a long time that was
        // clearly faster.
        let isClear = passing.count >= HistoryDetector.warmUp && abs(found.fraction) >= 3 * noise.spread
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
    let spread = HistoryNoise(rest).spread
    self = last ?? (isDrifting || spread > HistoryNoise.mostSpread ? .tooNoisy(spread: spread) : .steady)
    switch self {
    case .slower(let change): self = change.lasts(in: rest) ? .slower(change.lasting(level, times)) : .steady
    case .faster(let change): self = change.lasts(in: rest) ? .faster(change.lasting(level, times)) : .steady
    case .tooFew, .steady, .tooNoisy: break
    }
  }

  /// Returns the trend of a change between two lists of launches.
  private static func change(
    _ times: [Int64], from former: [Int], to later: [Int], alarm: Int = 0
  ) -> HistoryTrend {
    let (before, after) = (former.map { times[$0] }.median, later.map { times[$0] }.median)
    let change = Change(
      start: later[0], alarm: later[alarm], before: before, after: after, former: former, later: later)
    return after > before ? .slower(change) : .faster(change)
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
