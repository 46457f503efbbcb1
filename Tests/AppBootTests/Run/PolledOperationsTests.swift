import Testing

@testable import AppBoot
@testable import AppBootSystem

@Suite("The polled operations")
struct PolledOperationsTests {
  private let work = EngineWork(step: 0, attempt: 1, kind: .polled)

  @Test("A descriptor that is watched from the beginning reports its operation")
  func early() throws {
    let operations = try PolledOperations(watch: nil)
    let operation = try TwoPipes()
    try operations.add(operation, for: work)
    try operation.early.put()
    #expect(operations.wait(until: nil) == [work])
  }

  @Test("A descriptor that is watched later reports its operation, though nothing else wakes the poller")
  func later() throws {
    let operations = try PolledOperations(watch: nil)
    let operation = try TwoPipes()
    try operations.add(operation, for: work)
    try operation.later.put()
    var ended: [EngineWork] = []
    while ended.isEmpty { ended = operations.wait(until: nil) }
    #expect(ended == [work])
  }

  @Test("No descriptor is watched once the operation has ended")
  func ended() throws {
    let operations = try PolledOperations(watch: nil)
    let operation = try TwoPipes()
    try operations.add(operation, for: work)
    operation.stop(isForced: false)
    #expect(operations.advance(work) != nil)
    try operation.early.put()
    try operation.later.put()
    #expect(operations.wait(until: MonotonicClock.now()).isEmpty)
    #expect(operations.advance(work) == nil)
  }
}

/// An operation that ends on request, with a descriptor of either sort.
private final class TwoPipes: PolledOperation {
  let early: BytePipe
  let later: BytePipe
  private let hasEnded = Lock(false)

  init() throws {
    early = try BytePipe()
    later = try BytePipe()
  }

  var descriptors: [Int32] { [early.ends.read] }
  var laterDescriptors: [Int32] { [later.ends.read] }

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
