import AppBootSystem

/// The end of an app, which a host handles once: a repeated `willTerminate` gets the outcome of the first.
final class Termination: Sendable {
  typealias Completion = @Sendable (LifecycleOutcome) -> Void

  private enum State: Sendable {
    case none
    /// The completions of the repeated events are called with the outcome of the first.
    case running([Completion])
    case done(LifecycleOutcome)
  }

  private let state = Lock(State.none)

  /// Begins the termination and returns its completion. Returns `nil` for a repeated event, whose completion receives
  /// the first outcome.
  func begin(_ completion: @escaping Completion) -> Completion? {
    let (isFirst, outcome) = state.withLock { state -> (Bool, LifecycleOutcome?) in
      switch state {
      case .none:
        state = .running([])
        return (true, nil)
      case .running(let waiting):
        state = .running(waiting + [completion])
        return (false, nil)
      case .done(let outcome): return (false, outcome)
      }
    }
    if let outcome { completion(outcome) }
    guard isFirst else { return nil }
    return { [self] outcome in
      completion(outcome)
      for completion in end(outcome) { completion(outcome) }
    }
  }

  /// Stores the outcome. Returns the completions that wait for it.
  private func end(_ outcome: LifecycleOutcome) -> [Completion] {
    state.withLock { state in
      defer { state = .done(outcome) }
      if case .running(let waiting) = state { return waiting }
      return []
    }
  }
}
