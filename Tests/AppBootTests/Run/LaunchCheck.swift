@testable import AppBoot
import AppBootTestSupport

/// A check of one launch against the engine's rules.
struct LaunchCheck {
  let plan: LaunchPlan
  let record: LaunchRecord
  let events: [LaunchEvent]
  let jobs: Int
  /// The highest number of steps off the main lane that ran at once.
  let mostAtOnce: Int
  let usedMainLaneTwice: Bool
  private let steps: [StepRecord]
  private let findings = Findings()

  init(
    plan: LaunchPlan, record: LaunchRecord, events: [LaunchEvent], jobs: Int, mostAtOnce: Int,
    usedMainLaneTwice: Bool
  ) {
    self.plan = plan
    self.record = record
    self.events = events
    self.jobs = jobs
    self.mostAtOnce = mostAtOnce
    self.usedMainLaneTwice = usedMainLaneTwice
    steps = Array(record)
  }

  /// Returns the rules that the launch breaks.
  ///
  /// - Parameter replays: True to replay the events and compare the result with the record.
  func problems(replays: Bool = true) -> [String] {
    checkEnds()
    checkOrder()
    checkLanes()
    checkModel()
    checkTimes()
    checkAttempts()
    if replays { checkReplay() }
    return findings.texts
  }

  private final class Findings {
    var texts: [String] = []
  }

  private func expect(_ holds: Bool, _ text: @autoclosure () -> String) {
    if !holds { findings.texts.append(text()) }
  }

  private func checkEnds() {
    for step in steps { expect(step.state.hasEnded, "\(step.id) has not ended: \(step.state)") }
    expect(record.outcome != .running, "the launch has no outcome")
  }

  private func checkOrder() {
    for step in steps {
      guard let start = step.execution.startTime else { continue }
      for predecessor in plan.outline.predecessors(of: step.index) {
        let end = steps[predecessor].execution.endTime ?? .max
        expect(
          end <= start, "\(step.id) started at \(start), before \(steps[predecessor].id) ended at \(end)")
      }
    }
  }

  private func checkLanes() {
    expect(mostAtOnce <= jobs, "\(mostAtOnce) ran at once with jobs \(jobs)")
    expect(!usedMainLaneTwice, "the main lane was used twice at once")
  }

  /// Feeds the events to the reference model, which must agree with every start and every end.
  private func checkModel() {
    var model = ReferenceModel(plan)
    var undone: [Int] = []
    for event in events {
      switch event.kind {
      case .started(let step, let attempt):
        expect(attempt > 1 || model.mayStart(step), "\(steps[step].id) started, which the model forbids")
        model.running.insert(step)
      case .ended(let step, let state) where model.running.contains(step):
        model.running.remove(step)
        model.ended(step, state)
      case .ended(let step, let state):
        expect(
          model.states[step] == state,
          "\(steps[step].id) is \(state), the model says \(String(describing: model.states[step]))")
      case .cancelled(let reason): model.cancelled(reason, running: model.running)
      case .undoStarted(let step): undone.append(step)
      default: continue
      }
    }
    for step in steps {
      expect(
        model.states[step.index] == step.state, "\(step.id) ended as \(step.state), the model says otherwise")
    }
    let outcome = model.outcome == .running ? .succeeded : model.outcome
    expect(record.outcome == outcome, "the outcome is \(record.outcome), the model says \(outcome)")
    checkUndo(undone, rollsBack: model.rollsBack)
  }

  private func checkUndo(_ undone: [Int], rollsBack: Bool) {
    let completed = events.compactMap { event -> Int? in
      if case .ended(let step, .succeeded) = event.kind { step } else { nil }
    }
    let expected = completed.reversed().filter(plan.hasUndo)
    expect(undone == (rollsBack ? Array(expected) : []), "undone were \(undone)")
    for step in undone {
      expect(steps[step].details.undo?.endTime != nil, "the undo of \(steps[step].id) has no end")
    }
  }

  private func checkTimes() {
    for step in steps {
      let execution = step.execution
      guard let end = execution.endTime else { continue }
      let (ready, start) = (execution.readyTime ?? end, execution.startTime ?? end)
      expect(
        0 <= ready && ready <= start && start <= end && end <= record.elapsedTime,
        "\(step.id): its times are not in order")
      let idle = ready + (record.elapsedTime - end)
      expect(
        execution.waitingTime + execution.runningTime + idle == record.elapsedTime,
        "\(step.id): its waiting, running and idle times do not add up")
    }
  }

  private func checkAttempts() {
    var starts = [Int](repeating: 0, count: steps.count)
    var earliest = [Int64](repeating: 0, count: steps.count)
    for event in events {
      switch event.kind {
      case .started(let step, let attempt):
        starts[step] += 1
        expect(
          starts[step] == attempt, "\(steps[step].id): attempt \(attempt) has the number \(starts[step])")
        expect(
          event.moment >= earliest[step],
          "\(steps[step].id): attempt \(attempt) came before its backoff was over")
      case .retrying(let retry):
        let (step, attempt, delay) = (retry.step, retry.attempt, retry.delay)
        let expected = retryDelay(of: step, after: attempt)
        expect(
          delay.nanoseconds == expected,
          "\(steps[step].id): the delay after attempt \(attempt) is \(delay), its policy says \(expected) ns")
        earliest[step] = event.moment + expected
      default: continue
      }
    }
    for (step, count) in starts.enumerated() {
      expect(
        count <= steps[step].step.retry?.attempts ?? 1, "\(steps[step].id) had \(count) attempts")
    }
  }

  /// Returns the delay that the step's policy requires after an attempt: the backoff, doubled for each attempt before.
  private func retryDelay(of step: Int, after attempt: Int) -> Int64 {
    guard let policy = steps[step].step.retry else { return 0 }
    let delay = (1..<attempt).reduce(policy.backoff) { delay, _ in min(delay * 2, policy.maxBackoff) }
    return min(delay, policy.maxBackoff).nanoseconds
  }

  private func checkReplay() {
    let replay = LaunchRecord(folding: events, plan: plan)
    expect(replay.executions == record.executions, "a replay gives other times or states")
    expect(
      replay.details == record.details && replay.outcome == record.outcome, "a replay gives other details")
  }
}
