import AppBootSystem

/// A mailbox that passes values to the main actor in the order in which they were sent.
///
/// A value that is sent on the main thread has been received when ``send(_:)`` returns, unless an earlier one is being
/// received. Values from other threads are received later.
final class MainActorMailbox<Value: Sendable>: Sendable {
  private struct Contents: Sendable {
    var values: [Value] = []
    var isReceiving = false
    var isScheduled = false
  }

  private let contents = Lock(Contents())
  private let receive: @MainActor @Sendable (Value) -> Void

  init(_ receive: @escaping @MainActor @Sendable (Value) -> Void) { self.receive = receive }

  func send(_ value: Value) {
    let isOnMainThread = MainQueue.isOnMainActor
    let isNew = contents.withLock { contents in
      contents.values.append(value)
      defer { if !isOnMainThread { contents.isScheduled = true } }
      return !contents.isScheduled
    }
    if isOnMainThread {
      MainActor.assumeIsolated { receiveAll() }
    } else if isNew {
      Task { @MainActor in receiveAll() }
    }
  }

  @MainActor
  private func receiveAll() {
    let isFirst = contents.withLock { contents in
      contents.isScheduled = false
      defer { contents.isReceiving = true }
      return !contents.isReceiving
    }
    guard isFirst else { return }
    while let batch = take() {
      for value in batch { receive(value) }
    }
  }

  private func take() -> [Value]? {
    contents.withLock { contents in
      let batch = contents.values
      contents.values = []
      contents.isReceiving = !batch.isEmpty
      return batch.isEmpty ? nil : batch
    }
  }
}
