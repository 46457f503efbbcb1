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
    var subscribers = SubscriberTable<StoreSubscriber<State>>()
    /// The current subscription of each object that subscribed.
    var objects: [ObjectIdentifier: StoreSubscriber<State>] = [:]
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
  var subscriberCount: Int { contents.withLock { $0.subscribers.elements.count } }

  /// Adds a subscriber, which is notified of the current state first.
  func add(_ subscriber: StoreSubscriber<State>) -> LifecycleSubscription {
    if let object = subscriber.object {
      contents.withLock { $0.objects.updateValue(subscriber, forKey: object) }.map(remove)
    }
    add(.subscription(subscriber))
    return LifecycleSubscription { [weak self, weak subscriber] in
      guard let subscriber else { return }
      if let self { self.remove(subscriber) } else { subscriber.flag.set() }
    }
  }

  /// Ends the subscription of an object that subscribed with ``subscribe(_:to:_:)``.
  public func unsubscribe(_ object: AnyObject) {
    contents.withLock { $0.objects[ObjectIdentifier(object)] }.map(remove)
  }

  /// Ends the subscription of an object, unless the object has subscribed again since.
  func unsubscribe(_ object: ObjectIdentifier, _ flag: StopFlag) {
    let subscriber = contents.withLock { $0.objects[object] }
    if let subscriber, subscriber.flag === flag { remove(subscriber) }
  }

  private func remove(_ subscriber: StoreSubscriber<State>) {
    subscriber.flag.set()
    // The caller holds the subscriber until the lock is released, because its captures may run user code.
    contents.withLock { contents in
      contents.subscribers.remove(ObjectIdentifier(subscriber))
      if let object = subscriber.object, contents.objects[object] === subscriber {
        contents.objects[object] = nil
      }
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
      return contents.subscribers.elements
    }
    for subscriber in subscribers where !subscriber.flag.isSet { subscriber.notify(reduced) }
    if thread != nil { exchangeMiddlewareThread(thread) }
  }

  private func begin(_ subscriber: StoreSubscriber<State>) {
    let state = contents.withLock { contents -> State? in
      // A subscriber that is already cancelled would not be removed again.
      guard !subscriber.flag.isSet else { return nil }
      contents.subscribers.add(subscriber)
      return contents.state
    }
    if let state, !subscriber.flag.isSet { subscriber.notify(state) }
  }
}

/// A subscriber of a store.
final class StoreSubscriber<State: Sendable>: Sendable {
  /// The object that subscribed; `nil` for a function. An object has one subscription.
  let object: ObjectIdentifier?
  /// Set when the subscription is cancelled.
  let flag: StopFlag
  let notify: @Sendable (State) -> Void

  init(object: ObjectIdentifier?, flag: StopFlag, notify: @escaping @Sendable (State) -> Void) {
    self.object = object
    self.flag = flag
    self.notify = notify
  }
}
