extension LaunchRecord {
  /// The maximum number of Unicode scalars of an output line in a record or a journal.
  package static let longestOutput = 1000

  /// The maximum time in a record: ten years in nanoseconds.
  ///
  /// A longer time is an error in a file. Sums of times within the limit do not overflow.
  package static let longestTime: Int64 = 315_576_000_000_000_000

  /// Adds an event to the record. The result depends only on the record and the event.
  ///
  /// In a damaged journal, events may come in any order. A step that ended before it began then has a duration of 0.
  package mutating func apply(_ event: LaunchEvent) {
    let time = event.moment
    switch event.kind {
    case .launchStarted: outcome = .running
    case .ready(let step):
      executions[step].state = .ready
      executions[step].readyTime = time
      executions[step].startTime = nil
      executions[step].endTime = nil
    case .started(let step, let attempt): start(step, attempt: attempt, at: time)
    case .retrying(let failed):
      retry(failed.step, attempt: failed.attempt, failure: failed.failure, at: time)
    case .overran(let step): change(step) { $0.overran = true }
    case .noted(let step, let text): change(step) { $0.note = text }
    case .announced(let step, let text): change(step) { $0.announcement = text }
    case .processStarted(let start):
      let (pid, commandLine) = (start.pid, start.commandLine)
      change(start.step) { details in
        guard details.undo == nil else {
          details.undo?.pid = pid
          details.undo?.commandLine = commandLine
          return
        }
        (details.pid, details.commandLine) = (pid, commandLine)
        guard let last = details.attempts.indices.last else { return }
        (details.attempts[last].pid, details.attempts[last].commandLine) = (pid, commandLine)
      }
    case .killed(let step, let time): change(step) { $0.killTime = time.nanoseconds }
    case .output(let output):
      // The output of an undo is in the error message of the undo.
      guard details[output.step]?.undo == nil else { return }
      let line = output.line.cut(toScalars: Self.longestOutput)
      change(output.step) { ($0.lastOutput, $0.lastOutputTime) = (line, time) }
    case .spanStarted(let start):
      startSpan(start.step, start.span, in: start.parent, name: start.name, at: time)
    case .spanEnded(let end): endSpan(end.step, end.span, error: end.error, at: time)
    case .valueRead(let read): change(read.step) { $0.reads.appendIfNew(read.name) }
    case .valueProvided(let step, let name): change(step) { $0.provides.appendIfNew(name) }
    case .emitted(let emission):
      let event = EmittedEvent(name: emission.event, payload: emission.payload)
      change(emission.step) { $0.emitted.append(event) }
    case .declined(let step): change(step) { $0.declined = true }
    case .usedCPU(let step, let time): addCPUTime(time.nanoseconds, to: step)
    case .ended(let step, let state): end(step, state, at: time)
    case .undoStarted(let step): change(step) { $0.undo = StepAttempt(startTime: time) }
    case .undoEnded(let step, let failure): change(step) { $0.undo?.end(failure, at: time) }
    case .markedHealthy: healthyTime = healthyTime ?? time
    case .cancelled(let reason): cancellation = reason
    case .launchEnded(let outcome):
      self.outcome = outcome
      elapsedTime = time
    }
  }

  /// Sets the payload without masking for the last event that a step emitted.
  mutating func setHandledPayload(ofLastEventOf step: Int, to payload: String?) {
    change(step) { details in
      guard let last = details.emitted.indices.last else { return }
      details.emitted[last].handled = payload.map(Secret.init)
    }
  }

  private mutating func change(_ step: Int, _ body: (inout StepDetails) -> Void) {
    body(&details[step, default: StepDetails()])
  }

  private mutating func start(_ step: Int, attempt: Int, at time: Int64) {
    executions[step].state = .running
    guard attempt > 1 else {
      executions[step].startTime = Swift.max(time, executions[step].readyTime ?? 0)
      executions[step].endTime = nil
      return
    }
    change(step) { $0.attempts.append(StepAttempt(startTime: time)) }
  }

  /// Records the failure of an attempt. The first attempt is stored only when a second one follows.
  private mutating func retry(_ step: Int, attempt: Int, failure: Failure, at time: Int64) {
    let start = executions[step].startTime ?? time
    change(step) {
      if attempt == 1 || $0.attempts.isEmpty {
        $0.attempts = [
          StepAttempt(startTime: start, pid: $0.pid, commandLine: $0.commandLine)
        ]
      }
      $0.attempts[$0.attempts.count - 1].end(failure, at: time)
      $0.declined = false
    }
  }

  private mutating func end(_ step: Int, _ state: StepState, at time: Int64) {
    if executions[step].state == .succeeded, outcome != .running {
      if state.failure != nil { failLate(step, state, at: time) }
      return
    }
    executions[step].state = state
    let execution = executions[step]
    executions[step].endTime = Swift.max(time, execution.startTime ?? 0, execution.readyTime ?? 0)
    guard let last = details[step]?.attempts.last, last.endTime == nil else { return }
    change(step) { $0.attempts[$0.attempts.count - 1].end(state.failure, at: time) }
  }

  /// Makes the failure of a service that had been ready the outcome of the launch. The times stay those of the start.
  private mutating func failLate(_ step: Int, _ state: StepState, at time: Int64) {
    executions[step].state = state
    let end = executions[step].endTime ?? 0
    change(step) { $0.failureTime = Swift.max(time, end) }
    switch outcome {
    case .succeeded, .cancelled: outcome = .failed(step: step)
    case .running, .failed, .timedOut: break
    }
  }

  private mutating func addCPUTime(_ time: Int64, to step: Int) {
    change(step) {
      // Clamped to the limit of a reader: a damaged journal may have more.
      let (sum, overflow) = ($0.processorTime ?? 0).addingReportingOverflow(time)
      $0.processorTime = overflow ? LaunchRecord.longestTime : Swift.min(sum, LaunchRecord.longestTime)
    }
  }

  private mutating func startSpan(_ step: Int, _ span: Int, in parent: Int?, name: String, at time: Int64) {
    change(step) {
      // A damaged journal may lack spans: one without its predecessor or parent is dropped.
      guard span == $0.spans.count, (parent ?? -1) < span, (parent ?? 0) >= 0 else { return }
      $0.spans.append(StepSpan(name: name, id: span, parent: parent, startTime: time))
    }
  }

  private mutating func endSpan(_ step: Int, _ span: Int, error: String?, at time: Int64) {
    change(step) {
      // Spans are numbered from 0 in the order of their starts: the number is the index.
      guard $0.spans.indices.contains(span) else { return }
      $0.spans[span].endTime = Swift.max(time, $0.spans[span].startTime)
      $0.spans[span].error = error
    }
  }
}

extension StepAttempt {
  fileprivate mutating func end(_ failure: Failure?, at time: Int64) {
    endTime = max(time, startTime)
    self.failure = failure
  }
}

extension [String] {
  fileprivate mutating func appendIfNew(_ name: String) {
    if !contains(name) { append(name) }
  }
}

extension LaunchEvent {
  /// The event as a journal stores it. A line of output has at most ``LaunchRecord/longestOutput`` Unicode scalars.
  package var withShortOutput: LaunchEvent {
    guard case .output(var output) = kind, output.line.utf8.count > LaunchRecord.longestOutput
    else { return self }
    output.line = output.line.cut(toScalars: LaunchRecord.longestOutput)
    return LaunchEvent(.output(output), at: moment)
  }
}
