import AppBoot
import Testing

@Suite("A plan")
struct StartupPlanTests {
  @Test("A plan made in code is a sequence whose ids are unique")
  func sequence() {
    let plan = StartupPlan(sequence: [Plain(), Other(), Plain(), Plain()])
    #expect(plan.name == "launch")
    #expect(plan.map(\.id) == ["Plain", "Other", "Plain-2", "Plain-3"])
    #expect(plan.map(\.commandName) == ["Plain", "Other", "Plain", "Plain"])
    #expect(plan.indices.map { Array(plan.predecessors(of: $0)) } == [[], [0], [1], [2]])
    #expect(plan.location(ofStep: 0) == nil)
    #expect(plan.source == nil)
  }

  @Test("A plan is a collection of its steps")
  func collection() {
    let plan = StartupPlan(sequence: [Plain(), Other(), Plain()])
    #expect(plan.count == 3)
    #expect(plan.first?.id == "Plain")
    #expect(plan.last?.id == "Plain-2")
    #expect(plan.reversed().map(\.id) == ["Plain-2", "Other", "Plain"])
    #expect(plan[1...].map(\.id) == ["Other", "Plain-2"])
    #expect(plan.index(ofStep: "Other") == 1)
    #expect(plan.index(ofStep: "Nothing") == nil)
    #expect(StartupPlan(sequence: []).isEmpty)
  }

  @Test("What is changed of a step is changed of that step only")
  func steps() {
    var step = StartupStep(Plain(), id: "a")
    let before = step
    step.timeout = 1
    step.note = "n"
    step.retry = RetryPolicy(attempts: 2)
    step.budget = 3
    step.skip = .excluded("x")
    step.timeout = nil
    #expect(step.timeout == nil)
    #expect(step.note == "n")
    #expect(step.retry?.attempts == 2)
    #expect(step.budget == 3)
    #expect(step.skip == .excluded("x"))
    #expect(before.note == nil)
    #expect(before.skip == nil)
  }

  @Test(
    "Entries that repeat a command's parameters share its value; what remembers something is made for each")
  func sharing() throws {
    let text = #"""
      { "commands": [{ "command": "Remembering", "id": "a" }, { "command": "Remembering", "id": "b" },
        { "command": "Kinds", "id": "c", "with": { "string": "1" } },
        { "command": "Kinds", "id": "d", "with": { "string": "1" } },
        { "command": "Kinds", "id": "e", "with": { "string": "2" } }, { "command": "Kinds", "id": "f" }] }
      """#
    let plan = try plan(text, CommandRegistry(Remembering.self, Kinds.self))
    let memories = plan.compactMap { ($0.command as? Remembering)?.memory }
    #expect(memories.count == 2)
    #expect(memories[0] !== memories[1])
    #expect(plan.compactMap { ($0.command as? Kinds)?.string } == ["1", "1", "2", "s"])
  }

  private final class Memory: Sendable {}

  private struct Remembering: Command {
    let memory = Memory()
    init() {}
    init(from decoder: any Decoder) throws { self.init() }
    func execute(in context: LaunchContext) {}
  }
}
