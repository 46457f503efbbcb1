import Testing

@testable import AppBoot
@testable import AppBootCommands
@testable import AppBootSystem

@Suite("The polled operations")
struct PolledOperationsTests {
  private let work = EngineWork(step: 0, attempt: 1, kind: .polled)

  @Test("A readable descriptor reports its operation")
  func readable() throws {
    let operations = try PolledOperations(watch: nil)
    let operation = try Piped()
    operations.add(operation, for: work)
    try operation.pipe.put()
    #expect(operations.wait(until: nil) == [work])
  }

  @Test("No descriptor is watched once the operation has ended")
  func ended() throws {
    let operations = try PolledOperations(watch: nil)
    let operation = try Piped()
    operations.add(operation, for: work)
    operation.stop(isForced: false)
    #expect(operations.advance(work) != nil)
    try operation.pipe.put()
    #expect(operations.wait(until: MonotonicClock.now()).isEmpty)
    #expect(operations.advance(work) == nil)
  }
}

extension PolledOperationsTests {
  @Test("An operation without descriptors is reported at its deadline, and once")
  func deadline() throws {
    let operations = try PolledOperations(watch: nil)
    operations.add(Timed(due: MonotonicClock.now() + 1_000_000), for: work)
    #expect(operations.wait(until: nil) == [work])
    #expect(operations.wait(until: MonotonicClock.now()).isEmpty)
  }

  @Test("An operation is reported again at the deadline that it has after a step forward")
  func nextDeadline() throws {
    let operations = try PolledOperations(watch: nil)
    let operation = Timed(due: 0)
    operations.add(operation, for: work)
    #expect(operations.wait(until: nil) == [work])
    operation.due.withLock { $0 = 1 }
    #expect(operations.advance(work) == nil)
    #expect(operations.wait(until: nil) == [work])
  }

  @Test("A deadline that was replaced by another does not count")
  func replacedDeadline() throws {
    let operations = try PolledOperations(watch: nil)
    let operation = Timed(due: 0)
    operations.add(operation, for: work)
    operation.due.withLock { $0 = .max }
    #expect(operations.advance(work) == nil)
    #expect(operations.wait(until: MonotonicClock.now()).isEmpty)
  }

  @Test("The operation with the earliest deadline is reported first")
  func severalDeadlines() throws {
    let operations = try PolledOperations(watch: nil)
    let other = EngineWork(step: 1, attempt: 1, kind: .slotless)
    operations.add(Timed(due: .max), for: work)
    operations.add(Timed(due: 0), for: other)
    #expect(operations.wait(until: nil) == [other])
  }

  @Test(
    "An operation whose work was stopped while it started is stopped when it is added",
    arguments: [false, true])
  func stoppedEarly(stopsAll: Bool) throws {
    let operations = try PolledOperations(watch: nil)
    if stopsAll { operations.stopAll() } else { operations.stop(work, isForced: false) }
    operations.add(Timed(due: nil), for: work)
    #expect(operations.wait(until: MonotonicClock.now()) == [work])
    #expect(operations.advance(work) != nil)
  }

  @Test("An operation that was stopped twice while it started is asked to end before it is forced")
  func forcedEarly() throws {
    let operations = try PolledOperations(watch: nil)
    operations.stop(work, isForced: false)
    operations.stop(work, isForced: true)
    let operation = Timed(due: nil)
    operations.add(operation, for: work)
    #expect(operation.stops.withLock(\.self) == [false, true])
  }

  @Test("Stopping an operation reports it to a thread that waits without limit")
  func stoppedWhileWaiting() throws {
    let operations = try PolledOperations(watch: nil)
    let work = work
    operations.add(Timed(due: nil), for: work)
    let waiter = Lock<[EngineWork]>([])
    let thread = try Thread.start(name: "waiter") {
      let found = operations.wait(until: nil)
      waiter.withLock { $0 = found }
    }
    operations.stop(work, isForced: false)
    thread.join()
    #expect(waiter.withLock(\.self) == [work])
    #expect(operations.advance(work) != nil)
  }
}

/// An operation that only has a deadline; stopping it moves the deadline to now.
private final class Timed: PolledOperation {
  let due: Lock<Int64?>
  private let hasEnded = Lock(false)
  /// For each stop, whether it was forced.
  let stops = Lock<[Bool]>([])

  init(due: Int64?) { self.due = Lock(due) }

  var descriptors: [Int32] { [] }
  var nextDeadline: Int64? { due.withLock(\.self) }
  func advance() -> Result<Void, any Error>? { hasEnded.withLock(\.self) ? .success(()) : nil }
  func release() {}

  func stop(isForced: Bool) {
    hasEnded.withLock { $0 = true }
    stops.withLock { $0.append(isForced) }
    due.withLock { $0 = 0 }
  }
}

/// An operation that ends on request, with a descriptor.
private final class Piped: PolledOperation {
  let pipe: BytePipe
  private let hasEnded = Lock(false)

  init() throws { pipe = try BytePipe() }

  var descriptors: [Int32] { [pipe.ends.read] }

  func advance() -> Result<Void, any Error>? { hasEnded.withLock(\.self) ? .success(()) : nil }
  func release() {}
  func stop(isForced: Bool) { hasEnded.withLock { $0 = true } }
}

private final class BytePipe: Sendable {
  let ends: (read: Int32, write: Int32)

  init() throws { ends = try Descriptor.makePipe() }

  deinit {
    Descriptor.close(ends.read)
    Descriptor.close(ends.write)
  }

  func put() throws { try FileSystem.writeAll(ends.write, [0], path: nil) }
}
