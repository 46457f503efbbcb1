public import AppBoot

/// The outcome of an event.
public struct LifecycleOutcome: Sendable {
  /// The event that was handled or refused.
  public let event: LifecycleEvent
  /// The reason why the event was not handled; `nil` if the event was handled.
  public let refusal: Refusal?
  /// The record of the event's handlers; `nil` if the manifest has no handlers for the event.
  public let record: StartupRecord?
  /// The report of the listeners.
  public let listeners: LifecycleMediator.Report
  /// The merged answer of the handlers and the responders.
  public let response: LifecycleResponse

  /// True if the event was handled, its handlers succeeded, and the answer is neither `false` nor `failed`.
  public var succeeded: Bool {
    refusal == nil && record?.succeeded ?? true && response.answer.isPositive
  }
}

extension LifecycleOutcome {
  init(refusing event: LifecycleEvent, _ refusal: Refusal) {
    self.init(
      event: event, refusal: refusal, record: nil, listeners: LifecycleMediator.Report(event: event),
      response: LifecycleResponse(
        event: event, answer: event.answerRule.neutral, answers: 0, problems: []))
  }

  /// The reason why the host did not handle an event.
  public enum Refusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// The app has already launched. A process launches once.
    case alreadyLaunched
    /// The scene is already connected.
    case alreadyConnected(SceneID)
    /// No scene with this name is connected.
    case unknownScene(SceneID, suggestion: String?, known: [SceneID])
    /// The host handles no events after ``LifecycleHost/end()``.
    case ended

    /// The error message. If the scene's name is unknown, it suggests a connected scene or lists all of them.
    public var description: String {
      switch self {
      case .alreadyLaunched: "the app has already launched"
      case .ended: "the app is ending"
      case .alreadyConnected(let scene): "the scene \"\(scene)\" is already connected"
      case .unknownScene(let scene, let suggestion?, _):
        "no scene \"\(scene)\" is connected: did you mean \"\(suggestion)\"?"
      case .unknownScene(let scene, nil, let known):
        known.isEmpty
          ? "no scene \"\(scene)\" is connected; no scenes are connected"
          : "no scene \"\(scene)\" is connected; connected scenes: \(known.map(\.name).joined(separator: ", "))"
      }
    }
  }
}

/// A responder that answers with the result of an event's handlers.
///
/// The answer is positive if the run succeeded and at least one command succeeded without declining the event.
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
