extension LifecycleStore {
  /// A pure function that changes a state according to an action.
  ///
  /// ```swift
  /// let counter = LifecycleStore<Int, CounterAction>.Reducer { count, action in
  ///   switch action {
  ///   case .increment: count += 1
  ///   case .reset: count = 0
  ///   }
  /// }
  /// ```
  public struct Reducer: Sendable {
    let reduce: @Sendable (inout State, Action) -> Void

    /// Creates a reducer. The function must have no effect except changing the state.
    public init(_ reduce: @escaping @Sendable (inout State, Action) -> Void) { self.reduce = reduce }

    /// Creates a reducer that applies several reducers in order.
    public init(combining reducers: [Reducer]) {
      self.init { state, action in
        for reducer in reducers { reducer.reduce(&state, action) }
      }
    }

    /// Returns the state that results from an action.
    public func state(_ state: State, after action: Action) -> State {
      var state = state
      reduce(&state, action)
      return state
    }

    /// Returns a reducer for a larger state. It changes only the part of the larger state that `part` selects.
    public func lifted<Whole: Sendable>(
      to part: any WritableKeyPath<Whole, State> & Sendable
    ) -> LifecycleStore<Whole, Action>.Reducer {
      lifted(to: part) { $0 }
    }

    /// Returns a reducer for a larger state and a wider action type. It changes only the part that `part` selects.
    ///
    /// - Parameter select: A function that returns the action for this reducer; `nil` to ignore the wider action.
    public func lifted<Whole: Sendable, Wider: Sendable>(
      to part: any WritableKeyPath<Whole, State> & Sendable, of select: @escaping @Sendable (Wider) -> Action?
    ) -> LifecycleStore<Whole, Wider>.Reducer {
      LifecycleStore<Whole, Wider>.Reducer { whole, action in
        if let action = select(action) { reduce(&whole[keyPath: part], action) }
      }
    }
  }

  /// A function that receives actions before the reducer.
  ///
  /// Middleware can observe an action, replace it, drop it, or dispatch other actions.
  public struct Middleware: Sendable {
    let handle: @Sendable (Action, LifecycleStore, _ next: (Action) -> Void) -> Void

    /// Creates middleware. If `handle` does not call `next`, the action is dropped.
    public init(
      _ handle:
        @escaping @Sendable (_ action: Action, _ store: LifecycleStore, _ next: (Action) -> Void) -> Void
    ) { self.handle = handle }
  }
}
