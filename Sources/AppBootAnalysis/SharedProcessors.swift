import AppBootRecords

/// The processors of a simulated machine. Work that needs more CPU time than they have runs slower.
struct SharedProcessors<Work: Sendable>: Sendable {
  private struct Running: Sendable {
    let work: Work
    let demand: CPUDemand
    /// The nanoseconds that the rest of the work takes on an idle machine.
    var remaining: Double
  }

  /// The number of processors. It has a fraction if other work uses a part of them.
  let count: Double
  private var running: [Running] = []
  private var time: Int64 = 0
  /// The factor by which the CPU time of the running work is stretched, at least 1.
  private var stretch = 1.0

  init(count: Double) {
    self.count = count
  }

  /// Adds work that starts at a time.
  mutating func start(_ work: Work, _ demand: CPUDemand, at time: Int64) {
    advance(to: time)
    running.append(Running(work: work, demand: demand, remaining: demand.duration))
    updateStretch()
  }

  /// The time at which the next work ends if no other work starts; `nil` if no work runs.
  var nextEnd: Int64? {
    let rest = running.lazy.map { [stretch] in $0.remaining * $0.demand.slowdown(stretch) }.min()
    return rest.map { time.addingClamped(Int64(clamping: max(0, $0.rounded(.up)))) }
  }

  /// Returns the work that has ended by a time, in the order of its starts.
  ///
  /// At the latest time, all work ends: the time can no longer advance.
  mutating func finish(at time: Int64) -> [Work] {
    guard !running.isEmpty else { return [] }
    advance(to: time)
    let isLatest = time == Int64.max
    let ended = running.filter { isLatest || $0.remaining < 0.5 }.map(\.work)
    guard !ended.isEmpty else { return [] }
    running.removeAll { isLatest || $0.remaining < 0.5 }
    updateStretch()
    return ended
  }

  private mutating func advance(to time: Int64) {
    let passed = Double(time - self.time)
    self.time = time
    guard passed > 0 else { return }
    for index in running.indices {
      running[index].remaining -= passed / running[index].demand.slowdown(stretch)
    }
  }

  private mutating func updateStretch() {
    stretch = CPUDemand.stretch(of: running.lazy.map(\.demand), on: count)
  }
}

/// The demand of work for processors. All times are nanoseconds on an idle machine.
struct CPUDemand: Sendable, Hashable {
  /// The time from start to end.
  var duration: Double
  /// The part of the duration that the work computes; it waits for the rest.
  var computing: Double
  /// The CPU time. If the work computes on several processors at once, it is longer than ``computing``.
  var cpuTime: Double

  /// The part of the duration that the work computes, from 0 to 1.
  var share: Double { duration > 0 ? computing / duration : 0 }
  /// The number of processors that the work uses on average.
  var load: Double { duration > 0 ? cpuTime / duration : 0 }

  /// Returns the factor by which the work takes longer if its computing is stretched.
  func slowdown(_ stretch: Double) -> Double { 1 + share * (stretch - 1) }

  /// Returns the demand with all times multiplied by a factor.
  func scaled(by factor: Double) -> CPUDemand {
    CPUDemand(duration: duration * factor, computing: computing * factor, cpuTime: cpuTime * factor)
  }

  /// Returns the factor by which computing is stretched if the work shares a number of processors, at least 1.
  ///
  /// The factor is the smallest one with which the work uses no more processors than there are.
  static func stretch(of demands: some Sequence<CPUDemand>, on limit: Double) -> Double {
    var stretch = 1.0
    // Newton's method. The used processors are convex in the factor, so it approaches the solution from below.
    for _ in 0..<20 {
      var used = 0.0
      var change = 0.0
      for demand in demands {
        let slowdown = demand.slowdown(stretch)
        used += demand.load / slowdown
        change += demand.load * demand.share / (slowdown * slowdown)
      }
      guard used > limit * 1.000_001, change > 0 else { break }
      stretch += (used - limit) / change
    }
    return stretch
  }
}

extension Int64 {
  /// Creates the nearest representable number; 0 for a value that is not a number.
  init(clamping value: Double) {
    self = value.isNaN ? 0 : value >= 9.2e18 ? .max : value <= -9.2e18 ? .min : Int64(value)
  }
}
