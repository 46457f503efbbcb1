import AppBootSystem

/// A container for one state that changes only through actions and a pure reducer. It is safe to use from any thread.
///
/// - Actions are processed one at a time, in the order of their dispatch.
/// - An action that middleware dispatches while it runs is processed at once, before the outer action continues.
/// - If a subscriber or another thread dispatches an action while one is being processed, the new action waits until
///   all subscribers have been notified. `dispatch` returns without waiting.
/// - Subscribers are notified in the order of their subscriptions, and only if their part of the state has changed.
///
/// The store holds no lock while it calls a reducer, middleware or a subscriber.
public final class LifecycleStore<State: Sendable, Action: Sendable>: Sendable {
  private enum Work: Sendable {
    case action(Action)
    case subscription(StoreSubscriber<State>)
  }

  private struct Contents: Sendable {
    var state: State
    var subscribers: [StoreSubscriber<State>] = []
    var work: [Work] = []
    var isWorking = false
    /// The thread that runs middleware; `nil` while the reducer and the subscribers run, and between actions.
    var middlewareThread: UInt?
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
  ///
  /// Middleware is the exception: the action that it dispatches while it runs has been processed when the call returns.
  public func dispatch(_ action: Action) {
    if isInMiddleware { return handle(action, from: 0) }
    add(.action(action))
  }

  // MARK: - Subscribers

  /// The number of subscribers, including objects that no longer exist and have not been notified since.
  var subscriberCount: Int { contents.withLock { $0.subscribers.count } }

  /// Adds a subscriber, which is notified of the current state first. It replaces the subscriber of the same object.
  func add(_ subscriber: StoreSubscriber<State>) -> LifecycleSubscription {
    if let object = subscriber.object { remove { $0.object == object } }
    contents.withLock { $0.subscribers.append(subscriber) }
    add(.subscription(subscriber))
    return LifecycleSubscription { [weak self, flag = subscriber.flag] in
      flag.set()
      self?.remove { $0.flag === flag }
    }
  }

  /// Ends the subscription of an object that subscribed with ``subscribe(_:to:_:)``.
  public func unsubscribe(_ object: AnyObject) {
    remove { $0.object == ObjectIdentifier(object) }
  }

  func remove(where isRemoved: (StoreSubscriber<State>) -> Bool) {
    // They are released after the lock, because their captures may run user code.
    let removed = contents.withLock { contents in
      let removed = contents.subscribers.filter(isRemoved)
      contents.subscribers.removeAll(where: isRemoved)
      return removed
    }
    for subscriber in removed { subscriber.flag.set() }
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
    let outer = exchangeMiddlewareThread(Thread.current)
    middleware[index].handle(action, self) { self.handle($0, from: index + 1) }
    exchangeMiddlewareThread(outer)
  }

  private var isInMiddleware: Bool {
    guard !middleware.isEmpty else { return false }
    return contents.withLock { $0.middlewareThread } == Thread.current
  }

  /// Sets the thread that runs middleware, and returns the previous one.
  @discardableResult
  private func exchangeMiddlewareThread(_ thread: UInt?) -> UInt? {
    contents.withLock { contents in
      defer { contents.middlewareThread = thread }
      return contents.middlewareThread
    }
  }

  private func reduce(_ action: Action) {
    let thread = middleware.isEmpty ? nil : exchangeMiddlewareThread(nil)
    var state = state
    reducer.reduce(&state, action)
    let reduced = state
    let subscribers = contents.withLock { contents in
      contents.state = reduced
      return contents.subscribers
    }
    for subscriber in subscribers where !subscriber.flag.isSet { subscriber.notify(reduced) }
    if thread != nil { exchangeMiddlewareThread(thread) }
  }

  private func begin(_ subscriber: StoreSubscriber<State>) {
    if !subscriber.flag.isSet { subscriber.notify(state) }
  }
}

/// A subscriber of a store.
struct StoreSubscriber<State: Sendable>: Sendable {
  /// The object that subscribed; `nil` for a function. An object has one subscription.
  let object: ObjectIdentifier?
  /// The flag that is set when the subscription is cancelled. It identifies the subscriber.
  let flag: StopFlag
  let notify: @Sendable (State) -> Void
}
