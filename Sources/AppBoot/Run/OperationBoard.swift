import AppBootSystem

/// The operations under way, and the poller that watches them; and a ``LaunchWatch``, where there is one.
final class OperationBoard: Sendable {
  private let poller: Poller
  private let watch: (any LaunchWatch)?
  private let nextTick: Lock<Int64>
  private let entries = Lock<[UInt64: Entry]>([:])

  private struct Entry: Sendable {
    let work: EngineWork
    let operation: any PolledOperation
    var descriptors: [Int32]
  }

  /// - Throws: `SystemError` where the system has no descriptor left.
  init(watch: (any LaunchWatch)?) throws(SystemError) {
    poller = try Poller()
    self.watch = watch
    nextTick = Lock(watch?.interval.map { MonotonicClock.now() + $0 } ?? .max)
    if let watch { try poller.add(watch.descriptor, token: Self.watchToken) }
  }

  /// No work's token: a step's number is never negative.
  private static let watchToken = UInt64.max - 1

  /// Watches an operation.
  func add(_ operation: any PolledOperation, for work: EngineWork) throws {
    let descriptors = operation.descriptors
    entries.withLock { $0[work.token] = Entry(work: work, operation: operation, descriptors: descriptors) }
    for descriptor in descriptors { try poller.add(descriptor, token: work.token) }
  }

  /// Waits until an operation can go on, the deadline on the monotonic clock passes, or somebody wakes it;
  /// attends to the watch meanwhile.
  func wait(until deadline: Int64?) -> [EngineWork] {
    let tick = nextTick.withLock(\.self)
    let earlier = min(tick, deadline ?? .max)
    guard let tokens = try? poller.wait(deadline: earlier == .max ? nil : earlier) else { return [] }
    if let watch { attend(watch, isReady: tokens.contains(Self.watchToken), tick: tick) }
    return entries.withLock { entries in Set(tokens).compactMap { entries[$0]?.work } }
  }

  private func attend(_ watch: any LaunchWatch, isReady: Bool, tick: Int64) {
    if isReady { watch.attend() }
    guard let interval = watch.interval, MonotonicClock.now() >= tick else { return }
    watch.tick()
    nextTick.withLock { $0 = MonotonicClock.now() + interval }
  }

  func wake() { poller.wake() }

  /// Lets an operation go on; the answer is how it ended and the processor time it used, once it has.
  func advance(_ work: EngineWork) -> (result: Result<Void, any Error>, cpuTime: Int64?)? {
    guard let entry = entries.withLock({ $0[work.token] }) else { return nil }
    let result = entry.operation.advance()
    update(work, result == nil ? entry.operation.descriptors : [])
    guard let result else { return nil }
    entry.operation.release()
    return (result, entry.operation.cpuTime)
  }

  func stop(_ work: EngineWork, isForced: Bool) {
    entries.withLock { $0[work.token]?.operation }?.stop(isForced: isForced)
  }

  /// Ends every operation by force: for a program that is about to exit, which must leave no process behind.
  func stopAll() {
    for entry in entries.withLock({ Array($0.values) }) { entry.operation.stop(isForced: true) }
  }

  private func update(_ work: EngineWork, _ descriptors: [Int32]) {
    let gone = entries.withLock { entries -> [Int32] in
      let before = entries[work.token]?.descriptors ?? []
      if descriptors.isEmpty {
        entries[work.token] = nil
      } else {
        entries[work.token]?.descriptors = descriptors
      }
      return before.filter { !descriptors.contains($0) }
    }
    for descriptor in gone { poller.remove(descriptor) }
  }
}

extension EngineWork {
  /// The work's number on the poller.
  var token: UInt64 { UInt64(UInt32(step)) << 32 | UInt64(UInt32(truncatingIfNeeded: attempt)) }
}
