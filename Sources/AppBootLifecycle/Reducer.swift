/// How an action changes a state: a pure function, made of others where that helps.
public struct Reducer<State, Action>: Sendable {
  let reduce: @Sendable (inout State, Action) -> Void

  /// Creates a reducer; it touches nothing but the state.
  public init(_ reduce: @escaping @Sendable (inout State, Action) -> Void) { self.reduce = reduce }

  /// Lets each of the reducers change the state, in order.
  public init(combining reducers: [Reducer]) {
    self.init { state, action in
      for reducer in reducers { reducer.reduce(&state, action) }
    }
  }

  /// The state after an action.
  public func state(_ state: State, after action: Action) -> State {
    var state = state
    reduce(&state, action)
    return state
  }

  /// The reducer for a larger state that has this one as a part.
  public func lifted<Whole>(to part: any WritableKeyPath<Whole, State> & Sendable) -> Reducer<Whole, Action> {
    lifted(to: part) { $0 }
  }

  /// The reducer for a larger state and a larger kind of action, of which `select` picks what is for this one.
  public func lifted<Whole, Wider>(
    to part: any WritableKeyPath<Whole, State> & Sendable, of select: @escaping @Sendable (Wider) -> Action?
  ) -> Reducer<Whole, Wider> {
    Reducer<Whole, Wider> { whole, action in
      if let action = select(action) { reduce(&whole[keyPath: part], action) }
    }
  }
}
