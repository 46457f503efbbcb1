@testable import AppBoot

/// Holds one launch against the rules.
struct LaunchCheck {
  let plan: StartupPlan
  let record: StartupRecord
  let events: [StartupEvent]
  let jobs: Int
  /// The most steps beside the main lane that ran at once.
  let mostAtOnce: Int
  let usedMainLaneTwice: Bool
  private let findings = Findings()

  func problems() -> [String] {
    checkEnds()
    checkOrder()
    checkLanes()
    checkModel()
    checkTimes()
    checkAttempts()
    checkReplay()
    return findings.texts
  }

  private final class Findings {
    var texts: [String] = []
  }

  private func expect(_ holds: Bool, _ text: @autoclosure () -> String) {
    if !holds { findings.texts.append(text()) }
  }

  private func checkEnds() {
    for step in record { expect(step.state.hasEnded, "\(step.id) has not ended: \(step.state)") }
    expect(record.outcome != .running, "the launch has no outcome")
  }

  private func checkOrder() {
    for step in record {
      guard let start = step.execution.start else { continue }
      for predecessor in plan.outline.predecessors(of: step.index) {
        let end = record[predecessor].execution.end ?? .max
        expect(end <= start, "\(step.id) started at \(start), before \(plan[predecessor].id) ended at \(end)")
      }
    }
  }

  private func checkLanes() {
    expect(mostAtOnce <= jobs, "\(mostAtOnce) ran at once with jobs \(jobs)")
    expect(!usedMainLaneTwice, "the main lane was used twice at once")
  }

  /// Feeds the log to the reference model; the model has to agree with every start and every state.
  private func checkModel() {
    var model = ReferenceModel(plan)
    var undone: [Int] = []
    for event in events {
      switch event.kind {
      case .started(let step, let attempt):
        expect(attempt > 1 || model.mayStart(step), "\(plan[step].id) started, which the model forbids")
        model.running.insert(step)
      case .ended(let step, let state) where model.running.contains(step):
        model.running.remove(step)
        model.ended(step, state)
      case .ended(let step, let state):
        expect(
          model.states[step] == state,
          "\(plan[step].id) is \(state), the model says \(String(describing: model.states[step]))")
      case .cancelled(let reason): model.cancelled(reason, running: model.running)
      case .undoStarted(let step): undone.append(step)
      default: continue
      }
    }
    for step in record {
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
    let expected = completed.reversed().filter { plan[$0].command is any UndoableCommand }
    expect(undone == (rollsBack ? Array(expected) : []), "undone were \(undone)")
    for step in undone {
      expect(record[step].details.undo?.end != nil, "the undo of \(plan[step].id) has no end")
    }
  }

  private func checkTimes() {
    for step in record {
      let execution = step.execution
      guard let end = execution.end else { continue }
      let (ready, start) = (execution.ready ?? end, execution.start ?? end)
      expect(
        0 <= ready && ready <= start && start <= end && end <= record.duration,
        "\(step.id): times run backwards")
      let idle = ready + (record.duration - end)
      expect(
        execution.waiting + execution.running + idle == record.duration, "\(step.id): the parts do not add up"
      )
    }
  }

  private func checkAttempts() {
    var starts: [Int: Int] = [:]
    var earliest: [Int: Int64] = [:]
    for event in events {
      switch event.kind {
      case .started(let step, let attempt):
        starts[step, default: 0] += 1
        expect(starts[step] == attempt, "\(plan[step].id): attempt \(attempt) is the \(starts[step] ?? 0)th")
        expect(
          event.time >= earliest[step] ?? 0,
          "\(plan[step].id): attempt \(attempt) came before its backoff was over")
      case .retrying(let step, _, _, let delay): earliest[step] = event.time + delay
      default: continue
      }
    }
    for (step, count) in starts {
      expect(count <= plan[step].retry?.attempts ?? 1, "\(plan[step].id) was tried \(count) times")
    }
  }

  private func checkReplay() {
    let again = Simulation.fold(events, plan: plan)
    expect(again.executions == record.executions, "a replay gives other times or states")
    expect(again.details == record.details && again.outcome == record.outcome, "a replay gives other details")
  }
}

extension LaunchCheck {
  init(_ simulation: Simulation, _ record: StartupRecord) {
    self.init(
      plan: simulation.simulated.plan, record: record, events: simulation.events,
      jobs: simulation.simulated.jobs,
      mostAtOnce: simulation.mostAtOnce, usedMainLaneTwice: simulation.usedMainLaneTwice)
  }
}
