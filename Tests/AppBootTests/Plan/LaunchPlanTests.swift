import AppBoot
import AppBootRecords
import AppBootTestSupport
import Testing

@Suite("A plan")
struct LaunchPlanTests {
  @Test("A plan made in code is a sequence whose ids are unique")
  func sequence() {
    let plan = LaunchPlan(sequence: [Plain(), Other(), Plain(), Plain()])
    #expect(plan.name == "launch")
    #expect(plan.map(\.id) == ["Plain", "Other", "Plain-2", "Plain-3"])
    #expect(plan.map(\.commandName) == ["Plain", "Other", "Plain", "Plain"])
    #expect(plan.indices.map { Array(plan.outline.predecessors(of: $0)) } == [[], [0], [1], [2]])
    #expect(plan.outline.locations()[0] == nil)
    #expect(plan.outline.manifest == nil)
  }

  @Test("A plan is a collection of its steps")
  func collection() {
    let plan = LaunchPlan(sequence: [Plain(), Other(), Plain()])
    #expect(plan.count == 3)
    #expect(plan.first?.id == "Plain")
    #expect(plan.last?.id == "Plain-2")
    #expect(plan.reversed().map(\.id) == ["Plain-2", "Other", "Plain"])
    #expect(plan[1...].map(\.id) == ["Other", "Plain-2"])
    #expect(plan.outline.index(ofStep: "Other") == 1)
    #expect(plan.outline.index(ofStep: "Nothing") == nil)
    #expect(LaunchPlan(sequence: []).isEmpty)
  }

  @Test("A change to a step leaves the other steps alone")
  func steps() {
    var step = LaunchStep(Plain(), id: "a")
    let before = step
    step.timeout = .seconds(1)
    step.comment = "n"
    step.retry = RetryPolicy(attempts: 2)
    step.budget = .seconds(3)
    step.skip = .excluded("x")
    step.timeout = nil
    #expect(step.timeout == nil)
    #expect(step.comment == "n")
    #expect(step.retry?.attempts == 2)
    #expect(step.budget == .seconds(3))
    #expect(step.skip == .excluded("x"))
    #expect(before.comment == nil)
    #expect(before.skip == nil)
  }

  @Test(
    "Entries with the same text have separate values and memory",
    arguments: [2, 40])
  func sharing(count: Int) throws {
    let remembering = (0..<count).map { #"{ "command": "Remembering", "id": "r\#($0)" }"# }
    let kinds = (0..<count).map { #"{ "command": "Kinds", "id": "k\#($0)", "with": { "string": "1" } }"# }
    let others = [
      #"{ "command": "Kinds", "id": "e", "with": { "string": "2" } }"#, #"{ "command": "Kinds", "id": "f" }"#,
    ]
    let text = "{ \"commands\": [\((remembering + kinds + others).joined(separator: ",\n"))] }"
    let plan = try plan(text, CommandRegistry(Remembering.self, Kinds.self))
    let memories = plan.commands.compactMap { ($0 as? Remembering).map { ObjectIdentifier($0.memory) } }
    #expect(memories.count == count && Set(memories).count == count)
    let strings = plan.commands.compactMap { ($0 as? Kinds)?.string }
    #expect(strings == [String](repeating: "1", count: count) + ["2", "s"])
  }

  private final class Memory: Sendable {}

  private struct Remembering: Command {
    let memory = Memory()
    init() {}
    func execute(in context: LaunchContext) {}
  }
}
