public import AppBoot

extension LifecycleMediator {
  /// Calls a closure for each event with one of these names.
  ///
  /// ```swift
  /// mediator.on(.didBecomeActive) { _ in Icon.setBadge(0) }
  /// ```
  ///
  /// The closure is called on the thread that sends the event, until the subscription is cancelled. If it throws, the
  /// report names its line.
  ///
  /// - Parameter replaysLaunch: True to call the closure for `didFinishLaunching` now if that was sent before.
  @discardableResult
  public func on(
    _ event: EventName, _ others: EventName..., replaysLaunch: Bool = false,
    fileID: String = #fileID, line: Int = #line,
    perform action: @escaping @Sendable (LifecycleEvent) throws -> Void
  ) -> LifecycleSubscription {
    let listener = ClosureListener(name: "\(fileID):\(line)", events: [event] + others, action: action)
    return subscribe(listener, holding: .strong, replaysLaunch: replaysLaunch)
  }

  /// Calls a closure on the main actor for each event with one of these names.
  ///
  /// The closure receives the events in the mediator's order: at once if an event is sent on the main thread, and
  /// otherwise later.
  ///
  /// - Parameter replaysLaunch: True to call the closure for `didFinishLaunching` now if that was sent before.
  @discardableResult
  public func onMainActor(
    _ event: EventName, _ others: EventName..., replaysLaunch: Bool = false,
    fileID: String = #fileID, line: Int = #line,
    perform action: @escaping @MainActor @Sendable (LifecycleEvent) -> Void
  ) -> LifecycleSubscription {
    let flag = StopFlag()
    let mailbox = MainActorMailbox<LifecycleEvent> { if !flag.isSet { action($0) } }
    let listener = ClosureListener(name: "\(fileID):\(line)", events: [event] + others) { mailbox.send($0) }
    let subscription = subscribe(listener, holding: .strong, replaysLaunch: replaysLaunch)
    return LifecycleSubscription {
      flag.set()
      subscription.cancel()
    }
  }
}

/// A listener that calls a closure for some events.
private final class ClosureListener: LifecycleListener {
  let name: String
  private let names: Set<String>
  private let action: @Sendable (LifecycleEvent) throws -> Void

  init(name: String, events: [EventName], action: @escaping @Sendable (LifecycleEvent) throws -> Void) {
    self.name = name
    names = Set(events.map(\.name))
    self.action = action
  }

  func receive(_ event: LifecycleEvent) throws {
    if names.contains(event.name) { try action(event) }
  }
}
