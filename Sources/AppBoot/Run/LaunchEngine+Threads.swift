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
      if let orphan { finish(orphan, WorkEnd(.failure(error))) }
    }
  }

  fileprivate enum WorkerStep { case work(EngineWork), wait, end }

  /// Runs a worker. It reports a step and takes the next one under one lock, or waits for work.
  private func work() {
    var done: Done?
    while true {
      let next = transact { shared, time -> WorkerStep in
        if let done {
          shared.coordinator.finish(done.work, done.end, at: time)
          if shared.abandoned.remove(done.work) != nil { return .end }
        }
        return shared.nextForWorker(at: time)
      }
      done = nil
      switch next {
      case .work(let work): done = Done(work: work, end: execute(work))
      case .wait: waitForWork()
      case .end: return
      }
    }
  }

  /// Waits until there is synchronous work or the launch has ended.
  private func waitForWork() {
    _ = monitor.wait { shared -> Void? in
      guard shared.coordinator.isFinished || shared.coordinator.nextOtherKind() == .synchronous else {
        return nil
      }
      shared.idleWorkers -= 1
      return ()
    }
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
      try Thread.start(name: "appboot-engine") { [self] in
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
        configuration.onHang?(recorder.close(attend: attend))
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
  /// Returns work for a worker. Without work, the worker counts as idle, or as ended with the launch.
  fileprivate mutating func nextForWorker(at time: Int64) -> LaunchEngine.WorkerStep {
    if coordinator.nextOtherKind() == .synchronous, let work = coordinator.takeOther(at: time) {
      return .work(work)
    }
    guard coordinator.isFinished else {
      idleWorkers += 1
      return .wait
    }
    liveWorkers -= 1
    return .end
  }
}
