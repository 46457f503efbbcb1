import AppBootSystem

/// A listener of the main actor, for example a screen. The protocol puts the whole type on the main actor.
///
/// ```swift
/// final class BadgeView: MainActorListener {
///   func handle(_ event: LifecycleEvent) {
///     if case .didBecomeActive = event { number = 0 }
///   }
/// }
/// ```
@MainActor
public protocol MainActorListener: LifecycleListener {
  /// Handles an event: at once if it is sent on the main thread, and otherwise later.
  ///
  /// A mediator passes the events in the order in which it sent them.
  func handle(_ event: LifecycleEvent)
}

extension MainActorListener {
  /// Passes the event to ``handle(_:)``.
  nonisolated public func receive(_ event: LifecycleEvent) { MainQueue.run { self.handle(event) } }
}

/// A responder of the main actor. The protocol puts the whole type on the main actor.
///
/// ```swift
/// final class Router: MainActorResponder {
///   func answer(to event: LifecycleEvent) -> LifecycleAnswer? {
///     guard let url = event.url else { return nil }
///     return .bool(open(url))
///   }
/// }
/// ```
@MainActor
public protocol MainActorResponder: LifecycleResponder {
  /// Returns the answer to an event; `nil` to leave it to the other parts.
  ///
  /// The answer is available at once if the event is sent on the main thread, and otherwise later.
  ///
  /// - Throws: Any error. It is reported, and counts as a failed answer.
  func answer(to event: LifecycleEvent) throws -> LifecycleAnswer?
}

extension MainActorResponder {
  /// Passes the result of ``answer(to:)`` to the reply.
  nonisolated public func respond(to event: LifecycleEvent, _ reply: LifecycleReply) {
    MainQueue.run {
      do {
        if let answer = try self.answer(to: event) { reply.answer(answer) } else { reply.decline() }
      } catch {
        reply.fail(error)
      }
    }
  }
}
