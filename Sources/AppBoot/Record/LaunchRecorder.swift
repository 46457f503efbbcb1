package import AppBootBase

/// A recorder that receives all events of a launch, one at a time and in order.
///
/// It adds each event to the record, and notifies the sink and the observers.
package final class LaunchRecorder: Sendable {
  let outline: LaunchOutline
  private let observers: [any LaunchObserver]
  private let recordObservers: [any RecordObserver]
  private let sink: (any LaunchSink)?
  private let sinkThread: BackgroundJob?
  private let secrets: Secrets
  /// The source of virtual time; `nil` for real time.
  private let clock: (any LaunchClockSource)?
  private let origin: Lock<Int64>
  /// The thread that is the launch's service, which runs the timers and the poller; 0 if it is unknown.
  private let service = Lock<UInt>(0)
  private let state: Lock<State>

  private struct State: Sendable {
    var record: LaunchRecord
    var isClosed = false
  }

  /// Creates a recorder of a launch. It masks the environment's secrets in the record and in the observers' events.
  ///
  /// - Parameter sinkThread: The thread of the launch's sink, for a run of event handlers without a sink of its own.
  init(
    _ outline: LaunchOutline, in environment: LaunchEnvironment, header: RecordHeader = RecordHeader(),
    sink: (any LaunchSink)? = nil, sinkThread: BackgroundJob? = nil, observers: [any LaunchObserver] = [],
    recordObservers: [any RecordObserver] = []
  ) {
    (self.sink, self.observers, self.recordObservers) = (sink, observers, recordObservers)
    secrets = environment.secrets
    clock = environment.host.clock
    self.outline = outline.masked(by: secrets)
    self.sinkThread = sink?.thread ?? sinkThread
    var record = LaunchRecord(outline: self.outline, startedAt: "")
    record.header = header
    state = Lock(State(record: record))
    origin = Lock(clock?.now() ?? MonotonicClock.now())
  }

  /// Begins the launch. Its start is the current time, so its times do not include the preparation.
  func begin() {
    let now = clock?.now() ?? MonotonicClock.now()
    origin.withLock { $0 = now }
    let startedAt = WallClock.timestamp()
    state.withLock { $0.record.startedAt = startedAt }
    sink?.begin(startedAt: startedAt)
  }

  /// The wall time at which the launch began, as RFC 3339; empty before that.
  var startedAt: String { state.withLock { $0.record.startedAt } }

  /// Returns the nanoseconds since the launch began.
  @inline(__always)
  func now() -> Int64 { (clock?.now() ?? MonotonicClock.now()) &- origin.withLock(\.self) }

  /// Returns the monotonic time until which a thread waits for a time since the launch began, in nanoseconds.
  ///
  /// With virtual time there is no deadline: the source of virtual time fires the timers.
  func waitDeadline(_ time: Int64) -> Int64 { clock == nil ? clockTime(time) : .max }

  /// Returns the time of the launch's clock for a time since the launch began. Both are in nanoseconds.
  func clockTime(_ time: Int64) -> Int64 {
    MonotonicClock.deadline(after: time, from: origin.withLock(\.self))
  }

  /// Returns the state of a step.
  func state(ofStep step: Int) -> StepState { state.withLock { $0.record.executions[step].state } }

  /// Records events of the engine. The engine's lock is held, so call ``writeSink()`` after it is released.
  func record(_ events: [LaunchEvent]) {
    guard !events.isEmpty else { return }
    state.withLock { state in
      guard !state.isClosed else { return }
      let masks = !secrets.isEmpty
      for event in events {
        if masks { fold(event, into: &state) } else { pass(event, into: &state) }
      }
    }
  }

  /// Records that the app is healthy. Only the first call counts.
  func markHealthy() { add(.markedHealthy) { $0.record.healthyTime == nil } }

  /// Records that a second request ends the launch at once, and with it its process.
  func recordEnd(by reason: String) {
    let end = CancelReason.requested(reason)
    add(.cancelled(reason: end)) { $0.record.outcome == .running && $0.record.cancellation != end }
  }

  /// Records that the process of a step was killed with SIGKILL. The step may have ended before.
  package func recordKill(of step: Int, after time: Int64) {
    add(.killed(step: step, after: .nanoseconds(time))) { $0.record.outcome == .running }
  }

  /// Records an event of a command. If the attempt has ended, the event is dropped.
  package func record(_ kind: LaunchEvent.Kind, from step: Int, attempt: Int) {
    add(kind) { isOpen(step, attempt: attempt, $0) }
  }

  /// Records an event that a command emits. The attempt may have ended.
  ///
  /// Returns false if the record is closed.
  func recordEmitted(_ event: String, payload: String?, by step: Int) -> Bool {
    add(.emitted(.init(step: step, event: event, payload: payload))) { _ in true }
  }

  /// Records an event at the current time. Returns false if it was dropped: the record is closed, or the condition
  /// does not hold.
  @discardableResult
  private func add(_ kind: LaunchEvent.Kind, if isWanted: (State) -> Bool) -> Bool {
    let event = LaunchEvent(kind, at: now())
    return change { state in
      guard !state.isClosed, isWanted(state) else { return false }
      fold(event, into: &state)
      return true
    }
  }

  /// Records lines of an attempt's output, in which secrets are already masked. If the attempt has ended, drops the
  /// lines.
  package func record(_ lines: [OutputLine], from step: Int, attempt: Int) {
    let time = now()
    change { state in
      guard isOpen(step, attempt: attempt, state) else { return }
      for line in lines {
        let kind = LaunchEvent.Kind.output(
          .init(
            step: step, attempt: attempt, stream: line.stream, line: line.text))
        pass(LaunchEvent(kind, at: time), into: &state)
      }
    }
  }

  /// True if an observer or the sink uses every line of output.
  package var usesEveryLine: Bool {
    !observers.isEmpty || recordObservers.contains { $0.usesOutput } || sink?.takesOutput ?? false
  }

  /// Begins a span. Returns its number within the step; `nil` if the attempt has ended.
  func beginSpan(_ name: String, parent: Int?, in step: Int, attempt: Int) -> Int? {
    let time = now()
    return change { state in
      guard isOpen(step, attempt: attempt, state) else { return nil }
      let span = state.record.details[step]?.spans.count ?? 0
      fold(
        LaunchEvent(.spanStarted(.init(step: step, span: span, parent: parent, name: name)), at: time),
        into: &state)
      return span
    }
  }

  /// Returns the record so far.
  func snapshot() -> LaunchRecord { state.withLock { $0.record } }

  /// Calls a function with the record so far, and records no event meanwhile.
  func withRecord(_ body: (LaunchRecord) -> Void) { state.withLock { body($0.record) } }

  /// Closes the record and returns it. Later events are dropped.
  ///
  /// - Parameter attend: A function that is called every 20 ms while the launch's service waits for a slow disk.
  func close(attend: () -> Void = {}) -> LaunchRecord {
    let (record, isFirst) = state.withLock { state in
      defer { state.isClosed = true }
      return (state.record, !state.isClosed)
    }
    guard isFirst, let sink else { return record }
    if isService {
      sink.thread.request { sink.finish() }
      while !settleSink(within: 20_000_000) { attend() }
    } else {
      sink.finish()
    }
    return record
  }

  /// Writes the new events to the sink, and reports an error.
  ///
  /// Call it with no lock held, because the error's handler may cancel the launch. If the caller is the launch's
  /// service, another thread writes: a slow disk must not delay timeouts and signals.
  func writeSink() {
    guard let sink else { return }
    // The batch of another thread may be on its way to the disk: only `write()` waits for that.
    guard isService else { return sink.write() }
    // The end of the sink has been requested, and writes the rest of the batch. It must not be replaced.
    guard !state.withLock(\.isClosed), sink.hasBatch else { return }
    sink.thread.request { sink.write() }
  }

  /// Waits until the other thread has written the sink. Returns false if the time passes first.
  ///
  /// - Parameter most: The maximum wait in nanoseconds.
  @discardableResult
  func settleSink(within most: Int64) -> Bool { sinkThread?.settle(within: most) ?? true }

  /// Waits until the sink is written before a program starts, so that the record of a crash has the step. The wait
  /// is at most 100 ms.
  func settleSinkBeforeStart() { sinkThread?.settleShortly() }

  /// True if the calling thread is the launch's service.
  private var isService: Bool { service.withLock(\.self) == Thread.current }

  /// Makes the calling thread the launch's service (``writeSink()``).
  func becomeService() { service.withLock { $0 = Thread.current } }

  /// Changes the record under the lock, and then writes the sink without the lock.
  @inline(__always)
  private func change<Result>(_ body: (inout State) -> Result) -> Result {
    defer { writeSink() }
    return state.withLock(body)
  }

  private func isOpen(_ step: Int, attempt: Int, _ state: State) -> Bool {
    guard !state.isClosed else { return false }
    let details = state.record.details[step]
    if let undo = details?.undo { return undo.endTime == nil }
    guard !state.record.executions[step].state.hasEnded else { return false }
    guard let attempts = details?.attempts, let last = attempts.last else { return attempt == 1 }
    return attempts.count == attempt && last.endTime == nil
  }

  private func fold(_ event: LaunchEvent, into state: inout State) {
    guard !secrets.isEmpty else { return pass(event, into: &state) }
    let masked = event.masked(by: secrets)
    pass(masked, into: &state)
    // The host of the launch handles the event with its payload.
    if masked != event, case .emitted(let emission) = event.kind {
      state.record.setHandledPayload(ofLastEventOf: emission.step, to: emission.payload)
    }
  }

  private func pass(_ event: LaunchEvent, into state: inout State) {
    // A long line is cut once, for the record and the sink. Observers get all of it.
    if case .output = event.kind {
      add(event.withShortOutput, to: &state)
    } else {
      add(event, to: &state)
    }
    for observer in observers { observer.observe(event, in: outline) }
    for observer in recordObservers {
      observer.observe(event, in: state.record, at: clockTime(event.moment))
    }
  }

  private func add(_ event: LaunchEvent, to state: inout State) {
    state.record.apply(event)
    sink?.add(event, in: outline)
  }
}

/// A destination for the events of a launch, and for those of the services and event handlers after it: a journal.
package protocol LaunchSink: AnyObject, Sendable {
  /// The thread for writes that must not delay their callers: a disk can be slow.
  var thread: BackgroundJob { get }
  /// True if the sink takes every line of output.
  var takesOutput: Bool { get }
  /// True if events wait to be written.
  var hasBatch: Bool { get }
  /// Opens the sink before the run. Returns the outline, which is in safe mode if earlier launches require that.
  func open(for outline: LaunchOutline, masking secrets: Secrets, header: RecordHeader) -> LaunchOutline
  /// Begins the run.
  func begin(startedAt: String)
  /// Adds an event to the batch.
  func add(_ event: LaunchEvent, in outline: LaunchOutline)
  /// Writes the batch, and reports an error. Call it with no lock held, because the error's handler may cancel the
  /// launch.
  func write()
  /// Ends the run, and reports an error as ``write()`` does.
  func finish()
  /// Makes the sink stay open after the launch, because event handlers or services will follow.
  func expectEvents()
  /// Adds the beginning of a run of event handlers after the launch. Another thread writes it.
  ///
  /// Returns the number of the run; `nil` if the sink does not record the run.
  func begin(_ handlers: EventRecord) -> Int?
  /// Adds the record of a run of event handlers, which has ended. Another thread writes it.
  func end(_ handlers: EventRecord, run: Int)
  /// Adds an event of a launch that has ended: for example the end of a service. Another thread writes it.
  func add(late event: LaunchEvent, in outline: LaunchOutline)
  /// Waits until the events are written, at the end of an app. The wait is at most 10 s: a disk can hang.
  func settle()
}

extension LaunchEvent {
  /// Returns the event with each secret in its texts replaced by `***`.
  ///
  /// The payload of an event with a device's token is not replaced. It is shortened when it is written.
  func masked(by secrets: Secrets) -> LaunchEvent {
    LaunchEvent(kind.masked(by: secrets), at: moment)
  }
}

extension LaunchEvent.Kind {
  fileprivate func masked(by secrets: Secrets) -> LaunchEvent.Kind {
    switch self {
    case .retrying(var retry):
      retry.failure = retry.failure.masked(by: secrets)
      return .retrying(retry)
    case .noted(let step, let text): return .noted(step: step, text: secrets.masking(text))
    case .processStarted(var start):
      start.commandLine = secrets.masking(start.commandLine)
      return .processStarted(start)
    case .announced(let step, let text): return .announced(step: step, text: secrets.masking(text))
    case .output(var output):
      output.line = secrets.masking(output.line)
      return .output(output)
    case .spanStarted(var start):
      start.name = secrets.masking(start.name)
      return .spanStarted(start)
    case .spanEnded(var end):
      end.error = secrets.masking(end.error)
      return .spanEnded(end)
    case .emitted(var emission) where emission.event != EventName.didRegisterForRemoteNotifications.name:
      emission.event = secrets.masking(emission.event)
      emission.payload = secrets.masking(emission.payload)
      return .emitted(emission)
    case .valueRead(var read):
      read.name = secrets.masking(read.name)
      return .valueRead(read)
    case .valueProvided(let step, let name): return .valueProvided(step: step, name: secrets.masking(name))
    case .ended(let step, let state): return .ended(step: step, state: state.masked(by: secrets))
    case .undoEnded(let step, let failure):
      return .undoEnded(step: step, failure: failure?.masked(by: secrets))
    case .cancelled(let reason): return .cancelled(reason: reason.masked(by: secrets))
    case .launchEnded(.cancelled(let text)): return .launchEnded(.cancelled(secrets.masking(text)))
    case .launchStarted, .ready, .started, .overran, .killed, .emitted, .declined, .usedCPU, .undoStarted,
      .markedHealthy, .launchEnded:
      return self
    }
  }
}

extension StepState {
  fileprivate func masked(by secrets: Secrets) -> StepState {
    switch self {
    case .failed(let failure): .failed(failure.masked(by: secrets))
    case .timedOut(let failure): .timedOut(failure.masked(by: secrets))
    case .cancelled(let reason): .cancelled(reason.masked(by: secrets))
    case .skipped(.condition(let text)): .skipped(.condition(secrets.masking(text)))
    case .waiting, .ready, .running, .succeeded, .skipped: self
    }
  }
}

extension Failure {
  fileprivate func masked(by secrets: Secrets) -> Failure {
    Failure(
      message: secrets.masking(message), type: type, causes: causes.map { secrets.masking($0) })
  }
}

extension CancelReason {
  fileprivate func masked(by secrets: Secrets) -> CancelReason {
    switch self {
    case .requested(let text): .requested(secrets.masking(text))
    case .deadline, .selfCancelled: self
    }
  }
}
