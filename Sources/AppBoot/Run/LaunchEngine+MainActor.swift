import AppBootSystem

/// The main actor while the synchronous `run` blocks its thread and cannot serve it.
struct BlockedMainActor: Sendable {
  /// True if only steps on the main actor may use it: the caller is a task, and the main actor runs one task at a time.
  let refusesHops: Bool
  /// The hops of steps, which the caller runs next.
  var hops: [MainActorHops.Hop] = []
}

/// The error of a step that waits for the main actor in a launch that blocks it.
///
/// Without the error, the step and the launch would wait for each other.
public struct MainActorBlocked: Error, Sendable, Hashable, CustomStringConvertible {
  /// The id of the step.
  public let step: String

  /// The error message with the fix.
  public var description: String {
    "\(step) waits for the main actor, which this launch blocks: start the launch with await, for example await run(), "
      + "or make the command a MainActorCommand"
  }
}

extension LaunchEngine {
  /// Prepares the synchronous `run` of a plan with tasks. Returns the main actor's jobs if the caller can serve them.
  func prepareTasks() -> MainQueue? {
    let queue = MainQueue.current()
    let isBlocked = queue == nil && MainQueue.isOnMainActor
    monitor.withLock { shared in
      shared.executor = EngineExecutor(limit: jobs)
      shared.mainQueue = queue
      if isBlocked { shared.blocked = BlockedMainActor(refusesHops: MainQueue.isInTask) }
    }
    return queue
  }

  /// Passes the hops that the caller has not run to the main actor, which is free when the launch has ended.
  func releaseMainActor() {
    let hops = monitor.withLock { shared in
      defer { shared.blocked = nil }
      return shared.blocked?.hops ?? []
    }
    for hop in hops { hop.forward() }
  }

  /// Runs a function as part of a step's task. Handles the hops of the step to the main actor if the launch blocks it.
  func handlingHops(
    of work: EngineWork, on executor: EngineExecutor?, _ body: () async -> Result<Void, any Error>
  ) async -> Result<Void, any Error> {
    guard let executor, monitor.withLock({ $0.blocked != nil }) else { return await body() }
    return await MainActorHops(of: executor) { [self] hop in take(hop, of: work) }.watch(body)
  }

  /// Takes a hop for the caller's thread, or fails the step. Returns false if the main actor gets the hop.
  private func take(_ hop: MainActorHops.Hop, of work: EngineWork) -> Bool {
    enum Outcome { case taken, refused, passed }
    let runsOnMainActor = plan.commands[work.step].runsOnMainActor
    let outcome = monitor.withLock { shared -> Outcome in
      guard let blocked = shared.blocked else { return .passed }
      guard runsOnMainActor || !blocked.refusesHops else { return .refused }
      shared.blocked?.hops.append(hop)
      return .taken
    }
    switch outcome {
    case .passed: return false
    case .taken:
      monitor.broadcast()
      operations?.wake()
      return true
    case .refused:
      finish(work, .failure(MainActorBlocked(step: plan.outline.steps[work.step].id)))
      // The task continues after the launch.
      session.interrupt(work)
      monitor.withLock { $0.cancels.removeValue(forKey: work) }?()
      return false
    }
  }
}
