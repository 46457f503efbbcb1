import AppBoot
import AppBootCommands

/// A service that prints a line again and again. It runs on the main actor, as a service of a user interface does.
struct Heartbeat: ServiceCommand {
  @Parameter("The time between two beats.") var interval = Duration.seconds(1)
  @Parameter("The restart of a heartbeat that failed.") var restart: RestartPolicy?

  var serviceOptions: ServiceOptions { ServiceOptions(restart: restart) }

  @MainActor func run(in service: RunningService) async throws {
    service.markReady()
    try await service.cancelWhenGracefulShutdown {
      while true {
        service.output("beat")
        try await Task.sleep(for: interval)
      }
    }
  }
}
