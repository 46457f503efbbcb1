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
    // Subscribers are released outside the lock, because the release of their captures can run user code.
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

extension LifecycleStore {
  /// A function that selects a part of the state. A key path is such a function: `\.unread`.
  public typealias Selection<Part> = @Sendable (State) -> Part

  // MARK: - Functions

  /// Subscribes to a part of the state. `notify` receives the current value of the part, and then each new value.
  ///
  /// `notify` is called on the thread that processes the action. The subscription lasts until it is cancelled, even if
  /// the result is discarded.
  @discardableResult
  public func subscribe<Part: Equatable & Sendable>(
    to select: @escaping Selection<Part>, _ notify: @escaping @Sendable (Part) -> Void
  ) -> LifecycleSubscription {
    observe(select) { _, new in notify(new) }
  }

  /// Calls `notify` with the old and the new value of a part of the state, whenever it has changed.
  ///
  /// The old value is the one before the action.
  @discardableResult
  public func onChange<Part: Equatable & Sendable>(
    of select: @escaping Selection<Part>, _ notify: @escaping @Sendable (_ old: Part, _ new: Part) -> Void
  ) -> LifecycleSubscription {
    observe(select) { old, new in
      if let old { notify(old, new) }
    }
  }

  // MARK: - Objects on the main actor

  /// Subscribes an object of the main actor to a part of the state. The store does not retain the object.
  ///
  /// ```swift
  /// store.subscribe(self, to: \.unread) { screen, unread in screen.badge.text = "\(unread)" }
  /// ```
  ///
  /// An object has one subscription in a store: a further one replaces it. It ends with the object, with
  /// ``unsubscribe(_:)``, or when it is cancelled.
  ///
  /// `notify` receives the current value of the part, and then each new value, in order. If the action is dispatched on
  /// the main thread, `notify` is called before `dispatch` returns.
  @MainActor
  @discardableResult
  public func subscribe<Object: AnyObject, Part: Equatable & Sendable>(
    _ object: Object, to select: @escaping Selection<Part>,
    _ notify: @escaping @MainActor @Sendable (_ object: Object, _ part: Part) -> Void
  ) -> LifecycleSubscription {
    let flag = StopFlag()
    let target = WeakReference(object)
    let mailbox = MainActorMailbox<Part> { [weak self] part in
      guard !flag.isSet else { return }
      if let object = target.object {
        notify(object, part)
      } else {
        self?.remove { $0.flag === flag }
      }
    }
    return observe(select, of: target.identifier, flag) { _, new in mailbox.send(new) }
  }

  // MARK: - Asynchronous sequences

  /// Returns the current value of a part of the state, and then each new value, as an asynchronous sequence.
  ///
  /// The sequence ends with the store.
  ///
  /// - Parameter bufferingPolicy: The values to store while no task waits for the next one; by default all.
  public func values<Part: Equatable & Sendable>(
    of select: @escaping Selection<Part>,
    bufferingPolicy: AsyncStream<Part>.Continuation.BufferingPolicy = .unbounded
  ) -> AsyncStream<Part> {
    let (stream, continuation) = AsyncStream.makeStream(of: Part.self, bufferingPolicy: bufferingPolicy)
    let sender = StreamSender(continuation)
    let subscription = subscribe(to: select) { sender.continuation.yield($0) }
    continuation.onTermination = { _ in subscription.cancel() }
    return stream
  }

  // MARK: - Observation

  /// Adds a subscriber. `notify` receives the previous value and the new one; the previous value is `nil` at first.
  private func observe<Part: Equatable & Sendable>(
    _ select: @escaping Selection<Part>, of object: ObjectIdentifier? = nil, _ flag: StopFlag = StopFlag(),
    _ notify: @escaping @Sendable (_ old: Part?, _ new: Part) -> Void
  ) -> LifecycleSubscription {
    let last = Lock<Part?>(nil)
    return add(
      StoreSubscriber(object: object, flag: flag) { state in
        let new = select(state)
        let old = last.withLock { last in
          defer { last = new }
          return last
        }
        if old != new { notify(old, new) }
      })
  }
}

/// A weak reference to an object of the main actor.
@MainActor
private final class WeakReference<Object: AnyObject> {
  nonisolated let identifier: ObjectIdentifier
  private(set) weak var object: Object?

  init(_ object: Object) {
    self.object = object
    identifier = ObjectIdentifier(object)
  }
}

/// A continuation of a stream that ends when the store releases it.
private final class StreamSender<Value: Sendable>: Sendable {
  let continuation: AsyncStream<Value>.Continuation

  init(_ continuation: AsyncStream<Value>.Continuation) { self.continuation = continuation }

  deinit { continuation.finish() }
}
