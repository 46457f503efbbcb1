public import AppBoot

/// A responder that consists of other responders, its parts. It asks them in order and merges their answers into one.
///
/// Parts may be composites, to any depth. Each part is asked, regardless of the answers of the other parts.
/// ``LifecycleResponder`` defines how the answers to each event are merged.
public final class CompositeResponder: LifecycleResponder {
  /// The name of the composite. In reports, the paths of its parts begin with this name.
  public let name: String
  /// The parts that are not composites, with their paths. The list is flat, so that one loop asks a tree of any depth.
  private let leaves: [(path: String, responder: any LifecycleResponder)]

  /// Creates a composite. Parts with the same name become `Name`, `Name-2`, `Name-3`, … in reports.
  ///
  /// - Parameter parts: The parts, in the order in which they are asked.
  public init(_ name: String = "app", parts: [any LifecycleResponder]) {
    self.name = name
    var usedNames: Set<String> = []
    let names = parts.map { part in
      var (name, count) = (part.name, 1)
      while !usedNames.insert(name).inserted {
        count += 1
        name = "\(part.name)-\(count)"
      }
      return name
    }
    leaves = zip(names, parts).flatMap { name, part in
      guard let composite = part as? CompositeResponder else { return [(path: name, responder: part)] }
      return composite.leaves.map { (path: "\(name)/\($0.path)", responder: $0.responder) }
    }
  }

  /// Returns the orientations that all parts support.
  public func supportedInterfaceOrientations(scene: SceneID?) -> InterfaceOrientations {
    leaves.reduce(.all) { $0.intersection($1.responder.supportedInterfaceOrientations(scene: scene)) }
  }

  /// Asks every part.
  public func respond(to event: LifecycleEvent, _ reply: LifecycleReply) {
    for (leaf, reply) in zip(leaves, reply.divide(among: leaves.map(\.path))) {
      reply.beginAsking()
      reply.ask(leaf.responder, event)
    }
  }
}

/// The merged answer to an event.
public struct LifecycleResponse: Sendable, Hashable {
  /// The event.
  public let event: LifecycleEvent
  /// The merged answer of the parts.
  public let answer: LifecycleAnswer
  /// The number of parts that answered.
  public let answers: Int
  /// The problems that occurred before the response was complete, oldest first.
  public let problems: [Problem]
}

extension LifecycleResponse {
  /// A problem with a part's answer, for example a missing or second answer.
  public struct Problem: Error, Sendable, Hashable, CustomStringConvertible {
    /// The path of the part, for example `app/notifications/Badge`.
    public let part: String
    /// The kind of the problem.
    public let kind: Kind

    /// Creates a problem, for a test of the code that receives it.
    public init(part: String, _ kind: Kind) { (self.part, self.kind) = (part, kind) }

    /// The message: the part's path and the problem.
    public var description: String { part + " " + kind.words }
  }
}

extension LifecycleResponse.Problem {
  /// A kind of problem.
  #if hasAttribute(nonexhaustive)
  @nonexhaustive
  #endif
  public enum Kind: Sendable, Hashable {
    /// The part threw an error.
    case threw(Failure)
    /// The part had not answered when the timeout passed.
    case unanswered(timeout: Duration)
    /// The part blocked the thread that asks the parts until the timeout passed.
    case blocked(timeout: Duration)
    /// The timeout passed before any part was asked. The part is the first one.
    case notAsked(timeout: Duration)
    /// The part released its reply without answering, failing or declining.
    case dropped
    /// The part answered twice. The first answer counts.
    case answeredTwice
    /// The part answered after the timeout. The response was already complete.
    case answeredLate
    /// The part gave an answer of the wrong kind for this event. It counts as a failure.
    case mismatch(LifecycleAnswer)

    fileprivate var words: String {
      switch self {
      case .threw(let failure): "failed: \(failure)"
      case .unanswered(let timeout): "did not answer within \(DurationText.exact(timeout))"
      case .blocked(let timeout): "blocked the parts after it for longer than \(DurationText.exact(timeout))"
      case .notAsked(let timeout):
        "and the parts after it were not asked within \(DurationText.exact(timeout))"
      case .dropped: "did not answer: call reply.decline() for events that it leaves to others"
      case .answeredTwice: "answered twice; the first answer counts"
      case .answeredLate: "answered after the timeout"
      case .mismatch(let answer): "answered \"\(answer)\", which is the wrong kind of answer for this event"
      }
    }
  }
}

/// A responder that answers events with a closure, for example as a part of a ``CompositeResponder``.
///
/// ```swift
/// let links = EventResponder(.openURL) { event in
///   guard case .openURL(let request) = event else { return .bool(false) }
///   return .bool(Payments.open(request.url))
/// }
/// ```
///
/// The compiler checks the names of the events. The responder declines all other events. An answer
/// of the wrong kind counts as a failure, and is reported as a problem.
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
