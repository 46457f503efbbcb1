import AppBootSystem

/// A number of slots for which tasks wait without blocking a thread. Tasks get slots in the order of their requests.
final class Slots: Sendable {
  /// The slots of tests that start processes or block: two for each processor.
  static let shared = Slots(2 * Host.usableProcessorCount)

  private struct State {
    var free: Int
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state: Lock<State>

  init(_ count: Int) { state = Lock(State(free: count)) }

  func take() async {
    await withCheckedContinuation { continuation in
      let isFree = state.withLock { state in
        guard state.free > 0 else {
          state.waiting.append(continuation)
          return false
        }
        state.free -= 1
        return true
      }
      if isFree { continuation.resume() }
    }
  }

  func release() {
    let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
      guard !state.waiting.isEmpty else {
        state.free += 1
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.resume()
  }
}
