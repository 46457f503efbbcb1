import AppBoot
import AppBootSystem
import Testing

@testable import AppBootCommands

private struct Steady: ServiceCommand {
  var restart = RestartPolicy(.always, attempts: 7)
  func run(in service: RunningService) async throws {}
}

private struct Configured: ServiceCommand {
  @Parameter("The restart.") var restart = RestartPolicy(.always, attempts: 7)
  func run(in service: RunningService) async throws {}
}

private struct MaybeSteady: ServiceCommand {
  @Parameter("The restart.") var restart: RestartPolicy?
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

  @Test("A service uses its restart policy, whether or not its type is optional")
  func restart() {
    var optional = MaybeSteady()
    #expect(attempts(optional) == nil)
    optional.restart = RestartPolicy(.onFailure, attempts: 7)
    #expect(attempts(optional) == .count(7))
    #expect(attempts(Steady()) == .count(7))
    #expect(attempts(Configured()) == .count(7))
    #expect(attempts(Plain()) == nil)
  }
}
