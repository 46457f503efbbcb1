import AppBoot
import AppBootAnalysis
import Testing

@Suite("The lanes of a plan")
struct LaunchPlanLanesTests {
  private struct Plain: Command {
    static let options = CommandOptions(lane: .main)
    func execute(in context: LaunchContext) {}
  }

  private struct Aside: Command {
    func execute(in context: LaunchContext) {}
  }

  @Test(
    "A plan has a choice only if two steps may be ready for one lane",
    arguments: [
      ("[\"Plain\", { \"command\": \"Plain\", \"id\": \"b\" }]", false),
      ("[\"Plain\", { \"command\": \"Plain\", \"id\": \"b\", \"after\": [] }]", true),
      ("[\"Plain\", { \"command\": \"Aside\", \"after\": [] }]", false),
      (
        "[\"Plain\", { \"command\": \"Aside\", \"after\": [] }, { \"command\": \"Plain\", \"id\": \"b\", \"after\": [\"Plain\"] }]",
        false
      ),
      (
        "[{ \"command\": \"Aside\", \"after\": [] }, { \"command\": \"Aside\", \"id\": \"b\", \"after\": [] }]",
        true
      ),
    ])
  func choice(commands: String, hasChoice: Bool) throws {
    let registry = CommandRegistry(Plain.self, Aside.self)
    let plan = try StartupCommandsBuilder(parsing: "{ \"commands\": \(commands) }", registry: registry)
      .build()
    #expect(plan.hasChoice == hasChoice)
  }
}
