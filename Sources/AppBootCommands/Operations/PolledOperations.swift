package import AppBoot
import AppBootBase
import AppBootSystem

/// The running operations of a launch, with the poller that watches them and an optional ``LaunchWatcher``.
package final class PolledOperations: LaunchOperations {
  /// The nanoseconds after which a descriptor is watched for which the poller had no room.
  private static let pause: Int64 = 2_000_000

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
    let operation: any PolledOperation
    var watched: [Int32]
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

  package func start(_ work: EngineWork, in launch: any OperationHost) throws -> WorkEnd? {
    let operation = try operation(of: work, in: launch)
    // The poller reports a running operation, so that steps that became ready together start before any end is
    // handled.
    guard operation.descriptors.isEmpty, let result = operation.advance() else {
      try add(operation, for: work)
      return nil
    }
    operation.release()
    return WorkEnd(result, cpuTime: operation.cpuTime)
  }

  /// Starts the operation of a unit of work. If its step has an `unless` with a program, it first waits for that
  /// program. If a limit of the system prevents a start, it waits while other work is under way.
  private func operation(of work: EngineWork, in launch: any OperationHost) throws -> any PolledOperation {
    let context = launch.context(of: work)
    let start: DelayedOperation.Start = { [self] in
      let command = try launch.command(of: work)
      guard let polled = _CommandExecution.polledCommand(command) as? any OperationCommand else {
        throw CommandMisuse.noOperations(type(of: command).name)
      }
      let begin = { try work.isUndo ? polled.startUndo(in: context) : polled.start(in: context) }
      do {
        return try begin()
      } catch let error as any ShortageError where error.isShortage && !isBusy {
        // Nothing else would make room. A step runs rather without its log.
        guard let logs = context.logs else { throw error }
        return try logs.withFilesClosed(begin)
      }
    }
    return try DelayedOperation.start(self, in: context) { [self] in
      guard let check = try launch.beginNeedCheck(of: work) else { return try start() }
      return CheckedOperation(check) { [self] hasSucceeded in
        try launch.conclude(hasSucceeded, of: work)
        return try DelayedOperation.start(self, in: context, start)
      }
    }
  }

  /// The poller's number for the watcher. No work has it, because the index of a step is never negative.
  private static let watchToken = UInt64.max - 1

  /// Begins to watch the operation of a unit of work. Stops it if its work was stopped while the operation started.
  func add(_ operation: any PolledOperation, for work: EngineWork) throws {
    let entry = Entry(work: work, operation: operation, watched: operation.descriptors)
    let stop = state.withLock { state in
      state.entries[work.token] = entry
      let stop = state.stoppedEarly.removeValue(forKey: work.token)
      return state.hasStoppedAll ? true : stop
    }
    for descriptor in entry.watched { try poller.add(descriptor, token: work.token) }
    schedule(operation, for: work)
    // A forced stop follows the request to end, as for an operation that runs.
    if let isForced = stop {
      self.stop(work, isForced: false)
      if isForced { self.stop(work, isForced: true) }
    }
  }

  /// Sets the timer of an operation to its deadline, if it has one.
  private func schedule(_ operation: any PolledOperation, for work: EngineWork) {
    let due = operation.nextDeadline
    let mustWake = state.withLock { state in
      guard state.entries[work.token] != nil else { return false }
      state.deadlines[work.token] = due
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
    entry.operation.release()
    return WorkEnd(result, cpuTime: entry.operation.cpuTime)
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
