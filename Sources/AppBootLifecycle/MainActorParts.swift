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
///     guard case .openURL(let request) = event else { return nil }
///     return .bool(open(request.url))
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

/// A mailbox that passes values to the main actor in the order in which they were sent.
///
/// A value that is sent on the main thread has been received when ``send(_:)`` returns, unless an earlier one is being
/// received. Values from other threads are received later.
final class MainActorMailbox<Value: Sendable>: Sendable {
  private struct Contents: Sendable {
    var values: [Value] = []
    var isReceiving = false
    var isScheduled = false
  }

  private let contents = Lock(Contents())
  private let receive: @MainActor @Sendable (Value) -> Void

  init(_ receive: @escaping @MainActor @Sendable (Value) -> Void) { self.receive = receive }

  func send(_ value: Value) {
    let isOnMainThread = MainQueue.isOnMainActor
    let isNew = contents.withLock { contents in
      contents.values.append(value)
      defer { if !isOnMainThread { contents.isScheduled = true } }
      return !contents.isScheduled
    }
    if isOnMainThread {
      MainActor.assumeIsolated { receiveAll() }
    } else if isNew {
      Task { @MainActor in receiveAll() }
    }
  }

  @MainActor
  private func receiveAll() {
    let isFirst = contents.withLock { contents in
      contents.isScheduled = false
      defer { contents.isReceiving = true }
      return !contents.isReceiving
    }
    guard isFirst else { return }
    while let batch = take() {
      for value in batch { receive(value) }
    }
  }

  private func take() -> [Value]? {
    contents.withLock { contents in
      let batch = contents.values
      contents.values = []
      contents.isReceiving = !batch.isEmpty
      return batch.isEmpty ? nil : batch
    }
  }
}

extension MainQueue {
  /// Runs a job of the main actor: at once if the caller is on it, otherwise later.
  package static func run(_ job: @escaping @MainActor @Sendable () -> Void) {
    if isOnMainActor {
      MainActor.assumeIsolated(job)
    } else {
      add { MainActor.assumeIsolated(job) }
    }
  }
}
