/// The fast path for a sequence of synchronous commands. It runs them one after the other on the calling thread.
///
/// Pays for "sequence of 10,000 ÷ hand-written loop" (at most 1.0), "÷ one `await` per command", "÷ ServiceGroup" and
/// "÷ OperationQueue" in Docs/performance.md, at 45 ns a step. Without this file a sequence goes through the engine,
/// whose steps cost some 500 ns (row "10,000 independent background commands"): six times the hand-written loop.
///
/// It uses no task, no lock and no change of threads. It reads the clock once between two steps: the end of a step is
/// the start of the next. The first step that does not succeed hands over to a coordinator, which applies the policies.
enum InlineSequence {
  static func canRun(_ plan: StartupPlan, _ configuration: StartupRunner.Configuration) -> Bool {
    plan.traits.isPlain && plan.graph.isPureSequence && plan.timeoutTime == nil && configuration.onHang == nil
      && plan.environment.parameters.isEmpty
      && configuration.observers.isEmpty && configuration.recordObservers.isEmpty
      && configuration.watch == nil
      && configuration.journal == nil && configuration.handlersJournal == nil
      && !configuration.measuresCPUTime
  }

  static func run(_ session: LaunchSession, grace: Int64) -> StartupRecord {
    let (plan, recorder) = (session.plan, session.recorder)
    var executions: [StepExecution] = []
    executions.reserveCapacity(plan.count)
    recorder.begin()
    var time = recorder.now()
    for (index, command) in plan.commands.enumerated() {
      if session.requestedStop != nil { return handOver(nil, from: time, executions, session, grace: grace) }
      do {
        try command.execute(in: session.context(step: index, attempt: 1))
      } catch {
        return handOver(error, from: time, executions, session, grace: grace)
      }
      let end = recorder.now()
      executions.append(StepExecution(succeededFrom: time, to: end))
      time = end
    }
    return recorder.close(executions: executions, outcome: .succeeded, at: time)
  }

  /// Reports the steps that succeeded to a coordinator, and continues the launch with it.
  ///
  /// - Parameter error: The error of the step after them, which began at `start`; `nil` if the launch was cancelled.
  private static func handOver(
    _ error: (any Error)?, from start: Int64, _ executions: [StepExecution], _ session: LaunchSession,
    grace: Int64
  ) -> StartupRecord {
    var coordinator = Coordinator(plan: session.plan, jobs: 1, grace: grace)
    coordinator.begin(at: 0)
    for execution in executions {
      guard let work = coordinator.takeMain(at: execution.rawStart) else { break }
      coordinator.finish(work, .success(()), at: execution.rawEnd)
    }
    let now = session.recorder.now()
    if let error, let work = coordinator.takeMain(at: start) {
      coordinator.finish(work, .failure(error), at: now)
    }
    session.recorder.beginExecutions()
    return goOn(&coordinator, session)
  }

  private static func goOn(_ coordinator: inout Coordinator, _ session: LaunchSession) -> StartupRecord {
    let recorder = session.recorder
    while true {
      if let reason = session.requestedStop { _ = coordinator.cancel(reason, at: recorder.now()) }
      let work = coordinator.takeMain(at: recorder.now())
      recorder.record(coordinator.takeEvents())
      recorder.writeJournal()
      guard let work else { return recorder.close() }
      coordinator.finish(work, session.execute(work), at: recorder.now())
      recorder.record(coordinator.takeEvents())
      recorder.writeJournal()
    }
  }
}
