import AppBootSystem

/// The outcome of something that happens once, for all who wait for it: the end of an app, or of its services.
package final class SharedOutcome<Value: Sendable>: Sendable {
  private struct State: Sendable {
    var hasBegun = false
    var value: Value?
    /// The functions to call with the outcome.
    var waiting: [@Sendable (Value) -> Void] = []
  }

  private let state = Lock(State())

  package init() {}

  /// Returns true for the first call: its caller brings about the outcome.
  package func begin() -> Bool {
    state.withLock { state in
      defer { state.hasBegun = true }
      return !state.hasBegun
    }
  }

  /// True after ``begin()``.
  package var hasBegun: Bool { state.withLock(\.hasBegun) }

  /// Calls a function with the outcome: at once if it is known.
  package func whenDone(_ body: @escaping @Sendable (Value) -> Void) {
    let value = state.withLock { state in
      if state.value == nil { state.waiting.append(body) }
      return state.value
    }
    if let value { body(value) }
  }

  /// Stores the outcome, and calls the functions that wait for it.
  package func complete(_ value: Value) {
    let waiting = state.withLock { state in
      defer { state = State(hasBegun: true, value: value) }
      return state.waiting
    }
    for body in waiting { body(value) }
  }
}
