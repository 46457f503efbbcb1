import AppBoot
import AppBootSystem

/// One part's right to answer an event, once.
///
/// A reply that is let go without an answer is reported at once: nobody waits for it.
public final class LifecycleReply: Sendable {
  private let number: Int
  private let path: String
  private let collector: AnswerCollector

  init(number: Int, path: String, collector: AnswerCollector) {
    self.number = number
    self.path = path
    self.collector = collector
  }

  deinit { collector.drop(number, path) }

  /// Answers; a second answer is reported and does not count.
  public func answer(_ answer: LifecycleAnswer) { collector.take(answer, from: number, path) }

  /// Answers that the part failed.
  public func fail(_ error: any Error) { collector.fail(error, number, path) }

  /// Leaves the answer to parts, which get a reply each; their answers count in place of this one.
  public func divide(among names: [String]) -> [LifecycleReply] { divide(among: names, areAsked: true) }

  /// - Parameter areAsked: Whether the parts are asked now; those that are not say when (``beginAsking()``), and nobody blames
  ///   them for what came before.
  func divide(among names: [String], areAsked: Bool) -> [LifecycleReply] {
    let replies = names.map { collector.open(path: "\(path)/\($0)", isAsked: areAsked, in: number) }
    collector.close(number)
    return replies
  }

  /// The part is asked from now on.
  func beginAsking() { collector.beginAsking(number, path) }
}

/// Collects the answers to one event, and completes exactly once.
final class AnswerCollector: Sendable {
  fileprivate struct State {
    var answer: LifecycleAnswer
    var answers = 0
    var opened = 0
    var waiting: [Int: String] = [:]
    /// Who was not asked yet, of those who are waited for.
    var unasked: Set<Int> = []
    /// Who was waited for when the limit passed, and who was asked only then.
    var late: Set<Int> = []
    /// Who had not been asked when the limit passed: nothing is said of them.
    var excused: Set<Int> = []
    var problems: [ResponderProblem] = []
    var hasExpired = false
    /// The thread that sets the limit, before anybody was asked, and the limit that passed at once.
    var arming: UInt?
    var overdue: Int64?
    /// Who was asked last.
    var asking: String?
    var completion: (@Sendable (LifecycleResponse) -> Void)?
    var limit: (any ScheduledCall)?
  }

  private let event: LifecycleEvent
  private let rule: AnswerRule
  private let report: @Sendable (ResponderProblem) -> Void
  private let state: Lock<State>

  init(
    event: LifecycleEvent, report: @escaping @Sendable (ResponderProblem) -> Void,
    completion: @escaping @Sendable (LifecycleResponse) -> Void
  ) {
    self.event = event
    self.report = report
    rule = event.answerRule
    state = Lock(State(answer: event.answerRule.neutral, completion: completion))
  }

  func open(path: String, isAsked: Bool = true, in parent: Int? = nil) -> LifecycleReply {
    let number = state.withLock { state in
      state.opened += 1
      if state.completion != nil {
        state.waiting[state.opened] = path
        if !isAsked { state.unasked.insert(state.opened) }
      } else if let parent, state.excused.contains(parent) {
        state.excused.insert(state.opened)
      } else if state.hasExpired {
        state.late.insert(state.opened)
      }
      return state.opened
    }
    return LifecycleReply(number: number, path: path, collector: self)
  }

  func beginAsking(_ number: Int, _ path: String) {
    state.withLock { state in
      state.unasked.remove(number)
      state.asking = path
    }
  }

  /// A reply was divided: nothing more is expected from itself.
  func close(_ number: Int) {
    settle { state in
      state.waiting[number] = nil
      state.late.remove(number)
      state.unasked.remove(number)
      state.excused.remove(number)
    }
  }

  func take(_ answer: LifecycleAnswer, from number: Int, _ path: String) {
    settle { state in
      guard state.waiting.removeValue(forKey: number) != nil else {
        guard state.excused.remove(number) == nil else { return }
        let isLate = state.late.remove(number) != nil
        return state.add(isLate ? .answeredLate(part: path) : .answeredTwice(part: path))
      }
      guard let merged = rule.merge(state.answer, answer) else {
        return state.add(.mismatch(part: path, answer))
      }
      state.answer = merged
      state.answers += 1
    }
  }

  func fail(_ error: any Error, _ number: Int, _ path: String) {
    let failure = Failure(describing: error)
    settle { state in
      state.add(.threw(part: path, failure))
      guard state.waiting.removeValue(forKey: number) != nil else { return }
      state.answer = rule.merge(state.answer, rule.failure) ?? state.answer
      state.answers += 1
    }
  }

  func drop(_ number: Int, _ path: String) {
    settle { state in
      if state.waiting.removeValue(forKey: number) != nil { state.add(.dropped(part: path)) }
    }
  }

  /// From now on the limit counts, in nanoseconds.
  ///
  /// - Parameter isBeforeAsking: Whether nobody was asked yet: a timer that cannot wait makes its call at once, which counts only
  ///   in ``endAsking()`` then.
  func startLimit(_ limit: Int64, _ timer: any LifecycleTimer, isBeforeAsking: Bool) {
    let isNeeded = state.withLock { state in
      state.arming = isBeforeAsking ? Thread.current : nil
      return state.completion != nil
    }
    guard isNeeded else { return }
    let call = timer.schedule(after: limit) { self.expire(limit) }
    let isOver = state.withLock { state in
      state.arming = nil
      if state.completion != nil { state.limit = call }
      return state.completion == nil
    }
    if isOver { call.cancel() }
  }

  /// Everybody was asked.
  func endAsking() {
    if let limit = state.withLock({ $0.overdue }) { expire(limit) }
  }

  private func expire(_ limit: Int64) {
    settle { state in
      guard state.completion != nil else { return }
      guard state.arming != Thread.current else { return state.overdue = limit }
      state.hasExpired = true
      state.excused = state.unasked
      state.late = Set(state.waiting.keys).subtracting(state.excused)
      let unanswered = state.waiting.filter { state.late.contains($0.key) }.sorted { $0.key < $1.key }
      state.waiting = [:]
      for (_, path) in unanswered { state.add(.unanswered(part: path, limit: limit)) }
      // It may have answered, and keeps the thread on which the others are asked.
      if !state.unasked.isEmpty, let part = state.asking, !unanswered.contains(where: { $0.value == part }) {
        state.add(.heldUp(part: part, limit: limit))
      }
    }
  }

  /// Changes the state, and completes after the lock where nobody is waited for any more.
  private func settle(_ change: (inout State) -> Void) {
    let (ending, problems) = state.withLock { state -> (Ending?, [ResponderProblem]) in
      let isOver = state.completion == nil
      change(&state)
      if isOver { return (nil, state.takeProblems()) }
      guard state.waiting.isEmpty, let completion = state.completion else { return (nil, []) }
      state.completion = nil
      let response = LifecycleResponse(
        event: event, answer: state.answer, answers: state.answers, problems: state.takeProblems())
      return (Ending(completion: completion, response: response, limit: state.limit), [])
    }
    for problem in problems { report(problem) }
    guard let ending else { return }
    ending.limit?.cancel()
    ending.completion(ending.response)
  }

  private struct Ending {
    let completion: @Sendable (LifecycleResponse) -> Void
    let response: LifecycleResponse
    let limit: (any ScheduledCall)?
  }
}

extension AnswerCollector.State {
  fileprivate mutating func add(_ problem: ResponderProblem) { problems.append(problem) }

  fileprivate mutating func takeProblems() -> [ResponderProblem] {
    defer { problems = [] }
    return problems
  }
}
