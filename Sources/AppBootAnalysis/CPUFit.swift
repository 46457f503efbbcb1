import AppBoot
import AppBootRecords

/// An estimate of the processors that each attempt of a recorded launch needed, on an idle machine.
///
/// The record has the running time and the CPU time of a step. In the rest of its running time, a step waits for a
/// processor or for something else. The estimate assumes as much waiting for processors as the recorded times allow.
/// It begins without other waits, and adds to them until a simulation gives the recorded running times.
struct CPUFit: Sendable {
  /// The demands, by attempt; `nil` for an attempt without known CPU time, or if the processors are unknown.
  private(set) var demands: [CPUDemand?]
  /// True if steps waited for a processor.
  private(set) var isShort = false
  /// False if too many steps ran at once for an estimate. Then no step counts as waiting for a processor.
  private(set) var isComplete = true
  /// The work of one simulation: the starts and ends, multiplied by the most attempts at once.
  ///
  /// It counts attempts with known CPU time only; 0 if the processors are unknown.
  private(set) var work = 0

  /// The maximum ``work``. An estimate within it takes about 40 ms: 260 ns for each unit, on a slow machine.
  static let budget = 150_000
  private static let rounds = 30
  /// The smallest share of the processors in use at one time with which steps can have waited for a processor.
  private static let busy = 0.7
  /// The part of the processors that counts as all of them.
  ///
  /// A launch never gets them whole: starting a process and other work take some. Without this margin, all of a
  /// step's waiting for a processor would count as waiting for something else: the predictions for one job instead of
  /// four were up to 42 % too long (`Benchmarks/whatif-trial --busy --seed 1001 --manifests 28`; then up to 17 %).
  private static let usable = 0.85

  init(of attempts: RecordedAttempts, in record: LaunchRecord, processors: Int?) {
    demands = [CPUDemand?](repeating: nil, count: attempts.all.count)
    guard let processors else { return }
    for index in attempts.all.indices {
      demands[index] = Self.recorded(attempts.all[index], attempts, record, isPure: false)
    }
    let known = attempts.all.indices.filter { demands[$0] != nil }
    let moments = StartTimes.moments(known, attempts)
    let busiest = busiest(moments)
    let (product, overflow) = moments.count.multipliedReportingOverflow(by: busiest.attempts)
    work = overflow ? .max : product
    guard busiest.load > Self.busy * Double(processors) else { return }
    guard work <= Self.budget else {
      isComplete = false
      return
    }
    for index in known {
      demands[index] = Self.recorded(attempts.all[index], attempts, record, isPure: true)
    }
    fit(known, moments, processors)
  }

  private mutating func fit(_ known: [Int], _ moments: [StartTimes.Moment], _ processors: Int) {
    for _ in 0..<Self.rounds {
      let done = progress(moments, Self.usable * Double(processors)).done
      var isDone = true
      for index in known {
        guard let demand = demands[index] else { continue }
        let duration = max(demand.computing, done[index])
        if abs(duration - demand.duration) > demand.duration / 1000 { isDone = false }
        demands[index]?.duration = duration
      }
      if isDone { break }
    }
    isShort = progress(moments, Double(processors)).isShort
  }

  /// Returns the demand of an attempt.
  ///
  /// - Parameter isPure: True if the attempt only computes; false if it waits for the rest of its time.
  private static func recorded(
    _ attempt: RecordedAttempts.Attempt, _ attempts: RecordedAttempts, _ record: LaunchRecord, isPure: Bool
  ) -> CPUDemand? {
    let indices = attempts.indices(ofStep: attempt.step)
    let total = indices.reduce(0.0) { $0 + Double(attempts.all[$1].end - attempts.all[$1].start) }
    let running = Double(attempt.end - attempt.start)
    guard let cpuTime = record.details[attempt.step]?.processorTime, cpuTime > 0, running > 0 else {
      return nil
    }
    let own = Double(cpuTime) * running / total
    let computing = min(own, running)
    return CPUDemand(duration: isPure ? computing : running, computing: computing, cpuTime: own)
  }

  // MARK: - The recorded launch on shared processors

  /// Returns the highest number of processors that were in use at the same time, from average uses. Also returns the
  /// highest number of attempts that ran at the same time.
  private func busiest(_ moments: [StartTimes.Moment]) -> (load: Double, attempts: Int) {
    var (load, running) = (0.0, 0)
    var (highestLoad, mostAttempts) = (0.0, 0)
    for moment in moments {
      load += (demands[moment.attempt]?.load ?? 0) * (moment.isEnd ? -1 : 1)
      running += moment.isEnd ? -1 : 1
      highestLoad = max(highestLoad, load)
      mostAttempts = max(mostAttempts, running)
    }
    return (highestLoad, mostAttempts)
  }

  /// Returns how much of its work each attempt does in its recorded interval, in nanoseconds on an idle machine.
  private func progress(_ moments: [StartTimes.Moment], _ processors: Double) -> (
    done: [Double], isShort: Bool
  ) {
    var done = [Double](repeating: 0, count: demands.count)
    var running: [Int] = []
    var (time, stretch, isShort) = (Int64(0), 1.0, false)
    for moment in moments {
      let passed = Double(moment.time - time)
      if passed > 0 {
        for index in running { done[index] += passed / (demands[index]?.slowdown(stretch) ?? 1) }
        if stretch > 1.01 { isShort = true }
      }
      time = moment.time
      if moment.isEnd { running.removeAll { $0 == moment.attempt } } else { running.append(moment.attempt) }
      stretch = CPUDemand.stretch(of: running.lazy.compactMap { demands[$0] }, on: processors)
    }
    return (done, isShort)
  }
}
