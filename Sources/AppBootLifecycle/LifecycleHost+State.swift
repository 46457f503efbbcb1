extension LifecycleHost {
  /// The state of the app.
  public var state: LaunchState { configuration.store.state }

  /// Subscribes to a part of ``state``, as ``LifecycleStore/subscribe(to:_:)`` does.
  @discardableResult
  public func subscribe<Part: Equatable & Sendable>(
    to select: @escaping @Sendable (LaunchState) -> Part, _ notify: @escaping @Sendable (Part) -> Void
  ) -> LifecycleSubscription {
    configuration.store.subscribe(to: select, notify)
  }

  /// Subscribes an object of the main actor to a part of ``state``, as ``LifecycleStore/subscribe(_:to:_:)`` does.
  @MainActor
  @discardableResult
  public func subscribe<Object: AnyObject, Part: Equatable & Sendable>(
    _ object: Object, to select: @escaping @Sendable (LaunchState) -> Part,
    _ notify: @escaping @MainActor @Sendable (_ object: Object, _ part: Part) -> Void
  ) -> LifecycleSubscription {
    configuration.store.subscribe(object, to: select, notify)
  }

  /// Returns the values of a part of ``state``, as ``LifecycleStore/values(of:bufferingPolicy:)`` does.
  public func values<Part: Equatable & Sendable>(
    of select: @escaping @Sendable (LaunchState) -> Part
  ) -> AsyncStream<Part> {
    configuration.store.values(of: select)
  }
}
