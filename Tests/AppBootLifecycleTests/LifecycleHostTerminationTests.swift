import AppBoot
import AppBootLifecycle
import AppBootSystem
import AppBootTestKit
import AppBootTestSupport
import Testing

@Suite("A lifecycle host at the end of the app")
struct LifecycleHostTerminationTests {
  /// A responder whose answer to `willTerminate` comes later.
  private final class LateResponder: LifecycleResponder {
    let replies = Lock<[LifecycleReply]>([])

    func respond(to event: LifecycleEvent, _ reply: LifecycleReply) {
      guard event == .willTerminate else { return reply.answer(event.answerRule.neutral) }
      replies.withLock { $0.append(reply) }
    }
  }

  private let log = Log()
  private let outcomes = Lock<[LifecycleOutcome]>([])

  private func host(_ responders: [any LifecycleResponder] = []) throws -> LifecycleHost {
    var plan = LaunchPlan(sequence: [FakeCommand()])
    let saving = LaunchStep(FakeCommand { [log] _ in log.add("save") }, id: "save")
    plan.events["willTerminate"] = try LaunchPlan(name: "willTerminate", steps: [(saving, nil)])
    var configuration = LifecycleHost.Configuration()
    configuration.responders = responders
    configuration.mediator.on(.willTerminate) { [log] _ in log.add("listener") }
    let host = LifecycleHost(plan, configuration: configuration)
    host.receive(.didFinishLaunching(LaunchOptions())) { _ in }
    return host
  }

  private func terminate(_ host: LifecycleHost) {
    host.receive(.willTerminate) { [outcomes] outcome in outcomes.withLock { $0.append(outcome) } }
  }

  @Test("A repeated willTerminate runs nothing, and has the outcome of the first")
  func repeated() throws {
    let host = try host()
    terminate(host)
    terminate(host)
    #expect(log.all == ["save", "listener"])
    #expect(host.state.events == 2)
    let outcomes = outcomes.withLock(\.self)
    #expect(outcomes.count == 2)
    #expect(outcomes.allSatisfy { $0.succeeded && $0.record?["save"]?.state == .succeeded })
  }

  @Test("The handlers of willTerminate are cancelled after the timeout of the launch")
  func timeout() throws {
    var plan = try LaunchPlan(name: "launch", steps: [], timeout: .milliseconds(50))
    let endless = LaunchStep(FakeAsyncCommand { _ in try await untilCancelled() }, id: "endless")
    plan.events["willTerminate"] = try LaunchPlan(name: "willTerminate", steps: [(endless, nil)])
    terminate(LifecycleHost(plan))
    let record = outcomes.withLock(\.first)?.record
    #expect(record?.cancellation == .requested("willTerminate timed out"))
  }

  @Test("A repeated willTerminate waits for the answers to the first")
  func repeatedBeforeAnswer() throws {
    let responder = LateResponder()
    let host = try host([responder])
    terminate(host)
    terminate(host)
    #expect(outcomes.withLock(\.count) == 0)
    #expect(responder.replies.withLock(\.count) == 1)
    responder.replies.withLock(\.first)?.answer(.acknowledged)
    #expect(outcomes.withLock(\.count) == 2)
  }

  @Test("A host that has ended refuses every willTerminate")
  func ended() throws {
    let host = try host()
    host.end()
    terminate(host)
    terminate(host)
    #expect(log.all.isEmpty)
    #expect(outcomes.withLock(\.self).map(\.refusal) == [.ended, .ended])
  }
}
