public import AppBoot

/// The outcome of an event.
public struct LifecycleOutcome: Sendable {
  /// The event that was handled or refused.
  public let event: LifecycleEvent
  /// The reason why the event was not handled; `nil` if the event was handled.
  public let refusal: Refusal?
  /// The record of the event's handlers; `nil` if the manifest has no handlers for the event.
  public let record: LaunchRecord?
  /// The report of the listeners.
  public let listeners: LifecycleMediator.Report
  /// The merged answer of the handlers and the responders.
  public let response: LifecycleResponse

  /// Creates an outcome, for a test of the code that receives it.
  ///
  /// - Parameters:
  ///   - refusal: The reason why the event was not handled; `nil` if the event was handled.
  ///   - record: The record of the event's handlers; `nil` for none.
  ///   - listeners: The report of the listeners; `nil` for one without listeners.
  ///   - answer: The merged answer; `nil` for the answer of an event that nothing answers.
  public init(
    event: LifecycleEvent, refusal: Refusal? = nil, record: LaunchRecord? = nil,
    listeners: LifecycleMediator.Report? = nil, answer: LifecycleAnswer? = nil
  ) {
    self.init(
      event: event, refusal: refusal, record: record,
      listeners: listeners ?? LifecycleMediator.Report(event: event),
      response: LifecycleResponse(
        event: event, answer: answer ?? event.answerRule.neutral, answers: answer == nil ? 0 : 1, problems: []
      )
    )
  }

  init(
    event: LifecycleEvent, refusal: Refusal?, record: LaunchRecord?, listeners: LifecycleMediator.Report,
    response: LifecycleResponse
  ) {
    (self.event, self.refusal, self.record) = (event, refusal, record)
    (self.listeners, self.response) = (listeners, response)
  }

  /// True if the event was handled, its handlers succeeded, and the answer is neither `false` nor `failed`.
  public var succeeded: Bool {
    refusal == nil && record?.succeeded ?? true && response.answer.isPositive
  }
}

extension LifecycleOutcome {
  init(refusing event: LifecycleEvent, _ refusal: Refusal) { self.init(event: event, refusal: refusal) }

  /// The reason why the host did not handle an event.
  #if hasAttribute(nonexhaustive)
  @nonexhaustive
  #endif
  public enum Refusal: Error, Sendable, Hashable, CustomStringConvertible {
    /// The app has already launched. A process launches once.
    case alreadyLaunched
    /// The scene is already connected.
    case alreadyConnected(SceneID)
    /// No scene with this name is connected.
    case unknownScene(UnknownScene)
    /// The host handles no events after ``LifecycleHost/end()``.
    case ended

    /// The error message. If the scene's name is unknown, it suggests a connected scene or lists all of them.
    public var description: String {
      switch self {
      case .alreadyLaunched: "the app has already launched"
      case .ended: "the app is ending"
      case .alreadyConnected(let scene): "the scene \"\(scene)\" is already connected"
      case .unknownScene(let unknown): unknown.description
      }
    }
  }

  /// The name of a scene that is not connected.
  public struct UnknownScene: Sendable, Hashable {
    /// The name.
    public let scene: SceneID
    /// The connected scenes.
    public let known: [SceneID]

    /// Creates an unknown scene, for a test of the code that receives the refusal.
    public init(_ scene: SceneID, known: [SceneID] = []) { (self.scene, self.known) = (scene, known) }

    fileprivate var description: String {
      let names = known.map(\.name)
      let connected =
        names.isEmpty ? "no scenes are connected" : "connected scenes: \(names.joined(separator: ", "))"
      let advice =
        ClosestName.to(scene.name, among: names).map { ": did you mean \"\($0)\"?" } ?? "; \(connected)"
      return "no scene \"\(scene)\" is connected\(advice)"
    }
  }
}

/// A responder that answers with the result of an event's handlers.
///
/// The answer is positive if the run succeeded and at least one command succeeded without declining the event.
struct CommandsResponder: LifecycleResponder {
  let name = "commands"
  let record: LaunchRecord?

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

extension LifecycleOutcome {
  /// The outcome as one line of JSON without a line feed, for the program that sent the event.
  ///
  /// The members are `event`, `scene`, `succeeded`, and either `refusal` or all of the following:
  /// - `answer`: the merged answer
  /// - `commands`: the outcome of the event handlers
  /// - `listeners`: the number of listeners that received the event
  /// - `failures` and `problems`: messages
  ///
  /// Later versions may add members.
  package var json: String { json(upTo: .max) }

  /// Returns the JSON of ``json``. `failures` and `problems` are truncated so that the JSON fits in `limit` bytes.
  ///
  /// Together they get an eighth of `limit` bytes. A byte takes at most six bytes in JSON, so the result stays within
  /// the limit.
  package func json(upTo limit: Int) -> String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("event", event.name)
      if let scene = event.scene { writer.member("scene", scene.name) }
      writer.member("succeeded", succeeded)
      if let refusal {
        writer.member("refusal", refusal.description)
      } else {
        writeAnswer(to: &writer, upTo: limit)
      }
    }
    return writer.text
  }

  private func writeAnswer(to writer: inout JSONWriter, upTo limit: Int) {
    writer.key("answer")
    response.answer.write(to: &writer)
    if let record { writer.member("commands", record.outcome.name) }
    writer.member("listeners", listeners.listenerCount)
    let steps = record?.failures ?? []
    let failed = steps.map { "\($0.id) failed: \($0.state.failure?.message ?? "")" }
    let thrown = listeners.failures.map { "\($0.source) failed at \(event.name): \($0.message)" }
    writer.member("failures", Self.cut(failed + thrown, to: limit / 16))
    writer.member("problems", Self.cut(response.problems.map(\.description), to: limit / 16))
  }

  /// Returns the texts that fit in `limit` bytes.
  ///
  /// If there is room, the next text follows, truncated. The number of omitted texts is the last text.
  private static func cut(_ texts: [String], to limit: Int) -> [String] {
    var left = limit
    var kept: [String] = []
    for text in texts {
      // Each text also needs its quotes and a comma.
      let count = text.utf8.count + 4
      guard count > left else {
        left -= count
        kept.append(text)
        continue
      }
      if left > 64 { kept.append(text.cut(to: left - 64)) }
      let others = texts.count - kept.count
      return others == 0 ? kept : kept + ["\(others) more omitted"]
    }
    return kept
  }
}

extension LifecycleAnswer {
  /// Writes `null`, a Boolean, the name of a fetch result, or an array of option names.
  fileprivate func write(to writer: inout JSONWriter) {
    switch self {
    case .acknowledged: writer.null()
    case .bool(let flag): writer.value(flag)
    case .fetch(let result): writer.value(result.rawValue)
    case .presentation(let options):
      writer.array { writer in
        for name in options.names { writer.value(name) }
      }
    }
  }
}

extension String {
  /// Returns the text. A text of more than `bytes` UTF-8 bytes is cut to that size, and ends with an ellipsis.
  package func cut(to bytes: Int) -> String {
    guard utf8.count > bytes else { return self }
    var end = utf8.index(startIndex, offsetBy: max(0, bytes - 3))
    while end > startIndex, end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return self[..<end] + "…"
  }
}
