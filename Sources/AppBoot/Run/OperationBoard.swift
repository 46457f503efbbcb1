import AppBootSystem

/// The operations under way, and the poller that watches them.
final class OperationBoard: Sendable {
  private let poller: Poller?
  private let entries = Lock<[UInt64: Entry]>([:])

  private struct Entry: Sendable {
    let work: EngineWork
    let operation: any PolledOperation
    var descriptors: [Int32]
  }

  init() {
    poller = try? Poller()
  }

  /// Watches an operation.
  func add(_ operation: any PolledOperation, for work: EngineWork) throws {
    guard let poller else { throw SystemError(call: "create a poller", code: 24) }
    let descriptors = operation.descriptors
    entries.withLock { $0[work.token] = Entry(work: work, operation: operation, descriptors: descriptors) }
    for descriptor in descriptors { try poller.add(descriptor, token: work.token) }
  }

  /// Waits until an operation can go on, the deadline on the monotonic clock passes, or somebody wakes it.
  func wait(until deadline: Int64?) -> [EngineWork] {
    guard let poller, let tokens = try? poller.wait(deadline: deadline) else { return [] }
    return entries.withLock { entries in Set(tokens).compactMap { entries[$0]?.work } }
  }

  func wake() { poller?.wake() }

  /// Lets an operation go on; the answer is how it ended, once it has.
  func advance(_ work: EngineWork) -> Result<Void, any Error>? {
    guard let entry = entries.withLock({ $0[work.token] }) else { return nil }
    let result = entry.operation.advance()
    update(work, result == nil ? entry.operation.descriptors : [])
    if result != nil { entry.operation.release() }
    return result
  }

  func stop(_ work: EngineWork, isForced: Bool) {
    entries.withLock { $0[work.token]?.operation }?.stop(isForced: isForced)
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
    for descriptor in gone { poller?.remove(descriptor) }
  }
}

extension EngineWork {
  /// The work's number on the poller.
  var token: UInt64 { UInt64(UInt32(step)) << 32 | UInt64(UInt32(truncatingIfNeeded: attempt)) }
}
