public import AppBoot

/// A responder made of responders: every part is asked, in order, and the answers become one.
///
/// Parts may be composites themselves, to any depth. Nothing is cut short: a part is asked whatever the others
/// have answered. How answers merge is ``AnswerRule``.
public final class CompositeResponder: LifecycleResponder {
  /// The composite's name, the first part of its parts' paths in reports.
  public let name: String
  /// The parts that are no composites, by their path from here: a tree of any depth is asked in one loop.
  private let leaves: [(path: String, responder: any LifecycleResponder)]

  /// Creates a composite; parts of one name become `Name`, `Name-2`, `Name-3`, … in reports.
  public init(_ name: String = "app", parts: [any LifecycleResponder]) {
    self.name = name
    var taken: Set<String> = []
    let names = parts.map { part in
      var (name, count) = (part.name, 1)
      while !taken.insert(name).inserted {
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

  /// Asks every part.
  public func respond(to event: LifecycleEvent, _ reply: LifecycleReply) {
    for (leaf, reply) in zip(leaves, reply.divide(among: leaves.map(\.path), areAsked: false)) {
      reply.beginAsking()
      leaf.responder.respond(to: event, reply)
    }
  }
}

/// The merged answer to an event.
public struct LifecycleResponse: Sendable, Hashable {
  /// The event.
  public let event: LifecycleEvent
  /// What the parts' answers became.
  public let answer: LifecycleAnswer
  /// How many parts answered.
  public let answers: Int
  /// What went wrong until then, in the order in which it did.
  public let problems: [ResponderProblem]
}

/// A part did not answer as it should; parts are named by their path: `app/notifications/Badge`.
public enum ResponderProblem: Error, Sendable, Hashable, CustomStringConvertible {
  /// It threw.
  case threw(part: String, Failure)
  /// It had not answered at the time limit, in nanoseconds.
  case unanswered(part: String, limit: Int64)
  /// It answered and kept the thread on which the parts after it were to be asked, beyond the limit in nanoseconds.
  case heldUp(part: String, limit: Int64)
  /// It let go of its completion handler without calling it.
  case dropped(part: String)
  /// It answered again; the first answer counts.
  case answeredTwice(part: String)
  /// It answered after the time limit, when the answer had been given.
  case answeredLate(part: String)
  /// Its answer is none to this question.
  case mismatch(part: String, LifecycleAnswer)

  /// The part's path.
  public var part: String {
    switch self {
    case .threw(let part, _), .unanswered(let part, _), .heldUp(let part, _), .dropped(let part),
      .answeredTwice(let part),
      .answeredLate(let part), .mismatch(let part, _):
      part
    }
  }

  /// Who did what.
  public var description: String {
    switch self {
    case .threw(let part, let failure): "\(part) failed: \(failure)"
    case .unanswered(let part, let limit):
      "\(part) did not answer within \(DurationText.exact(.nanoseconds(limit)))"
    case .heldUp(let part, let limit):
      "\(part) kept the parts after it from being asked within \(DurationText.exact(.nanoseconds(limit)))"
    case .dropped(let part): "\(part) let go of its completion handler without calling it"
    case .answeredTwice(let part): "\(part) answered twice; the first answer counts"
    case .answeredLate(let part): "\(part) answered after the time limit"
    case .mismatch(let part, let answer): "\(part) answered \"\(answer)\", which is no answer to this event"
    }
  }
}
