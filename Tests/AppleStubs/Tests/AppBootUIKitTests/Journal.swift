import AppBootLifecycle
import AppBootSystem

/// A listener and responder that logs what the app saw.
final class Journal: LifecycleListener, LifecycleResponder {
  let name = "journal"
  /// The answers that the app gives at once, by the name of the event.
  let answers: [String: LifecycleAnswer]
  let orientations: InterfaceOrientations
  private let log = Lock<[LifecycleEvent]>([])
  private let pending = Lock<[LifecycleReply]>([])

  init(answers: [String: LifecycleAnswer] = [:], orientations: InterfaceOrientations = .all) {
    self.answers = answers
    self.orientations = orientations
  }

  func receive(_ event: LifecycleEvent) { log.withLock { $0.append(event) } }

  func respond(to event: LifecycleEvent, _ reply: LifecycleReply) {
    if let answer = answers[event.name] { return reply.answer(answer) }
    switch event {
    case .didReceiveRemoteNotification, .didReceiveNotificationResponse, .performQuickAction,
      .handleEventsForBackgroundURLSession, .performBackgroundTask, .didEnterBackground:
      pending.withLock { $0.append(reply) }
    default: reply.answer(event.answerRule.neutral)
    }
  }

  func supportedInterfaceOrientations(scene: SceneID?) -> InterfaceOrientations { orientations }

  /// Answers the events that wait for their answer.
  func answerPending(_ answer: LifecycleAnswer) {
    let replies = pending.withLock { replies in
      defer { replies = [] }
      return replies
    }
    for reply in replies { reply.answer(answer) }
  }

  var events: [LifecycleEvent] { log.withLock(\.self) }
  /// The events as text: the name, and the scene.
  var names: [String] { events.map { event in event.name + (event.scene.map { " \($0)" } ?? "") } }
}
