import AppBootSystem

/// The outcome of something that happens once, for all who wait for it: the end of an app, or of its services.
package final class SharedOutcome<Value: Sendable>: Sendable {
  private enum State: Sendable {
    /// The functions are called with the outcome.
    case waiting([@Sendable (Value) -> Void], hasBegun: Bool)
    case done(Value)
  }

  private let state = Lock(State.waiting([], hasBegun: false))

  package init() {}

  /// Returns true for the first call: its caller brings about the outcome.
  package func begin() -> Bool {
    state.withLock { state in
      guard case .waiting(let bodies, hasBegun: false) = state else { return false }
      state = .waiting(bodies, hasBegun: true)
      return true
    }
  }

  /// True after ``begin()``.
  package var hasBegun: Bool {
    state.withLock { if case .waiting(_, hasBegun: false) = $0 { false } else { true } }
  }

  /// Calls a function with the outcome: at once if it is known.
  package func whenDone(_ body: @escaping @Sendable (Value) -> Void) {
    let value = state.withLock { state -> Value? in
      switch state {
      case .waiting(let bodies, let hasBegun): state = .waiting(bodies + [body], hasBegun: hasBegun)
      case .done(let value): return value
      }
      return nil
    }
    if let value { body(value) }
  }

  /// Stores the outcome, and calls the functions that wait for it.
  package func complete(_ value: Value) {
    let bodies = state.withLock { state -> [@Sendable (Value) -> Void] in
      defer { state = .done(value) }
      if case .waiting(let bodies, _) = state { return bodies }
      return []
    }
    for body in bodies { body(value) }
  }
}
