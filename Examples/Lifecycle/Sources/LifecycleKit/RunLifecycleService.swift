import AppBoot
public import AppBootCommands
import Logging
public import ServiceLifecycle

/// A `Service` of swift-service-lifecycle as a service of AppBoot.
///
/// The service runs in a group of its own, so that its graceful shutdown handlers are called.
public struct RunLifecycleService: ServiceCommand {
  private let service: any Service

  /// Creates the command of a service.
  public init(_ service: any Service) { self.service = service }

  /// Runs the service. It is ready as soon as it has started, because a `Service` reports nothing itself.
  public func run(in context: RunningService) async throws {
    guard !context.isShuttingDown else { return }
    let group = ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: [.init(service: service, successTerminationBehavior: .gracefullyShutdownGroup)],
        logger: Logger(label: context.id)))
    // An outer group would shut this group down at once, and not in the order of the plan. A detached task does not
    // see the outer one.
    let run = Task.detached { try await group.run() }
    context.markReady()
    try await withTaskCancellationHandler {
      try await context.withGracefulShutdownHandler {
        try await run.value
      } onGracefulShutdown: {
        Task { await group.triggerGracefulShutdown() }
      }
    } onCancel: {
      run.cancel()
    }
  }
}
