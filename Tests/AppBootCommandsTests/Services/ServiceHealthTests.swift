import AppBoot
import AppBootCommands
import AppBootTestKit
import Testing

@Suite("The health of a service")
struct ServiceHealthTests {
  @Test("A runner shows the last health that a running service reported, without secrets")
  func health() async throws {
    let isReported = Gate()
    let service = FakeService { service in
      service.context.addSecret("hunter22")
      service.report(.healthy())
      service.report(.unhealthy("the token hunter22 was refused"))
      service.markReady()
      isReported.open()
      try await service.untilShutdown()
    }
    let runner = try ServiceRunner(StartupPlan(steps: [(StartupStep(service, id: "a"), nil)]))
    let run = Task { try await runner.run() }
    await isReported.passed()
    #expect(runner.health == ["a": .unhealthy("the token *** was refused")])
    runner.shutDown()
    _ = try? await run.value
    #expect(runner.health.isEmpty)
  }

  @Test("A long text is cut")
  func longText() async throws {
    let isReported = Gate()
    let service = FakeService { service in
      service.report(.healthy(String(repeating: "x", count: 10_000)))
      service.markReady()
      isReported.open()
      try await service.untilShutdown()
    }
    let runner = try ServiceRunner(StartupPlan(steps: [(StartupStep(service, id: "a"), nil)]))
    let run = Task { try await runner.run() }
    await isReported.passed()
    #expect(runner.health["a"]?.text.utf8.count == 500)
    runner.shutDown()
    _ = try? await run.value
  }
}
