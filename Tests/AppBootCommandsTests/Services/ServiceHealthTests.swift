import AppBoot
import AppBootCommands
import AppBootTestSupport
import Testing

@Suite("The health of a service")
struct ServiceHealthTests {
  /// Returns the health that a runner shows for a service which reports it, and the health after the shutdown.
  private func shown(
    _ report: @escaping @Sendable (RunningService) -> Void
  ) async throws -> (running: ServiceHealth?, ended: ServiceHealth?) {
    let isReported = Gate()
    let service = FakeService { service in
      report(service)
      service.markReady()
      isReported.open()
      try await service.untilShutdown()
    }
    let runner = try ServiceRunner(LaunchPlan(steps: [(LaunchStep(service, id: "a"), nil)]))
    let run = Task { try await runner.run() }
    await isReported.passed()
    let running = runner.health["a"]
    runner.shutDown()
    _ = try? await run.value
    return (running, runner.health["a"])
  }

  @Test("A runner shows the last health that a running service reported, without secrets")
  func health() async throws {
    let health = try await shown { service in
      service.context.addSecret("hunter22")
      service.report(.healthy())
      service.report(.unhealthy("the token hunter22 was refused"))
    }
    #expect(health.running == .unhealthy("the token *** was refused"))
    #expect(health.ended == nil)
  }

  @Test("A long text is cut")
  func longText() async throws {
    let health = try await shown { $0.report(.healthy(String(repeating: "x", count: 10_000))) }
    #expect(health.running?.text.utf8.count == 500)
  }
}
