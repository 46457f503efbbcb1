import AppBootBase

extension LaunchEngine {
  // MARK: - Workers

  /// Starts a worker thread. If the system cannot start one and no worker runs, the next step fails with that error.
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

  /// Runs a worker. It reports a step and takes the next one under one lock, or waits for work.
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

  /// Waits for synchronous work and takes it; returns `nil` when the launch has ended.
  private func waitForWork() -> EngineWork? {
    var isIdle = false
    let taken = monitor.wait { shared -> (work: EngineWork?, calls: Calls)? in
      let deadline = shared.coordinator.nextDeadline
      let next = shared.nextForWorker(at: recorder.now())
      recorder.record(shared.coordinator.takeEvents())
      if (next == nil) != isIdle {
        isIdle = next == nil
        shared.idleWorkers += isIdle ? 1 : -1
      }
      // The work may have a timeout, which the sleeping service does not know.
      return next.map { ($0, shared.calls(deadlineBefore: deadline, jobs: jobs)) }
    }
    recorder.writeSink()
    if let taken { answer(taken.calls) }
    return taken?.work
  }

  // MARK: - The service

  /// Starts the service, which runs timers and the poller, on a separate thread while the caller is busy.
  ///
  /// It sleeps for a short time first, unless a deadline is earlier. Waking it for each change would make a short
  /// launch wait for an idle thread.
  func startService() {
    let firstLook = recorder.now() + 10_000_000
    monitor.withLock { $0.serviceSleepsUntil = firstLook }
    do {
      try Thread.start(name: "appboot-service") { [self] in
        recorder.becomeService()
        waitAsService(until: firstLook)
        serve()
      }
    } catch {
      // A launch without its timeouts would be worse than a cancelled one.
      cancel(.requested("no thread for the timeouts: \(error)"))
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
        operations?.stopAll()
        onHang?(recorder.close(attend: attend))
      }
      if monitor.withLock({ $0.coordinator.isFinished }) { return }
      waitAsService(until: deadline)
    }
  }

  private func waitAsService(until deadline: Int64?) {
    let clockDeadline = deadline.map(recorder.waitDeadline)
    if let operations {
      advance(operations.wait(until: clockDeadline))
      return
    }
    _ = monitor.wait(until: clockDeadline) { shared -> Void? in
      let isEarlier = shared.coordinator.nextDeadline.map { $0 < deadline ?? .max } ?? false
      return shared.coordinator.isFinished || isEarlier ? () : nil
    }
  }
}

extension LaunchEngine: LaunchTimers {
  var nextTimer: Int64? { monitor.withLock { $0.coordinator.nextDeadline }.map(recorder.clockTime) }

  func fireTimers() { interrupt(transact { $0.coordinator.expire(at: $1) }) }
}

extension LaunchEngine.Shared {
  /// Returns work for an idle worker. `.some(nil)` means that the worker must end, and `nil` that it must wait.
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
