package import AppBoot
import AppBootRecords

/// The steps that could shorten a launch, with the time that the launch would save if one step took 20 % less time.
package struct Levers: Sendable {
  /// A step and the time that the launch would save.
  package struct Lever: Sendable, Hashable {
    /// The index of the step.
    package let step: Int
    /// The nanoseconds that the launch would save if each attempt of the step took 20 % less time.
    package let gain: Int64
    /// The gain as a part of the launch's duration, from 0 to 1.
    package let share: Double
  }

  /// A step is shorter by 20 %, a fifth.
  private static let part: Int64 = 5
  /// The smallest part of the launch that counts as a gain.
  package static let least = 0.01
  /// The maximum number of steps in all simulated launches together, about a tenth of a second.
  ///
  /// At least one launch is simulated, also if it has more steps.
  private static let budget = 100_000

  /// The steps with the largest gains, largest first. Empty if no step gains at least ``least`` of the launch.
  package private(set) var all: [Lever] = []
  /// False if the search was cut short.
  ///
  /// Either the launch has so many steps that only the longest of those that can matter were simulated, or so many ran
  /// at once that waits for processors were not.
  package private(set) var isComplete = true

  /// Finds the levers of a launch. Returns `nil` if the launch did not succeed or ran in safe mode: its duration is
  /// not that of a usual launch.
  ///
  /// - Parameter limit: The maximum number of levers.
  package init?(of record: LaunchRecord, atMost limit: Int = 3) {
    guard record.succeeded, record.outline.safeMode == nil, record.elapsedTime > 0 else { return nil }
    let least = max(1, Int64(Self.least * Double(record.elapsedTime)))
    guard record.contains(where: { $0.execution.runningTime / Self.part >= least }) else { return }
    guard let replay = LaunchReplay(of: record) else { return nil }
    isComplete = replay.isComplete
    var remaining = Self.simulations(steps: record.count, sharedWork: replay.sharedWork)
    for step in Self.candidates(replay, least: least) {
      // A step gains at most the time by which it is shorter.
      if all.count >= limit, all[limit - 1].gain >= record.executions[step].runningTime / Self.part { break }
      guard remaining > 0 else {
        isComplete = false
        break
      }
      remaining -= 1
      var changes = LaunchChanges()
      changes.times[step] = .scaled(1 - 1 / Double(Self.part))
      let gain = record.elapsedTime - replay.predictedDuration(with: changes)
      guard gain >= least else { continue }
      let lever = Lever(step: step, gain: gain, share: Double(gain) / Double(record.elapsedTime))
      all.insert(lever, at: all.firstIndex { $0.gain < gain } ?? all.count)
    }
    all.removeLast(max(0, all.count - limit))
  }

  /// Returns the maximum number of simulations of a launch, at least 1.
  ///
  /// - Parameter sharedWork: The work of one simulation with shared processors (``CPUFit/work``). Twelve units count as
  ///   a step.
  static func simulations(steps: Int, sharedWork: Int) -> Int {
    max(1, budget / max(1, steps + sharedWork / 12))
  }

  /// Returns the steps that can shorten the launch, longest first.
  ///
  /// If no step waited for a slot, a lane or a processor, only the critical path counts. Otherwise any step can.
  private static func candidates(_ replay: LaunchReplay, least: Int64) -> [Int] {
    let executions = replay.record.executions
    let steps = replay.hasLimits ? Array(executions.indices) : CriticalPath(of: replay.record).steps
    return steps.filter { executions[$0].runningTime / part >= least }
      .sorted { (executions[$1].runningTime, $0) < (executions[$0].runningTime, $1) }
  }
}

/// The time that a launch would save if the first attempt of each step with retries had succeeded.
package struct RetryCost: Sendable {
  /// The indices of the steps that succeeded after failed attempts.
  package let steps: [Int]
  /// The nanoseconds that the launch would save if each took the time of its last attempt.
  package let gain: Int64

  /// Returns `nil` if the launch did not succeed, or would save less than ``Levers/least`` of its time.
  package init?(of record: LaunchRecord) {
    steps = record.filter { $0.state == .succeeded && $0.details.attempts.count > 1 }.map(\.index)
    guard !steps.isEmpty, let replay = LaunchReplay(of: record) else { return nil }
    var changes = LaunchChanges()
    for step in steps {
      changes.times[step] = record[step].details.attempts.last.map { .exactly($0.runningTime) }
    }
    gain = record.elapsedTime - replay.predictedDuration(with: changes)
    guard gain > 0, Double(gain) >= Levers.least * Double(record.elapsedTime) else { return nil }
  }
}

extension StepAttempt {
  /// The nanoseconds that the attempt ran.
  fileprivate var runningTime: Int64 { max(0, (endTime ?? startTime) - startTime) }
}

extension StepRecord {
  /// The running time without the pauses between attempts.
  package var workingTime: Int64 {
    guard details.attempts.count > 1 else { return execution.runningTime }
    return details.attempts.reduce(0) { $0.addingClamped($1.runningTime) }
  }
}
