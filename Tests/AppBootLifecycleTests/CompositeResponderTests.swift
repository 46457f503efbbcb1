import AppBoot
import AppBootTestKit
import AppBootTestSupport
import AppBootSystem
import Testing

@testable import AppBootLifecycle

/// A responder with fixed answers, which logs each question.
private struct Part: LifecycleResponder {
  let name: String
  let log: Log
  var bool: Bool?
  var fetch: FetchResult?
  var options: PresentationOptions?
  var fails = false

  func respond(to event: LifecycleEvent, _ reply: LifecycleReply) throws {
    log.add(name)
    if fails { throw Mishap() }
    switch event.answerRule {
    case .allTrue: reply.answer(.bool(bool ?? true))
    case .anyTrue: reply.answer(.bool(bool ?? false))
    case .fetch: reply.answer(.fetch(fetch ?? .noData))
    case .union: reply.answer(.presentation(options ?? []))
    case .acknowledge: reply.decline()
    }
  }
}

/// A responder that stores its replies so that a test can answer them.
private final class Slow: LifecycleResponder {
  let name: String
  private let kept = Lock<[LifecycleReply]>([])

  init(_ name: String) { self.name = name }

  func respond(to event: LifecycleEvent, _ reply: LifecycleReply) { kept.withLock { $0.append(reply) } }

  func answer(_ result: FetchResult) {
    for reply in kept.withLock({ $0 }) { reply.answer(.fetch(result)) }
  }
}

/// A responder that runs a closure before it answers.
private struct Blocking: LifecycleResponder {
  let body: @Sendable () -> Void

  func respond(to event: LifecycleEvent, _ reply: LifecycleReply) {
    body()
    reply.answer(.fetch(.newData))
  }
}

/// A responder that releases its reply without answering.
private struct Careless: LifecycleResponder {
  func respond(to event: LifecycleEvent, _ reply: LifecycleReply) {}
}

private final class Answers: Sendable {
  private let responses = Lock<[LifecycleResponse]>([])
  private let late = Lock<[String]>([])
  let timer = ManualTimer()

  func ask(_ responder: CompositeResponder, _ event: LifecycleEvent, timeout: Duration = .nanoseconds(100)) {
    responder.ask(
      event, timeout: timeout, timer: timer,
      report: { [self] problem in
        late.withLock { $0.append(problem.description) }
      }
    ) { [self] response in responses.withLock { $0.append(response) } }
  }

  var all: [LifecycleResponse] { responses.withLock { $0 } }
  var lateProblems: [String] { late.withLock { $0 } }
}

/// A responder that supports certain orientations.
private struct Oriented: LifecycleResponder {
  let orientations: InterfaceOrientations
  func respond(to event: LifecycleEvent, _ reply: LifecycleReply) { reply.decline() }
  func supportedInterfaceOrientations(scene: SceneID?) -> InterfaceOrientations { orientations }
}

@Suite("The orientations of responders")
struct InterfaceOrientationTests {
  private func host(_ orientations: [InterfaceOrientations]) -> LifecycleHost {
    var configuration = LifecycleHost.Configuration()
    configuration.responders = orientations.map(Oriented.init)
    return LifecycleHost(LaunchPlan(sequence: []), configuration: configuration)
  }

  @Test("The interface has the orientations that all parts support")
  func common() {
    #expect(host([]).supportedInterfaceOrientations() == .all)
    #expect(host([.allButUpsideDown, .landscape]).supportedInterfaceOrientations() == .landscape)
    #expect(host([.portrait, .landscape]).supportedInterfaceOrientations() == nil)
  }

  @Test("A composite inside a composite counts by its parts")
  func nested() {
    let inner = CompositeResponder(parts: [Oriented(orientations: .portrait)])
    let outer = CompositeResponder(parts: [inner, Oriented(orientations: .allButUpsideDown)])
    #expect(outer.supportedInterfaceOrientations(scene: "left") == .portrait)
  }
}

@Suite("A composite responder")
struct CompositeResponderTests {
  private let log = Log()
  private let answers = Answers()
  private let fetch = LifecycleEvent.didReceiveRemoteNotification(payload: "{}")

  private func answer(_ event: LifecycleEvent, _ parts: [any LifecycleResponder]) -> LifecycleAnswer? {
    answers.ask(CompositeResponder(parts: parts), event)
    return answers.all.last?.answer
  }

  @Test("A composite handles a URL if any part does, and asks every part")
  func anyTrue() {
    let parts = [true, false, true].enumerated().map { Part(name: "\($0)", log: log, bool: $1) }
    #expect(answer(.openURL("notes://"), parts) == .bool(true))
    #expect(log.all == ["0", "1", "2"])
    #expect(answer(.openURL("notes://"), [Part(name: "n", log: log, bool: false)]) == .bool(false))
    #expect(answer(.openURL("notes://"), []) == .bool(false))
  }

  @Test("A composite agrees to the launch if all parts do, and asks every part")
  func allTrue() {
    let parts = [false, true, true].enumerated().map { Part(name: "\($0)", log: log, bool: $1) }
    #expect(answer(.didFinishLaunching(LaunchOptions()), parts) == .bool(false))
    #expect(log.all == ["0", "1", "2"])
    #expect(answer(.didFinishLaunching(LaunchOptions()), []) == .bool(true))
  }

  @Test(
    "Fetch results are merged with new data before a failure before no data", arguments: FetchResult.allCases)
  func fetchResults(_ other: FetchResult) {
    func merged(_ results: FetchResult...) -> LifecycleAnswer? {
      answer(fetch, results.map { Part(name: "p", log: log, fetch: $0) })
    }
    #expect(merged(.newData, other) == .fetch(.newData))
    #expect(merged(other, .newData) == .fetch(.newData))
    #expect(merged(.noData, other) == .fetch(other))
    #expect(merged(.failed, .noData, .failed) == .fetch(.failed))
    #expect(answer(fetch, []) == .fetch(.noData))
  }

  @Test("Presentation options of all parts are merged")
  func union() {
    let parts = [
      Part(name: "a", log: log, options: .banner), Part(name: "b", log: log, options: [.sound, .badge]),
    ]
    #expect(
      answer(.willPresentNotification(payload: "{}"), parts) == .presentation([.banner, .sound, .badge]))
    #expect(PresentationOptions([.banner, .sound]).description == "banner, sound")
  }

  @Test("A nested composite merges the answers of its leaves")
  func tree() {
    var tree = CompositeResponder("0", parts: [Part(name: "leaf", log: log, bool: true)])
    for depth in 1...200 {
      tree = CompositeResponder("\(depth)", parts: [tree, Part(name: "side", log: log, bool: false)])
    }
    answers.ask(tree, .openURL("notes://"))
    #expect(answers.all.map(\.answer) == [.bool(true)])
    #expect(answers.all.first?.answers == 201)
    #expect(log.all.count == 201)
  }

  @Test("A part that throws counts as a failure and is named by its path")
  func throwing() {
    let inner = CompositeResponder("push", parts: [Part(name: "badge", log: log, fails: true)])
    answers.ask(CompositeResponder(parts: [inner, Part(name: "sync", log: log, fetch: .noData)]), fetch)
    #expect(answers.all.first?.answer == .fetch(.failed))
    #expect(answers.all.first?.problems.map(\.description) == ["app/push/badge failed: out of paper"])
    #expect(log.all == ["badge", "sync"])
  }

  @Test("The completion handler is called once, after the last answer")
  func completion() {
    let (a, b) = (Slow("a"), Slow("b"))
    answers.ask(CompositeResponder(parts: [a, b]), fetch)
    a.answer(.noData)
    #expect(answers.all.isEmpty)
    #expect(answers.timer.pendingCalls == 1)
    b.answer(.newData)
    #expect(answers.all.map(\.answer) == [.fetch(.newData)])
    #expect(answers.all.first?.problems == [])
    #expect(answers.timer.pendingCalls == 0)
    answers.timer.advance(by: 1000)
    #expect(answers.all.count == 1)
  }

  @Test("A composite completes at the timeout and names the parts without an answer")
  func timeout() {
    let (a, b) = (Slow("a"), Slow("b"))
    answers.ask(
      CompositeResponder(parts: [a, CompositeResponder("in", parts: [b])]), fetch,
      timeout: .microseconds(1500))
    a.answer(.newData)
    answers.timer.advance(by: 1_499_999)
    #expect(answers.all.isEmpty)
    answers.timer.advance(by: 1)
    #expect(answers.all.map(\.answer) == [.fetch(.newData)])
    #expect(answers.all.first?.problems.map(\.description) == ["app/in/b did not answer within 1.5ms"])
    b.answer(.newData)
    #expect(answers.all.count == 1)
    #expect(answers.lateProblems == ["app/in/b answered after the timeout"])
  }

  @Test("A composite completes at the timeout while a part blocks, and still asks the others")
  func blocked() {
    let (b, timer) = (Slow("b"), answers.timer)
    // Simulates a timer that fires on another thread while the part blocks.
    let blocking = Blocking { timer.advance(by: 100) }
    let within = CompositeResponder("in", parts: [Part(name: "c", log: log, fetch: .newData), b])
    answers.ask(
      CompositeResponder(parts: [Part(name: "a", log: log, fetch: .failed), blocking, within]), fetch)
    #expect(answers.all.map(\.answer) == [.fetch(.failed)])
    // Parts that have not been asked yet are not reported.
    #expect(
      answers.all.first?.problems == [.init(part: "app/Blocking", .unanswered(timeout: .nanoseconds(100)))])
    #expect(log.all == ["a", "c"])
    b.answer(.noData)
    #expect(answers.lateProblems == ["app/Blocking answered after the timeout"])
  }

  @Test(
    "A part that answers and then blocks is reported, but the parts after it are not")
  func answeredAndBlocked() {
    struct Holding: LifecycleResponder {
      let body: @Sendable () -> Void
      func respond(to event: LifecycleEvent, _ reply: LifecycleReply) {
        reply.answer(.fetch(.newData))
        body()
      }
    }
    struct Wrapper: LifecycleResponder {
      let inner: CompositeResponder
      func respond(to event: LifecycleEvent, _ reply: LifecycleReply) { inner.respond(to: event, reply) }
    }
    let timer = answers.timer
    let wrapper = Wrapper(inner: CompositeResponder(parts: [Part(name: "c", log: log, fetch: .noData)]))
    answers.ask(CompositeResponder(parts: [Holding { timer.advance(by: 100) }, wrapper]), fetch)
    #expect(answers.all.map(\.answer) == [.fetch(.newData)])
    #expect(answers.all.first?.problems == [.init(part: "app/Holding", .blocked(timeout: .nanoseconds(100)))])
    #expect(log.all == ["c"] && answers.lateProblems == [])
  }

  @Test("A timeout that passes before any part is asked is a problem of the response")
  func notAsked() {
    let (timer, responses) = (ManualTimer(), Lock<[LifecycleResponse]>([]))
    let collector = AnswerCollector(event: fetch, report: { _ in }) { response in
      responses.withLock { $0.append(response) }
    }
    collector.startTimeout(100, timer, isBeforeAsking: true)
    let replies = collector.open(path: "app").divide(among: ["a", "b"])
    timer.advance(by: 100)
    #expect(
      responses.withLock { $0.map(\.problems) } == [
        [.init(part: "app/a", .notAsked(timeout: .nanoseconds(100)))]
      ])
    #expect(
      responses.withLock { $0.first?.problems.first?.description }
        == "app/a and the parts after it were not asked within 100ns")
    withExtendedLifetime(replies) {}
  }

  @Test("An asynchronous question returns at the timeout while a part still blocks")
  func blockedForReal() async {
    let (release, answered) = (Gate(), Gate())
    let blocking = Blocking {
      release.wait()
      answered.open()
    }
    let app = CompositeResponder(parts: [blocking])
    let response = await app.ask(fetch, timeout: .milliseconds(1))
    // On a busy machine the timeout passes before the composite asks its part, which then is not late.
    let problems: [LifecycleResponse.Problem] = [
      .init(part: "app", .unanswered(timeout: .milliseconds(1))),
      .init(part: "app/Blocking", .unanswered(timeout: .milliseconds(1))),
      .init(part: "app/Blocking", .notAsked(timeout: .milliseconds(1))),
    ]
    #expect(response.answers == 0)
    #expect(problems.map { [$0] }.contains(response.problems))
    release.open()
    await answered.passed()
  }

  @Test("Immediate answers count if the timer fires immediately or the timeout is zero")
  func atOnce() {
    struct Impatient: CallTimer {
      func schedule(after nanoseconds: Int64, _ action: @escaping @Sendable () -> Void) -> ScheduledCall {
        action()
        return ScheduledCall {}
      }
    }
    let responses = Lock<[LifecycleResponse]>([])
    let parts: [any LifecycleResponder] = [Part(name: "a", log: log, fetch: .newData), Slow("b")]
    for timeout in [Duration.zero, .nanoseconds(100)] {
      CompositeResponder(parts: parts).ask(fetch, timeout: timeout, timer: Impatient()) { response in
        responses.withLock { $0.append(response) }
      }
    }
    #expect(responses.withLock { $0.map(\.answer) } == [.fetch(.newData), .fetch(.newData)])
    let late = responses.withLock { $0.flatMap(\.problems).map(\.part) }
    #expect(late == ["app/b", "app/b"])
  }

  @Test("A composite asks the parts of a tree with ten thousand levels")
  func deep() {
    var tree = CompositeResponder("", parts: [Part(name: "leaf", log: log, bool: true)])
    for _ in 1..<10_000 { tree = CompositeResponder("", parts: [tree]) }
    answers.ask(tree, .openURL("notes://7"))
    #expect(answers.all.map(\.answer) == [.bool(true)])
    #expect(log.all == ["leaf"])
  }

  @Test("Parts with the same name have different paths")
  func paths() {
    let parts = ["A", "A", "A-2"].map { Slow($0) }
    answers.ask(CompositeResponder(parts: parts), fetch)
    answers.timer.advance(by: 100)
    #expect(answers.all.first?.problems.map(\.part) == ["app/A", "app/A-2", "app/A-2-2"])
  }

  @Test("A second answer of a part is reported and ignored")
  func twice() {
    let (a, b) = (Slow("a"), Slow("b"))
    answers.ask(CompositeResponder(parts: [a, b]), fetch)
    a.answer(.noData)
    a.answer(.newData)
    b.answer(.noData)
    #expect(answers.all.map(\.answer) == [.fetch(.noData)])
    #expect(answers.all.first?.problems == [.init(part: "app/a", .answeredTwice)])
    b.answer(.newData)
    #expect(answers.all.count == 1)
    #expect(answers.lateProblems == ["app/b answered twice; the first answer counts"])
  }

  @Test("A part that releases its completion handler is reported without waiting")
  func dropped() {
    answers.ask(CompositeResponder(parts: [Careless(), Careless()]), fetch)
    #expect(answers.all.map(\.answer) == [.fetch(.noData)])
    #expect(
      answers.all.first?.problems == [
        .init(part: "app/Careless", .dropped), .init(part: "app/Careless-2", .dropped),
      ])
    #expect(
      answers.all.first?.problems.first?.description
        == "app/Careless did not answer: call reply.decline() for events that it leaves to others")
  }

  @Test("Merging is independent of the order and the grouping of answers")
  func laws() {
    let values: [AnswerRule: [LifecycleAnswer]] = [
      .allTrue: [.bool(true), .bool(false)], .anyTrue: [.bool(true), .bool(false)],
      .fetch: FetchResult.allCases.map(LifecycleAnswer.fetch),
      .union: (0..<16).map { .presentation(PresentationOptions(rawValue: $0)) },
      .acknowledge: [.acknowledged],
    ]
    for rule in AnswerRule.allCases {
      for a in values[rule] ?? [] {
        #expect(answersTo(rule, [a]) == a)
        for b in values[rule] ?? [] { #expect(answersTo(rule, [a, b]) == answersTo(rule, [b, a])) }
      }
    }
  }

  /// Returns the merged answer of parts with fixed answers, to the event with the rule.
  private func answersTo(_ rule: AnswerRule, _ given: [LifecycleAnswer]) -> LifecycleAnswer? {
    let events: [LifecycleEvent] = [
      .didFinishLaunching(LaunchOptions()), .openURL("a://"), fetch, .willPresentNotification(payload: "{}"),
      .willTerminate,
    ]
    guard let event = events.first(where: { $0.answerRule == rule }) else { return nil }
    return answer(event, given.map(Raw.init))
  }

  private struct Raw: LifecycleResponder {
    let given: LifecycleAnswer
    func respond(to event: LifecycleEvent, _ reply: LifecycleReply) { reply.answer(given) }
  }

  @Test("An answer of the wrong kind is reported")
  func mismatch() {
    answers.ask(CompositeResponder(parts: [Raw(given: .fetch(.newData))]), .openURL("a://"))
    #expect(answers.all.first?.answer == .bool(false))
    #expect(
      answers.all.first?.problems.map(\.description)
        == ["app/Raw answered \"newData\", which is the wrong kind of answer for this event"])
  }

  @Test("An answer of the wrong kind counts as a failure", arguments: AnswerRule.allCases)
  func mismatchFails(_ rule: AnswerRule) {
    #expect(answersTo(rule, [rule == .union ? .bool(true) : .presentation(.banner)]) == rule.failure)
    #expect(answer(.performBackgroundTask("sync"), [Raw(given: .acknowledged)]) == .bool(false))
  }

  @Test("A composite can be asked asynchronously")
  func awaiting() async {
    let response = await CompositeResponder(parts: [Part(name: "a", log: log, bool: true)]).ask(
      .openURL("a://"))
    #expect(response.answer == .bool(true))
  }
}
