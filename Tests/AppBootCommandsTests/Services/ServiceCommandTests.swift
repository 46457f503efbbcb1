import AppBoot
import AppBootSystem
import Testing

@testable import AppBootCommands

private struct Configured: ServiceCommand {
  @Parameter("The restart.") var restart: RestartPolicy?
  var serviceOptions: ServiceOptions { ServiceOptions(restart: restart) }
  func run(in service: RunningService) async throws {}
}

private struct Plain: ServiceCommand {
  func run(in service: RunningService) async throws {}
}

@Suite("A service in Swift")
struct ServiceCommandTests {
  private func attempts(_ command: some ServiceCommand) -> StepLimit.Value? {
    ServiceLaunch(command).stepLimits.first { $0.name == "restart.attempts" }?.value
  }

  @Test("A service restarts by its options, and a parameter can set them")
  func restart() {
    #expect(attempts(Configured()) == nil)
    let few = RestartPolicy(.onFailure, attempts: 7)
    #expect(attempts(Configured().setting(\.restart, to: few)) == .count(7))
    #expect(attempts(Configured().setting(\.restart, to: .always)) == .count(5))
    #expect(attempts(Plain()) == nil)
  }

  @Test("The services of event handlers stop in their order, and before those of the launch")
  func dependents() throws {
    let plan = try LaunchPlan {
      Step("database", Plain())
      On(.didBecomeActive) {
        Step("cache", Plain())
        Step("index", Plain())
      }
    }
    #expect(
      plan.serviceDependents == ["database": ["cache", "index"], "cache": ["index"], "index": []])
  }
}
