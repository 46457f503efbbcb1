import AppBootTestKit
import AppBootTestSupport
import Testing

@testable import AppBoot
@testable import AppBootRecords

@Suite("The critical path")
struct CriticalPathTests {
  private let failure = Failure(message: "x", type: "x")

  /// Returns the critical path after these events, in a launch that runs `a` in parallel with `b0` and then `b`.
  ///
  /// - Parameter predecessors: The ids of the steps before `b`.
  private func path(
    _ events: [(LaunchEvent.Kind, Int64)], before predecessors: [String] = ["b0"]
  ) throws -> [String] {
    let steps = [("a", []), ("b0", []), ("b", predecessors)]
    let plan = try LaunchPlan(
      steps: steps.map { (LaunchStep(FakeCommand(), id: $0.0), after: [String]?.some($0.1)) })
    var record = LaunchRecord(outline: plan.outline, startedAt: "")
    for (kind, time) in events { record.apply(LaunchEvent(kind, at: time)) }
    return CriticalPath(of: record).steps.map { record.outline[$0].id }
  }

  private let begun: [(LaunchEvent.Kind, Int64)] = [
    (.ready(step: 0), 0), (.ready(step: 1), 0), (.started(step: 0, attempt: 1), 0),
    (.started(step: 1, attempt: 1), 0),
  ]

  @Test("The critical path is the chain to the step that ended last")
  func last() throws {
    let aEnds: (Int64) -> (LaunchEvent.Kind, Int64) = { [failure] in
      (.ended(step: 0, state: .failed(failure)), $0)
    }
    let bEnds: [(LaunchEvent.Kind, Int64)] = [
      (.ended(step: 1, state: .succeeded), 300), (.ready(step: 2), 300), (.started(step: 2, attempt: 1), 300),
      (.ended(step: 2, state: .succeeded), 600),
    ]
    #expect(try path(begun + [aEnds(100)] + bEnds) == ["b0", "b"])
    #expect(try path(begun + bEnds + [aEnds(700)]) == ["a"])
  }

  @Test(
    "Of two predecessors, the one that ended last is on the critical path, or the last one of after if both did",
    arguments: [["a", "b0"], ["b0", "a"]])
  func predecessors(after: [String]) throws {
    for (end, expected) in [(299, "b0"), (300, after[1]), (301, "a")] as [(Int64, String)] {
      let events: [(LaunchEvent.Kind, Int64)] = [
        (.ended(step: 1, state: .succeeded), 300), (.ended(step: 0, state: .succeeded), end),
        (.ready(step: 2), max(end, 300)), (.started(step: 2, attempt: 1), max(end, 300)),
        (.ended(step: 2, state: .succeeded), 600),
      ]
      #expect(try path(begun + events.sorted { $0.1 < $1.1 }, before: after) == [expected, "b"])
    }
  }

  @Test(
    "The critical path excludes a step that was cut short at the end of another step",
    arguments: [true, false],
    [true, false])
  func cutShort(inPause: Bool, selfCancelled: Bool) throws {
    var events = begun
    if inPause {
      events.append((.retrying(.init(step: 0, attempt: 1, failure: failure, delay: .nanoseconds(900))), 4))
    }
    events += [
      (.ended(step: 1, state: .succeeded), 300), (.ready(step: 2), 300), (.started(step: 2, attempt: 1), 300),
      (.ended(step: 2, state: selfCancelled ? .cancelled(.selfCancelled) : .failed(failure)), 600),
      (.ended(step: 0, state: inPause ? .failed(failure) : .cancelled(.deadline)), 600),
    ]
    #expect(try path(events) == ["b0", "b"])
  }
}
