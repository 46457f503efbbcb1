public import AppBoot
import AppBootCommands
public import ServiceLifecycle

/// A plan of AppBoot with its services as a `Service` of swift-service-lifecycle.
///
/// The group's graceful shutdown shuts the services of the plan down in reverse order.
public struct AppBootService: Service {
  private let runner: ServiceRunner

  /// Creates the service of a plan.
  public init(_ plan: LaunchPlan) throws { runner = try ServiceRunner(plan) }

  /// Runs the launch, and keeps its services until the group shuts down.
  public func run() async throws {
    _ = try await withGracefulShutdownHandler {
      try await runner.run()
    } onGracefulShutdown: {
      runner.shutDown()
    }
  }
}
