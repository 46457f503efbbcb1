import AppBootSystem

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
