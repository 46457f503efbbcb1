import AppBootSystem

/// A container for one state that changes only through actions and a pure reducer. It is safe to use from any thread.
///
/// - Actions are processed one at a time, in the order of their dispatch.
/// - If middleware, a subscriber or another thread dispatches an action while one is being processed, the new action
///   waits until all subscribers have been notified. `dispatch` returns without waiting.
/// - Subscribers are notified in the order of their subscriptions, and only if their part of the state has changed.
///
/// The store holds no lock while it calls a reducer, middleware or a subscriber.
public final class Store<State: Sendable, Action: Sendable>: Sendable {
  private enum Work: Sendable {
    case action(Action)
    case subscription(StoreSubscriber<State>)
  }

  private struct Contents: Sendable {
    var state: State
    var subscribers: [StoreSubscriber<State>] = []
    var work: [Work] = []
    var isWorking = false
  }

  private let contents: Lock<Contents>
  private let reducer: Reducer
  private let middleware: [Middleware]

  /// Creates a store.
  ///
  /// - Parameter middleware: The middleware. Each action passes it in this order before it reaches the reducer.
  public init(_ state: State, reducer: Reducer, middleware: [Middleware] = []) {
    contents = Lock(Contents(state: state))
    self.reducer = reducer
    self.middleware = middleware
  }

  /// The current state.
  public var state: State { contents.withLock { $0.state } }

  /// Dispatches an action. If another action is being processed, the new one waits, and the call returns at once.
  public func dispatch(_ action: Action) { add(.action(action)) }

  /// Subscribes to a part of the state. `notify` receives the current value of the part, and then each new value.
  ///
  /// The subscription lasts until it is cancelled, even if the result is discarded.
  @discardableResult
  public func subscribe<Part: Equatable & Sendable>(
    to select: @escaping @Sendable (State) -> Part, _ notify: @escaping @Sendable (Part) -> Void
  ) -> LifecycleSubscription {
    let flag = StopFlag()
    let last = Lock<Part?>(nil)
    let subscriber = StoreSubscriber<State>(flag: flag) { state in
      let part = select(state)
      let isNew = last.withLock { last in
        defer { last = part }
        return last != part
      }
      if isNew { notify(part) }
    }
    add(.subscription(subscriber))
    return LifecycleSubscription { [weak self] in
      flag.set()
      self?.removeCancelled()
    }
  }

  // MARK: - Processing

  private func add(_ work: Work) {
    let isFirst = contents.withLock { contents in
      contents.work.append(work)
      defer { contents.isWorking = true }
      return !contents.isWorking
    }
    if isFirst { process() }
  }

  private func process() {
    while let batch = takeWork() {
      for work in batch {
        switch work {
        case .action(let action): handle(action, from: 0)
        case .subscription(let subscriber): begin(subscriber)
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
    let subscribers = contents.withLock { contents in
      contents.state = reduced
      return contents.subscribers
    }
    for subscriber in subscribers where !subscriber.flag.isSet { subscriber.notify(reduced) }
  }

  private func begin(_ subscriber: StoreSubscriber<State>) {
    let state = contents.withLock { contents -> State? in
      // A subscriber that is already cancelled would not be removed again.
      guard !subscriber.flag.isSet else { return nil }
      contents.subscribers.append(subscriber)
      return contents.state
    }
    if let state, !subscriber.flag.isSet { subscriber.notify(state) }
  }

  /// Removes cancelled subscribers. Releases them after the lock, because their captures may run user code.
  private func removeCancelled() {
    let before = contents.withLock { contents in
      let before = contents.subscribers
      contents.subscribers.removeAll { $0.flag.isSet }
      return before
    }
    withExtendedLifetime(before) {}
  }
}

final class StoreSubscriber<State: Sendable>: Sendable {
  let flag: StopFlag
  let notify: @Sendable (State) -> Void

  init(flag: StopFlag, notify: @escaping @Sendable (State) -> Void) {
    self.flag = flag
    self.notify = notify
  }
}
