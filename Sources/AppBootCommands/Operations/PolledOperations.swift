package import AppBoot
import AppBootBase
import AppBootSystem

/// The running operations of a launch, with the poller that watches them and an optional ``LaunchWatcher``.
package final class PolledOperations: LaunchOperations {
  /// The nanoseconds after which the later descriptors of an operation are watched.
  private static let patience: Int64 = 2_000_000
  /// The nanoseconds by which watching may be delayed. A waiting thread is woken only for a longer delay.
  private static let slack: Int64 = 10_000_000

  private let poller: Poller
  private let watch: (any LaunchWatcher)?
  private let nextTick: Lock<Int64>
  private let state = Lock(State())

  fileprivate struct State: Sendable {
    var entries: [UInt64: Entry] = [:]
    /// The operations whose later descriptors are not watched yet, each with the time at which they will be.
    var young: [(token: UInt64, due: Int64)] = []
    var firstYoung = 0
    /// A heap of the operations' deadlines. A deadline that its operation no longer has is ignored.
    var timers: [Timer] = []
    /// The time until which a thread waits; 0 if no thread waits.
    var waitsUntil: Int64 = 0
    /// The works that were stopped before their operation was added, with true if by force.
    var stoppedEarly: [UInt64: Bool] = [:]
    var hasStoppedAll = false
  }

  fileprivate struct Timer: Sendable {
    let due: Int64
    let token: UInt64

    static func precedes(_ left: Timer, _ right: Timer) -> Bool { left.due < right.due }
  }

  fileprivate struct Entry: Sendable {
    let work: EngineWork
    let operation: any PolledOperation
    var watched: [Int32]
    var isYoung: Bool
    /// The time at which the operation continues in any case; `nil` if it has no deadline, or after the deadline.
    var due: Int64?

    /// The descriptors that must be watched now.
    var wanted: [Int32] { operation.descriptors + (isYoung ? [] : operation.laterDescriptors) }
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
    let isYoung = !operation.laterDescriptors.isEmpty
    let due = isYoung ? MonotonicClock.now() + Self.patience : 0
    let entry = Entry(work: work, operation: operation, watched: operation.descriptors, isYoung: isYoung)
    let (mustWake, stop) = state.withLock { state in
      state.entries[work.token] = entry
      if isYoung { state.young.append((work.token, due)) }
      let stop = state.stoppedEarly.removeValue(forKey: work.token)
      return (isYoung && state.waitsUntil - due > Self.slack, state.hasStoppedAll ? true : stop)
    }
    for descriptor in entry.watched { try poller.add(descriptor, token: work.token) }
    if mustWake { poller.wake() }
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
      guard let entry = state.entries[work.token], entry.due != due else { return false }
      state.entries[work.token]?.due = due
      guard let due else { return false }
      Heap.insert(Timer(due: due, token: work.token), into: &state.timers, by: Timer.precedes)
      return due < state.waitsUntil
    }
    if mustWake { poller.wake() }
  }

  package func wait(until deadline: Int64?) -> [EngineWork] {
    let tick = nextTick.withLock(\.self)
    let earlier = state.withLock { state in
      state.waitsUntil = min(tick, deadline ?? .max, state.nextDue() ?? .max, state.nextTimer() ?? .max)
      return state.waitsUntil
    }
    let tokens = try? poller.wait(deadline: earlier == .max ? nil : earlier)
    let (grown, due) = state.withLock { state in
      state.waitsUntil = 0
      let now = MonotonicClock.now()
      return (state.takeGrown(at: now), state.takeDue(at: now))
    }
    for work in grown { update(work) }
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
      update(work)
      schedule(entry.operation, for: work)
      return nil
    }
    let watched = state.withLock { $0.entries.removeValue(forKey: work.token)?.watched ?? [] }
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
    let change = state.withLock { state -> (gone: [Int32], new: [Int32])? in
      guard let entry = state.entries[work.token] else { return nil }
      let wanted = entry.wanted
      state.entries[work.token]?.watched = wanted
      return (entry.watched.filter { !wanted.contains($0) }, wanted.filter { !entry.watched.contains($0) })
    }
    guard let change else { return }
    for descriptor in change.gone { poller.remove(descriptor) }
    do {
      for descriptor in change.new { try poller.add(descriptor, token: work.token) }
    } catch {
      // The poller has no room for another descriptor at the moment.
      state.withLock { $0.retry(work.token, at: MonotonicClock.now() + Self.patience) }
    }
  }
}

extension PolledOperations.State {
  /// Returns the next time at which later descriptors must be watched; `nil` if there is none.
  ///
  /// Removes the operations that have ended.
  fileprivate mutating func nextDue() -> Int64? {
    while firstYoung < young.count, entries[young[firstYoung].token] == nil { firstYoung += 1 }
    guard firstYoung < young.count else {
      young.removeAll(keepingCapacity: true)
      firstYoung = 0
      return nil
    }
    return young[firstYoung].due
  }

  /// Returns the operations whose later descriptors must be watched from now on.
  fileprivate mutating func takeGrown(at time: Int64) -> [EngineWork] {
    var grown: [EngineWork] = []
    while let due = nextDue(), due <= time {
      let token = young[firstYoung].token
      firstYoung += 1
      entries[token]?.isYoung = false
      if let work = entries[token]?.work { grown.append(work) }
    }
    return grown
  }

  /// Returns the earliest deadline of an operation; `nil` if there is none. Removes outdated deadlines.
  fileprivate mutating func nextTimer() -> Int64? {
    while let timer = timers.first {
      if entries[timer.token]?.due == timer.due { return timer.due }
      Heap.removeFirst(from: &timers, by: PolledOperations.Timer.precedes)
    }
    return nil
  }

  /// Returns the operations whose deadline has passed, and removes these deadlines.
  fileprivate mutating func takeDue(at time: Int64) -> [EngineWork] {
    var due: [EngineWork] = []
    while let next = nextTimer(), next <= time {
      let token = timers[0].token
      entries[token]?.due = nil
      if let work = entries[token]?.work { due.append(work) }
    }
    return due
  }

  /// Delays the later descriptors of an operation again. They are not watched before `due`.
  fileprivate mutating func retry(_ token: UInt64, at due: Int64) {
    guard let entry = entries[token] else { return }
    entries[token]?.isYoung = true
    entries[token]?.watched = entry.operation.descriptors
    young.append((token, due))
  }
}

extension EngineWork {
  /// The poller's number for the operation of this work.
  var token: UInt64 {
    UInt64(UInt32(step)) << 32 | (isUndo ? 1 << 31 : 0) | UInt64(UInt32(truncatingIfNeeded: attempt))
  }
}
