import AppBootSystem

/// One state that only actions change, through a pure reducer; safe to use from any thread.
///
/// - Actions are reduced one at a time, in the order in which they were dispatched.
/// - An action that is dispatched while another one is reduced or told (by middleware, by a subscriber, by another
///   thread) waits until that one has been told to every subscriber; `dispatch` returns without waiting for it.
/// - Subscribers hear in the order in which they subscribed, and only when the part that they selected has changed.
///
/// No lock is held while a reducer, middleware or a subscriber is called.
public final class Store<State: Sendable, Action: Sendable>: Sendable {
  private enum Work: Sendable {
    case action(Action)
    case subscription(StoreListener<State>)
  }

  private struct Contents: Sendable {
    var state: State
    var listeners: [StoreListener<State>] = []
    var work: [Work] = []
    var isWorking = false
  }

  private let contents: Lock<Contents>
  private let reducer: Reducer<State, Action>
  private let middleware: [Middleware<State, Action>]

  /// Creates a store.
  ///
  /// - Parameter middleware: Each sees an action before the ones after it, and the reducer last.
  public init(
    _ state: State, reducer: Reducer<State, Action>, middleware: [Middleware<State, Action>] = []
  ) {
    contents = Lock(Contents(state: state))
    self.reducer = reducer
    self.middleware = middleware
  }

  /// The state as it stands.
  public var state: State { contents.withLock { $0.state } }

  /// Lets an action change the state.
  public func dispatch(_ action: Action) { add(.action(action)) }

  /// Tells the part of the state that `select` gives: as it is now, and then whenever it has changed.
  ///
  /// The subscription lasts until it is cancelled, whether the result is kept or not.
  @discardableResult
  public func subscribe<Part: Equatable & Sendable>(
    to select: @escaping @Sendable (State) -> Part, _ tell: @escaping @Sendable (Part) -> Void
  ) -> StoreSubscription {
    let flag = StopFlag()
    let last = Lock<Part?>(nil)
    let listener = StoreListener<State>(flag: flag) { state in
      let part = select(state)
      let isNew = last.withLock { last in
        defer { last = part }
        return last != part
      }
      if isNew { tell(part) }
    }
    add(.subscription(listener))
    return StoreSubscription { [weak self] in
      flag.set()
      self?.forgetStopped()
    }
  }

  // MARK: - One at a time

  private func add(_ work: Work) {
    let isFirst = contents.withLock { contents in
      contents.work.append(work)
      defer { contents.isWorking = true }
      return !contents.isWorking
    }
    if isFirst { workOff() }
  }

  private func workOff() {
    while let batch = takeWork() {
      for work in batch {
        switch work {
        case .action(let action): handle(action, from: 0)
        case .subscription(let listener): begin(listener)
        }
      }
    }
  }

  private func takeWork() -> [Work]? {
    contents.withLock { contents in
      let batch = contents.work
      contents.work = []
      contents.isWorking = !batch.isEmpty
      return batch.isEmpty ? nil : batch
    }
  }

  private func handle(_ action: Action, from index: Int) {
    guard index < middleware.count else { return reduce(action) }
    middleware[index].handle(action, self) { self.handle($0, from: index + 1) }
  }

  private func reduce(_ action: Action) {
    var state = state
    reducer.reduce(&state, action)
    let reduced = state
    let listeners = contents.withLock { contents in
      contents.state = reduced
      return contents.listeners
    }
    for listener in listeners where !listener.flag.isSet { listener.tell(reduced) }
  }

  private func begin(_ listener: StoreListener<State>) {
    let state = contents.withLock { contents -> State? in
      // Whoever was cancelled before has been looked for already.
      guard !listener.flag.isSet else { return nil }
      contents.listeners.append(listener)
      return contents.state
    }
    if let state, !listener.flag.isSet { listener.tell(state) }
  }

  /// What a listener captured ends after the lock: it is user code.
  private func forgetStopped() {
    let before = contents.withLock { contents in
      let before = contents.listeners
      contents.listeners.removeAll { $0.flag.isSet }
      return before
    }
    withExtendedLifetime(before) {}
  }
}

final class StoreListener<State: Sendable>: Sendable {
  let flag: StopFlag
  let tell: @Sendable (State) -> Void

  init(flag: StopFlag, tell: @escaping @Sendable (State) -> Void) {
    self.flag = flag
    self.tell = tell
  }
}

/// Somebody's interest in a part of a store's state.
public final class StoreSubscription: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) { self.end = end }

  /// Ends the subscription: nothing more is told, not even of an action under way. A second call does nothing.
  public func cancel() { end() }
}

/// Stands before the reducer: may watch an action, change it, hold it back, or dispatch others.
public struct Middleware<State: Sendable, Action: Sendable>: Sendable {
  let handle: @Sendable (Action, Store<State, Action>, _ next: (Action) -> Void) -> Void

  /// Creates middleware; without a call of `next` the action goes no further.
  public init(
    _ handle:
      @escaping @Sendable (_ action: Action, _ store: Store<State, Action>, _ next: (Action) -> Void) -> Void
  ) { self.handle = handle }
}
