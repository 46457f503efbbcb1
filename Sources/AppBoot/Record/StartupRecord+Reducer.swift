extension StartupRecord {
  /// Folds an event into the record: a pure function of the record and the event.
  mutating func apply(_ event: StartupEvent) {
    let time = event.time
    switch event.kind {
    case .launchStarted: outcome = .running
    case .ready(let step):
      executions[step].state = .ready
      executions[step].readyTime = time
    case .started(let step, let attempt): start(step, attempt: attempt, at: time)
    case .retrying(let step, let attempt, let failure, _):
      retry(step, attempt: attempt, failure: failure, at: time)
    case .overran(let step): change(step) { $0.overran = true }
    case .noted(let step, let text): change(step) { $0.note = text }
    case .said(let step, let line): change(step) { $0.lastLine = line }
    case .spanStarted(let step, let span, let parent, let name):
      change(step) {
        // A damaged journal may lack spans: what follows a missing one has no place.
        guard span == $0.spans.count else { return }
        $0.spans.append(StepSpan(name: name, id: span, parent: parent, start: time))
      }
    case .spanEnded(let step, let span, let error): endSpan(step, span, error: error, at: time)
    case .valueRead(let step, let name, _): change(step) { $0.reads.appendIfNew(name) }
    case .valueProvided(let step, let name): change(step) { $0.provides.appendIfNew(name) }
    case .emitted(let step, let name, let payload):
      change(step) { $0.emitted.append(EmittedEvent(name: name, payload: payload)) }
    case .usedCPU(let step, let time):
      change(step) { $0.cpuTime = ($0.cpuTime ?? 0) &+ time }
    case .ended(let step, let state): end(step, state, at: time)
    case .undoStarted(let step): change(step) { $0.undo = StepUndo(start: time) }
    case .undoEnded(let step, let failure):
      change(step) {
        $0.undo?.end = time
        $0.undo?.failure = failure
      }
    case .markedHealthy: healthyAt = healthyAt ?? time
    case .cancelled(let reason): cancellation = reason
    case .launchEnded(let outcome):
      self.outcome = outcome
      duration = time
    }
  }

  private mutating func change(_ step: Int, _ body: (inout StepDetails) -> Void) {
    body(&details[Int32(step), default: StepDetails()])
  }

  private mutating func start(_ step: Int, attempt: Int, at time: Int64) {
    executions[step].state = .running
    guard attempt > 1 else {
      executions[step].startTime = time
      return
    }
    change(step) { $0.attempts.append(StepAttempt(start: time)) }
  }

  /// The first attempt is written down once there is to be a second one.
  private mutating func retry(_ step: Int, attempt: Int, failure: Failure, at time: Int64) {
    let start = executions[step].startTime
    change(step) {
      if attempt == 1 || $0.attempts.isEmpty { $0.attempts = [StepAttempt(start: start < 0 ? time : start)] }
      $0.attempts[$0.attempts.count - 1].end = time
      $0.attempts[$0.attempts.count - 1].failure = failure
    }
  }

  private mutating func end(_ step: Int, _ state: StepState, at time: Int64) {
    executions[step].state = state
    executions[step].endTime = time
    guard var last = details[Int32(step)]?.attempts.last, last.end == nil else { return }
    last.end = time
    last.failure = state.failure
    change(step) { $0.attempts[$0.attempts.count - 1] = last }
  }

  private mutating func endSpan(_ step: Int, _ span: Int, error: String?, at time: Int64) {
    change(step) {
      // Spans are numbered as they begin, from 0: the number is the place.
      guard $0.spans.indices.contains(span) else { return }
      $0.spans[span].end = time
      $0.spans[span].error = error
    }
  }
}

extension [String] {
  fileprivate mutating func appendIfNew(_ name: String) {
    if !contains(name) { append(name) }
  }
}
