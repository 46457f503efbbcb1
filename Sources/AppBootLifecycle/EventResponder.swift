public import AppBoot

/// A responder that answers events with a closure, for example as a part of a ``CompositeResponder``.
///
/// ```swift
/// let links = EventResponder(.openURL) { event in
///   guard case .openURL(let url, _, _) = event else { return .bool(false) }
///   return .bool(Payments.open(url))
/// }
/// ```
///
/// The compiler checks the names of the events. The responder declines all other events. An answer
/// of the wrong kind is reported as a problem.
public struct EventResponder: LifecycleResponder {
  /// The file and line of the code that creates the responder. Problems identify the responder by this name.
  public let name: String
  private let events: Set<String>
  private let answer: @Sendable (LifecycleEvent) throws -> LifecycleAnswer

  /// Creates a responder.
  ///
  /// - Parameters:
  ///   - event: The name of an event that the closure answers.
  ///   - others: More names of events.
  ///   - answer: A function that returns the answer at once. It runs on the thread that handles the event. An error
  ///     counts as a failed answer, and is reported.
  public init(
    _ event: EventName, _ others: EventName..., fileID: String = #fileID, line: Int = #line,
    answer: @escaping @Sendable (LifecycleEvent) throws -> LifecycleAnswer
  ) {
    // A composite separates the names of its parts by slashes.
    name = "\(fileID.split(separator: "/").last ?? ""):\(line)"
    events = Set(([event] + others).map(\.name))
    self.answer = answer
  }

  /// Answers the event with the closure, or declines it if it is not one of its events.
  public func respond(to event: LifecycleEvent, _ reply: LifecycleReply) throws {
    guard events.contains(event.name) else { return reply.decline() }
    reply.answer(try answer(event))
  }
}
