import Testing
import AppBootTestSupport

@testable import AppBoot
@testable import AppBootLifecycle

@Suite("The JSON of an outcome")
struct LifecycleOutcomeTests {
  private func outcome(_ messages: [String]) -> LifecycleOutcome {
    let event = LifecycleEvent.didBecomeActive
    let problems = messages.map {
      LifecycleResponse.Problem(part: "a", .threw(Failure(describing: Mishap($0))))
    }
    return LifecycleOutcome(
      event: event, refusal: nil, record: nil, listeners: LifecycleMediator.Report(event: event),
      response: LifecycleResponse(event: event, answer: .acknowledged, answers: 1, problems: problems))
  }

  @Test("The JSON stays within its limit and counts the omitted messages")
  func limit() throws {
    let long = String(repeating: "\u{1}é", count: 50_000)
    let text = outcome(["short", long, long]).json(upTo: 1 << 16)
    #expect(text.utf8.count < 1 << 16)
    let root = try JSONDocument(parsing: SourceText(name: "outcome", text: text)).root
    let problems = try #require(root["problems"]).elements.compactMap(\.string)
    try #require(problems.count == 3)
    #expect(problems.first?.contains("short") == true)
    #expect(problems[1].hasSuffix("…"))
    #expect(problems[2] == "1 more omitted")
    #expect(outcome(["short", long]).json.utf8.count > 150_000)
  }

  @Test("An outcome that a test makes has the answer of its event, and succeeds unless something failed")
  func made() {
    let handled = LifecycleOutcome(event: .openURL("notes://7"), answer: .bool(true))
    #expect(handled.succeeded)
    #expect(handled.response.answer == .bool(true))
    #expect(!LifecycleOutcome(event: .openURL("notes://7")).succeeded)
    #expect(LifecycleOutcome(event: .didBecomeActive).succeeded)
    let refused = LifecycleOutcome(event: .didBecomeActive, refusal: .ended)
    #expect(!refused.succeeded)
    #expect(refused.listeners == LifecycleMediator.Report(event: .didBecomeActive))
  }

  @Test("Text is truncated between two characters")
  func cut() {
    #expect("naïve".cut(to: 6) == "naïve")
    #expect("naïve".cut(to: 5) == "na…")
    #expect("naïve".cut(to: 0) == "…")
  }
}
