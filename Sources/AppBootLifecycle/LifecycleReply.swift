import AppBoot
import AppBootSystem

/// A one-shot completion handler for one responder.
///
/// If a reply is deallocated without an answer, the response reports a problem, and does not wait for the answer.
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

  /// Answers the event. A second answer is ignored, and reported as a problem.
  public func answer(_ answer: LifecycleAnswer) { collector.take(answer, from: number, path) }

  /// Reports an error of the responder, and answers the event in its place.
  ///
  /// The answer is `false`, `failed` or empty, depending on the kind of the event.
  public func fail(_ error: any Error) { collector.fail(error, number, path) }

  /// Leaves the answer to the other parts.
  ///
  /// If every part declines, the answer is `false` for URLs, activities and quick actions, and `true` for the launch
  /// and for background tasks.
  public func decline() { answer(collector.rule.neutral) }

  /// Asks a responder. An error that it throws counts as a failed answer.
  func ask(_ responder: any LifecycleResponder, _ event: LifecycleEvent) {
    do {
      try responder.respond(to: event, self)
    } catch {
      fail(error)
    }
  }

  /// Replaces this reply by one reply for each named part. The answers of the parts count instead of this reply's
  /// answer.
  ///
  /// Call ``beginAsking()`` on a reply when its part is asked. The response then has no problem for a part that was not
  /// asked before the timeout.
  func divide(among names: [String]) -> [LifecycleReply] {
    let replies = names.map { collector.open(path: "\(path)/\($0)", isAsked: false, in: number) }
    collector.close(number)
    return replies
  }

  /// Marks the reply's part as asked.
  func beginAsking() { collector.beginAsking(number, path) }
}

/// A collector that merges the answers to one event, and calls its completion handler exactly once.
final class AnswerCollector: Sendable {
  /// A reply that has no answer yet.
  private struct Pending {
    enum Stage {
      /// The part has not been asked yet. The response waits for it.
      case unasked
      /// The response waits for the answer.
      case asked
      /// The reply had no answer at the timeout, or was created later. An answer counts as late.
      case late
      /// The part had not been asked at the timeout. Neither it nor its answer is a problem.
      case excused
    }

    let path: String
    var stage: Stage

    var isAwaited: Bool { stage == .unasked || stage == .asked }
  }

  private struct State {
    var answer: LifecycleAnswer
    var answers = 0
    var opened = 0
    /// The replies without an answer, by their numbers.
    var pending: [Int: Pending] = [:]
    var problems: [LifecycleResponse.Problem] = []
    var hasExpired = false
    /// The thread that starts the timeout before the first part is asked; `nil` at other times.
    var arming: UInt?
    /// The timeout in nanoseconds if it passed before the first part was asked; otherwise `nil`.
    var overdue: Int64?
    /// The path of the part that was asked last; `nil` before the first one.
    var asking: String?
    var completion: (@Sendable (LifecycleResponse) -> Void)?
    var timeout: ScheduledCall?

    /// Counts an answer, and stores the merged answer that includes it.
    mutating func count(_ merged: LifecycleAnswer) {
      answer = merged
      answers += 1
    }

    mutating func countFailure(by rule: AnswerRule) { count(rule.merge(answer, rule.failure) ?? answer) }

    mutating func takeProblems() -> [LifecycleResponse.Problem] {
      defer { problems = [] }
      return problems
    }
  }

  private let event: LifecycleEvent
  fileprivate let rule: AnswerRule
  private let report: @Sendable (LifecycleResponse.Problem) -> Void
  private let state: Lock<State>

  init(
    event: LifecycleEvent, report: @escaping @Sendable (LifecycleResponse.Problem) -> Void,
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
      let stage: Pending.Stage? =
        if state.completion != nil {
          isAsked ? .asked : .unasked
        } else if let parent, state.pending[parent]?.stage == .excused {
          .excused
        } else {
          state.hasExpired ? .late : nil
        }
      state.pending[state.opened] = stage.map { Pending(path: path, stage: $0) }
      return state.opened
    }
    return LifecycleReply(number: number, path: path, collector: self)
  }

  func beginAsking(_ number: Int, _ path: String) {
    state.withLock { state in
      if state.pending[number]?.stage == .unasked { state.pending[number]?.stage = .asked }
      state.asking = path
    }
  }

  /// Closes a reply that was divided among parts, and so needs no answer.
  func close(_ number: Int) { settle { $0.pending[number] = nil } }

  func take(_ answer: LifecycleAnswer, from number: Int, _ path: String) {
    settle { state in
      switch state.pending.removeValue(forKey: number)?.stage {
      case .unasked, .asked:
        if let merged = rule.merge(state.answer, answer) {
          state.count(merged)
        } else {
          state.problems.append(.init(part: path, .mismatch(answer)))
          state.countFailure(by: rule)
        }
      case .late: state.problems.append(.init(part: path, .answeredLate))
      case .excused: break
      case nil: state.problems.append(.init(part: path, .answeredTwice))
      }
    }
  }

  func fail(_ error: any Error, _ number: Int, _ path: String) {
    let failure = Failure(describing: error)
    settle { state in
      state.problems.append(.init(part: path, .threw(failure)))
      guard state.pending[number]?.isAwaited == true else { return }
      state.pending[number] = nil
      state.countFailure(by: rule)
    }
  }

  func drop(_ number: Int, _ path: String) {
    settle { state in
      if state.pending.removeValue(forKey: number)?.isAwaited == true {
        state.problems.append(.init(part: path, .dropped))
      }
    }
  }

  /// Starts the timeout, in nanoseconds.
  ///
  /// - Parameter isBeforeAsking: True if no part has been asked yet. A timer without a thread calls back immediately;
  ///   the timeout then takes effect in ``endAsking()``.
  func startTimeout(_ timeout: Int64, _ timer: any CallTimer, isBeforeAsking: Bool) {
    let isNeeded = state.withLock { state in
      state.arming = isBeforeAsking ? Thread.current : nil
      return state.completion != nil
    }
    guard isNeeded else { return }
    let call = timer.schedule(after: timeout) { self.expire(timeout) }
    let isOver = state.withLock { state in
      state.arming = nil
      if state.completion != nil { state.timeout = call }
      return state.completion == nil
    }
    if isOver { call.cancel() }
  }

  /// Completes the response if the timeout passed before the first part was asked. Call it when all parts have been
  /// asked.
  func endAsking() {
    if let timeout = state.withLock({ $0.overdue }) { expire(timeout) }
  }

  private func expire(_ timeout: Int64) {
    settle { state in
      guard state.completion != nil else { return }
      guard state.arming != Thread.current else { return state.overdue = timeout }
      state.hasExpired = true
      let time = Duration.nanoseconds(timeout)
      let pending = state.pending.sorted { $0.key < $1.key }
      let unanswered = pending.filter { $0.value.stage == .asked }.map(\.value.path)
      let unasked = pending.first { $0.value.stage == .unasked }?.value.path
      state.pending = state.pending.mapValues {
        Pending(path: $0.path, stage: $0.stage == .unasked ? .excused : .late)
      }
      state.problems += unanswered.map { .init(part: $0, .unanswered(timeout: time)) }
      // The part may have answered, but it blocks the thread that asks the others.
      if unasked != nil, let part = state.asking, !unanswered.contains(part) {
        state.problems.append(.init(part: part, .blocked(timeout: time)))
      } else if let unasked, state.asking == nil, unanswered.isEmpty {
        state.problems.append(.init(part: unasked, .notAsked(timeout: time)))
      }
    }
  }

  /// Changes the state. If no reply is waiting afterwards, calls the completion handler after the lock is released.
  private func settle(_ change: (inout State) -> Void) {
    var ending: (() -> Void)?
    let problems = state.withLock { state -> [LifecycleResponse.Problem] in
      let isOver = state.completion == nil
      change(&state)
      if isOver { return state.takeProblems() }
      guard let completion = state.completion, !state.pending.values.contains(where: \.isAwaited) else {
        return []
      }
      state.completion = nil
      let response = LifecycleResponse(
        event: event, answer: state.answer, answers: state.answers, problems: state.takeProblems())
      ending = { [timeout = state.timeout] in
        timeout?.cancel()
        completion(response)
      }
      return []
    }
    for problem in problems { report(problem) }
    ending?()
  }
}
