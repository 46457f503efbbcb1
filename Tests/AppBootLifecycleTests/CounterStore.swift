import AppBootLifecycle

struct Counter: Sendable, Equatable {
  var count = 0
  var label = ""
}

enum CounterAction: Sendable, Equatable {
  case add(Int)
  case name(String)
}

/// The reducer of the store that the tests use.
let counting = LifecycleStore<Counter, CounterAction>.Reducer { state, action in
  switch action {
  case .add(let number): state.count += number
  case .name(let label): state.label = label
  }
}
