import AppBootSystem

extension LaunchEngine {
  // MARK: - Workers

  /// Starts a worker; where the system has no thread left, the step that wanted one fails and says so.
  func startWorker() {
    do {
      try Thread.start(name: "appboot-worker") { [self] in work() }
    } catch {
      let orphan = transact { shared, time -> EngineWork? in
        shared.liveWorkers -= 1
        guard shared.liveWorkers == 0, shared.coordinator.nextOtherKind() == .synchronous else { return nil }
        return shared.coordinator.takeOther(at: time)
      }
      if let orphan { finish(orphan, .failure(error)) }
    }
  }

  /// A worker's life: finish a step and take the next in one visit to the coordinator; wait when there is none.
  private func work() {
    var done: Done?
    while true {
      let (next, isOver) = transact { shared, time -> (EngineWork?, Bool) in
        if let done {
          if !shared.abandoned.isEmpty, shared.abandoned.remove(done.work) != nil { return (nil, true) }
          shared.coordinator.finish(done.work, done.result, at: time)
        }
        return (shared.takeSynchronous(at: time), false)
      }
      if isOver { return }
      done = nil
      guard let work = next ?? waitForWork() else { return }
      done = Done(work: work, result: session.execute(work))
    }
  }

  /// Waits until there is synchronous work, and takes it; `nil` when the launch is over.
  private func waitForWork() -> EngineWork? {
    var isIdle = false
    let work = monitor.wait { shared -> EngineWork?? in
      let next = shared.nextForWorker(at: recorder.now())
      recorder.record(shared.coordinator.takeEvents())
      if (next == nil) != isIdle {
        isIdle = next == nil
        shared.idleWorkers += isIdle ? 1 : -1
      }
      return next
    }
    recorder.tellProblem()
    return work.flatMap(\.self)
  }

  // MARK: - The service

  /// Starts the thread that keeps limits and poller while the caller is busy.
  ///
  /// It sleeps for a moment first, unless a limit is nearer: waking it for every change would make a short
  /// launch wait for a thread that has nothing to do.
  func startService() {
    let firstLook = recorder.now() + 10_000_000
    monitor.withLock { $0.serviceSleepsUntil = firstLook }
    do {
      try Thread.start(name: "appboot-service") { [self] in
        waitAsService(until: firstLook)
        serve()
      }
    } catch {
      // Without a thread the limits cannot be kept; saying so beats running without them.
      cancel(.requested("no thread for the time limits: \(error)"))
    }
  }

  private func serve() {
    while true {
      let (deadline, interruptions, hung) = transact { shared, time -> (Int64?, [Interruption], Bool) in
        let interruptions = shared.coordinator.expire(at: time)
        let hung = shared.coordinator.isHung && !shared.hangReported
        if hung {
          shared.hangReported = true
          shared.coordinator.abandon(at: time)
        }
        let deadline = shared.coordinator.nextDeadline
        shared.serviceSleepsUntil = deadline ?? .max
        shared.isServiceFresh = false
        return (deadline, interruptions, hung)
      }
      interrupt(interruptions)
      if hung {
        board?.stopAll()
        onHang?(recorder.close())
      }
      if monitor.withLock({ $0.coordinator.isFinished }) { return }
      waitAsService(until: deadline)
    }
  }

  private func waitAsService(until deadline: Int64?) {
    let clockDeadline = deadline.map(recorder.clockTime)
    if let board {
      advance(board.wait(until: clockDeadline))
      return
    }
    _ = monitor.wait(until: clockDeadline) { shared -> Void? in
      let isEarlier = shared.coordinator.nextDeadline.map { $0 < deadline ?? .max } ?? false
      return shared.coordinator.isFinished || isEarlier ? () : nil
    }
  }
}

extension LaunchEngine.Shared {
  /// Work for a worker that has none; `.some(nil)` sends it home, `nil` lets it wait.
  fileprivate mutating func nextForWorker(at time: Int64) -> EngineWork?? {
    if coordinator.isFinished {
      liveWorkers -= 1
      return .some(nil)
    }
    return takeSynchronous(at: time).map { .some($0) }
  }

  mutating func takeSynchronous(at time: Int64) -> EngineWork? {
    guard coordinator.nextOtherKind() == .synchronous else { return nil }
    return coordinator.takeOther(at: time)
  }
}
