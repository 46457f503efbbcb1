public import AppBoot

/// What became of an event.
public struct LifecycleOutcome: Sendable {
  /// The event.
  public let event: LifecycleEvent
  /// Why it was not handled; `nil` where it was.
  public let refusal: LifecycleRefusal?
  /// What its commands did; `nil` where the manifest has no list for it.
  public let record: StartupRecord?
  /// How the listeners took it.
  public let listeners: LifecycleReport
  /// What the commands and the responders answered.
  public let response: LifecycleResponse

  /// Whether it was handled, its commands succeeded, and the answer is not `false` or `failed`.
  public var succeeded: Bool {
    refusal == nil && record?.succeeded ?? true && response.answer.isPositive
  }

  init(refusing event: LifecycleEvent, _ refusal: LifecycleRefusal) {
    self.event = event
    self.refusal = refusal
    record = nil
    listeners = LifecycleReport(event: event)
    response = LifecycleResponse(event: event, answer: event.answerRule.neutral, answers: 0, problems: [])
  }

  init(
    event: LifecycleEvent, record: StartupRecord?, listeners: LifecycleReport, response: LifecycleResponse
  ) {
    self.event = event
    refusal = nil
    self.record = record
    self.listeners = listeners
    self.response = response
  }
}

/// Why an event was not handled.
public enum LifecycleRefusal: Error, Sendable, Hashable, CustomStringConvertible {
  /// The process's list runs once.
  case alreadyLaunched
  /// A scene connects once until it disconnects.
  case alreadyConnected(SceneID)
  /// No such scene is connected.
  case unknownScene(SceneID, suggestion: String?, known: [SceneID])
  /// Nothing is handled after ``LifecycleHost/end()``.
  case ended

  /// Why, and what there is instead.
  public var description: String {
    switch self {
    case .alreadyLaunched: "the app was launched already: its list runs once"
    case .ended: "the app is ending"
    case .alreadyConnected(let scene): "the scene \"\(scene)\" is connected already"
    case .unknownScene(let scene, let suggestion?, _):
      "no scene \"\(scene)\" is connected: did you mean \"\(suggestion)\"?"
    case .unknownScene(let scene, nil, let known):
      known.isEmpty
        ? "no scene \"\(scene)\" is connected, nor any other"
        : "no scene \"\(scene)\" is connected; there are \(known.map(\.name).joined(separator: ", "))"
    }
  }
}

/// The commands of an event, as a part that answers: they took it where one of them succeeded that did not decline, and none
/// failed the list.
struct CommandsResponder: LifecycleResponder {
  let name = "commands"
  let record: StartupRecord?

  func respond(to event: LifecycleEvent, _ reply: LifecycleReply) {
    reply.answer(answer(by: event.answerRule))
  }

  private func answer(by rule: AnswerRule) -> LifecycleAnswer {
    guard let record else { return rule.neutral }
    guard record.succeeded else { return rule.failure }
    guard record.contains(where: { $0.state == .succeeded && !$0.details.declined }) else {
      return rule.neutral
    }
    switch rule {
    case .allTrue, .anyTrue: return .bool(true)
    case .fetch: return .fetch(.newData)
    case .union, .acknowledge: return rule.neutral
    }
  }
}
