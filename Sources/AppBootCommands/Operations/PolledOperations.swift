package import AppBoot
import AppBootBase
import AppBootSystem

/// The running operations of a launch, with the poller that watches them and an optional ``LaunchWatcher``.
package final class PolledOperations: LaunchOperations {
  /// The nanoseconds until the next attempt to watch a descriptor, if the poller had no room for it.
  static let pause: Int64 = 2_000_000

  private let poller: Poller
  private let watch: (any LaunchWatcher)?
  private let nextTick: Lock<Int64>
  private let state = Lock(State())

  private struct State: Sendable {
    var entries: [UInt64: Entry] = [:]
    /// The times at which operations continue in any case.
    var deadlines: [UInt64: Int64] = [:]
    /// The time until which a thread waits; 0 if no thread waits.
    var waitsUntil: Int64 = 0
    /// The works that were stopped before their operation was added, with true if by force.
    var stoppedEarly: [UInt64: Bool] = [:]
    var hasStoppedAll = false

    /// Returns the works whose deadline has passed, and removes these deadlines.
    mutating func takeDue(at time: Int64) -> [EngineWork] {
      let due = deadlines.filter { $0.value <= time }.sorted { $0.value < $1.value }
      for (token, _) in due { deadlines[token] = nil }
      return due.compactMap { entries[$0.key]?.work }
    }
  }

  private struct Entry: Sendable {
    let work: EngineWork
    let stage: Stage
    var watched: [Int32]

    var operation: any PolledOperation { stage.operation }
  }

  /// A stage of a unit of work: a wait before its start, or the work itself.
  private struct Stage: Sendable {
    let operation: any PolledOperation
    /// The function that starts the next stage after a success; `nil` for the work itself.
    var next: (@Sendable () throws -> Stage)?
  }

  /// Creates an empty set of operations.
  ///
  /// - Throws: `SystemError` if the system has no descriptor left.
  init(watch: (any LaunchWatcher)?) throws(SystemError) {
    poller = try Poller()
    self.watch = watch
    nextTick = Lock(watch?.interval.map { MonotonicClock.now() + $0 } ?? .max)
    if let watch { try poller.add(watch.descriptor, token: Self.watchToken) }
  }

  /// Returns a function that makes the operations of a launch.
  package static func maker(watch: (any LaunchWatcher)? = nil) -> LaunchOperationsMaker {
    { try PolledOperations(watch: watch) }
  }

  package func start(_ work: EngineWork, in launch: LaunchSession) throws -> WorkEnd? {
    let context = launch.context(of: work)
    let start: @Sendable () throws -> Stage = { [self] in
      let command = try launch.command(of: work)
      guard let polled = _CommandExecution.polledCommand(command) as? any OperationCommand else {
        throw CommandMisuse.noOperations(type(of: command).name)
      }
      let begin = { try work.isUndo ? polled.startUndo(in: context) : polled.start(in: context) }
      do {
        return Stage(operation: try begin())
      } catch let error as any ShortageError where error.isShortage && !isBusy {
        // Nothing else would make room. A step runs rather without its log.
        guard let logs = context.session.environment.host.logs else { throw error }
        return Stage(operation: try logs.withFilesClosed(begin))
      }
    }
    let first = try waitingForRoom(in: context) { [self] in
      guard let check = try launch.beginUnless(of: work) else { return try start() }
      let operation = UnlessOperation(check)
      return Stage(operation: operation) { [self] in
        try launch.conclude(operation.hasSucceeded, of: work)
        return try waitingForRoom(in: context, start)
      }
    }
    return try begin(first, of: work)
  }

  /// Starts a stage. If a limit of the system prevents it, returns a wait before the next attempt instead.
  ///
  /// - Parameter endWait: A function that ends the span of the wait; `nil` before the first attempt.
  private func waitingForRoom(
    in context: LaunchContext, retry: ShortageRetry = ShortageRetry(), endWait: (@Sendable () -> Void)? = nil,
    _ start: @escaping @Sendable () throws -> Stage
  ) throws -> Stage {
    var retry = retry
    do {
      let stage = try start()
      endWait?()
      return stage
    } catch let error as any ShortageError where error.isShortage && retry.isWorthwhile(isBusy: isBusy) {
      let endWait = endWait ?? context.startSpan("cannot start yet")
      return Stage(operation: ShortageOperation(error, endWait: endWait)) { [self, retry] in
        try waitingForRoom(in: context, retry: retry, endWait: endWait, start)
      }
    } catch {
      endWait?()
      throw error
    }
  }

  /// Watches a stage. Returns the end of work that ends at once.
  private func begin(_ stage: Stage, of work: EngineWork) throws -> WorkEnd? {
    // The poller reports a running operation, so that steps that became ready together start before any end is
    // handled.
    guard stage.operation.descriptors.isEmpty, let result = stage.operation.advance() else {
      add(stage, for: work)
      return nil
    }
    return try end(stage, of: work, result)
  }

  /// Releases a stage that has ended, and begins the next one. Returns the end of the work.
  private func end(_ stage: Stage, of work: EngineWork, _ result: Result<Void, any Error>) throws -> WorkEnd?
  {
    stage.operation.release()
    guard case .success = result, let next = stage.next else {
      return WorkEnd(result, cpuTime: stage.operation.cpuTime)
    }
    return try begin(next(), of: work)
  }

  /// The poller's number for the watcher. No work has it, because the index of a step is never negative.
  private static let watchToken = UInt64.max - 1

  /// Begins to watch the operation of a unit of work. Stops it if its work was stopped while the operation started.
  func add(_ operation: any PolledOperation, for work: EngineWork) {
    add(Stage(operation: operation), for: work)
  }

  private func add(_ stage: Stage, for work: EngineWork) {
    let entry = Entry(work: work, stage: stage, watched: [])
    let stop = state.withLock { state in
      state.entries[work.token] = entry
      let stop = state.stoppedEarly.removeValue(forKey: work.token)
      return state.hasStoppedAll ? true : stop
    }
    schedule(stage.operation, for: work)
    update(work)
    stage.operation.whenNews { [weak self] in self?.advanceSoon(work) }
    // A forced stop follows the request to end, as for an operation that runs.
    if let isForced = stop {
      self.stop(work, isForced: false)
      if isForced { self.stop(work, isForced: true) }
    }
  }

  private func advanceSoon(_ work: EngineWork) {
    state.withLock { state in
      if state.entries[work.token] != nil { state.deadlines[work.token] = 0 }
    }
    poller.wake()
  }

  /// Sets the timer of an operation to its deadline, if it has one.
  private func schedule(_ operation: any PolledOperation, for work: EngineWork) {
    let descriptors = operation.descriptors
    let mustWake = state.withLock { state in
      guard let entry = state.entries[work.token] else { return false }
      // With the lock: news that comes later changes the time afterwards.
      let due = operation.nextDeadline
      // An operation with a descriptor that is not watched yet has the time of the next attempt.
      let retry = Set(descriptors).isSubset(of: entry.watched) ? nil : state.deadlines[work.token]
      state.deadlines[work.token] = [due, retry].compactMap(\.self).min()
      return due.map { $0 < state.waitsUntil } ?? false
    }
    if mustWake { poller.wake() }
  }

  package func wait(until deadline: Int64?) -> [EngineWork] {
    let tick = nextTick.withLock(\.self)
    let earlier = state.withLock { state in
      state.waitsUntil = min(tick, deadline ?? .max, state.deadlines.values.min() ?? .max)
      return state.waitsUntil
    }
    let tokens = try? poller.wait(deadline: earlier == .max ? nil : earlier)
    let due = state.withLock { state in
      state.waitsUntil = 0
      return state.takeDue(at: MonotonicClock.now())
    }
    guard let tokens else { return due }
    if let watch { attend(watch, isReady: tokens.contains(Self.watchToken), tick: tick) }
    return state.withLock { state in
      due + Set(tokens).compactMap { state.entries[$0]?.work }.filter { !due.contains($0) }
    }
  }

  private func attend(_ watch: any LaunchWatcher, isReady: Bool, tick: Int64) {
    if isReady { watch.attend() }
    guard let interval = watch.interval, MonotonicClock.now() >= tick else { return }
    watch.tick()
    nextTick.withLock { $0 = MonotonicClock.now() + interval }
  }

  package func wake() { poller.wake() }

  package func advance(_ work: EngineWork) -> WorkEnd? {
    guard let entry = state.withLock({ $0.entries[work.token] }) else { return nil }
    guard let result = entry.operation.advance() else {
      schedule(entry.operation, for: work)
      update(work)
      return nil
    }
    let watched = state.withLock { state in
      state.deadlines[work.token] = nil
      return state.entries.removeValue(forKey: work.token)?.watched ?? []
    }
    for descriptor in watched { poller.remove(descriptor) }
    do {
      return try end(entry.stage, of: work, result)
    } catch {
      return WorkEnd(.failure(error))
    }
  }

  package func stop(_ work: EngineWork, isForced: Bool) {
    let running = state.withLock { state -> (any PolledOperation)? in
      if let entry = state.entries[work.token] { return entry.operation }
      state.stoppedEarly[work.token] = isForced || state.stoppedEarly[work.token] == true
      return nil
    }
    guard let operation = running else { return }
    operation.stop(isForced: isForced)
    schedule(operation, for: work)
  }

  package func stopAll() {
    let entries = state.withLock { state in
      state.hasStoppedAll = true
      return Array(state.entries.values)
    }
    for entry in entries { entry.operation.stop(isForced: true) }
  }

  package func obstacle(of work: EngineWork) -> String? {
    state.withLock { $0.entries[work.token]?.operation }?.obstacle
  }

  package func isConcluded(_ work: EngineWork) -> Bool {
    state.withLock { $0.entries[work.token]?.operation }?.isConcluded ?? false
  }

  package var isBusy: Bool {
    let entries = state.withLock { Array($0.entries.values) }
    return entries.contains { $0.work.kind == .polled && !$0.operation.isDelayed }
  }

  package func unfinishedLines() -> [Int: String] {
    let entries = state.withLock { Array($0.entries.values) }
    return entries.reduce(into: [:]) { lines, entry in lines[entry.work.step] = entry.operation.unfinishedLine
    }
  }

  package func delays() -> [Int: String] {
    let entries = state.withLock { state in state.entries.values.filter { $0.operation.isDelayed } }
    return entries.reduce(into: [:]) { delays, entry in delays[entry.work.step] = entry.operation.obstacle }
  }

  /// Watches the descriptors that an operation needs now, and no others of that operation.
  private func update(_ work: EngineWork) {
    guard let entry = state.withLock({ $0.entries[work.token] }) else { return }
    var watched = entry.watched
    let wanted = entry.operation.descriptors
    for descriptor in watched where !wanted.contains(descriptor) { poller.remove(descriptor) }
    watched.removeAll { !wanted.contains($0) }
    do {
      for descriptor in wanted where !watched.contains(descriptor) {
        try poller.add(descriptor, token: work.token)
        watched.append(descriptor)
      }
    } catch {
      // The poller has no room for another descriptor at the moment.
      let due = MonotonicClock.now() + Self.pause
      state.withLock { $0.deadlines[work.token] = min(due, $0.deadlines[work.token] ?? .max) }
    }
    state.withLock { $0.entries[work.token]?.watched = watched }
  }
}

extension EngineWork {
  /// The poller's number for the operation of this work.
  var token: UInt64 {
    UInt64(UInt32(step)) << 32 | (isUndo ? 1 << 31 : 0) | UInt64(UInt32(truncatingIfNeeded: attempt))
  }
}

/// A watcher that the service of a launch calls. It handles signals and updates a live display.
///
/// The service runs the timers and the poller of a launch. It makes one call at a time. A call must not block.
package protocol LaunchWatcher: Sendable {
  /// The descriptor that is readable when ``attend()`` must be called.
  var descriptor: Int32 { get }
  /// The nanoseconds between two calls of ``tick()``; `nil` for no calls.
  var interval: Int64? { get }
  /// Handles the input of the readable descriptor.
  func attend()
  /// Does the work that is needed at intervals.
  func tick()
}
