public import AppBoot
package import AppBootLifecycle
import AppBootSystem

/// A command that is a service in Swift. Its step succeeds when the service is ready, and the service stays after it.
///
/// ```swift
/// struct WebServer: ServiceCommand {
///   @Parameter("TCP port.") var port = 8080
///
///   func run(in service: RunningService) async throws {
///     let server = try await Server.bind(port)
///     service.markReady()
///     try await service.untilShutdown()
///     await server.close()
///   }
/// }
/// ```
///
/// It has the same states, restarts and reports as the process of a ``RunService``. `appboot run`, `AppBootTool`,
/// ``ServiceRunner`` and `LifecycleHost` keep services; other launches cannot run them.
public protocol ServiceCommand: AsyncUndoableCommand {
  /// The rules for the service's restarts and end. By default it is not restarted, and its end makes the app fail.
  var serviceOptions: ServiceOptions { get }

  /// Runs the service until it is asked to shut down.
  ///
  /// Call ``RunningService/markReady()`` when the service can do its work. The step fails if the service ends before,
  /// and the step's timeout is the time until ready. A restarted service runs again with the same command.
  ///
  /// - Throws: Any error. It is the failure of the step, or the end of a service that was ready.
  func run(in service: RunningService) async throws
}

extension ServiceCommand {
  /// No restart, 10 s to shut down, and an end that makes the app fail.
  public var serviceOptions: ServiceOptions { ServiceOptions() }

  /// Execution until the service is ready. It takes no slot of `jobs`.
  public static var _execution: _CommandExecution {
    .polled(ServiceLaunch.self) { ($0 as? Self).map { ServiceLaunch($0) } }
  }

  /// Starts the service and waits until it is ready.
  ///
  /// - Throws: The error of the service, or an error if nothing keeps services in the launch.
  public func execute(in context: LaunchContext) async throws {
    try await OperationLoop.run(try ServiceLaunch(self).start(in: context))
  }

  /// Shuts the service down, as at the end of the app.
  public func undo(in context: LaunchContext) async throws { try await ServiceSupervisor.undo(in: context) }
}

/// The rules for the restarts and the end of a service in Swift.
public struct ServiceOptions: Sendable {
  /// The rules for restarting the service after it was ready; `nil` for no restart.
  ///
  /// `onFailure` restarts a service that threw an error. `always` also restarts a service that returned.
  public var restart: RestartPolicy?

  /// The time from the request to shut down until the service's task is cancelled.
  ///
  /// The task of a service that is not ready is cancelled at once: it has nothing to shut down.
  ///
  /// A task that does not end within 2 s of its cancellation is abandoned: it still runs, and the service cannot be
  /// restarted before it has ended.
  public var shutdownGrace: Duration

  /// The effect on the other services if this one ends after it was ready and is not restarted.
  ///
  /// `success` is for a service that returned, and `failure` for one that threw an error. `.ignore` is for both.
  public var onExit: ServiceExitRule

  /// Creates the rules of a service.
  ///
  /// - Parameters:
  ///   - restart: The rules for restarting the service after it was ready; `nil` for no restart.
  ///   - shutdownGrace: The time from the request to shut down until the service's task is cancelled.
  ///   - onExit: The effect on the other services if this one ends and is not restarted.
  public init(
    restart: RestartPolicy? = nil, shutdownGrace: Duration = .seconds(10), onExit: ServiceExitRule = .fail
  ) {
    (self.restart, self.shutdownGrace, self.onExit) = (restart, shutdownGrace, onExit)
  }
}

/// A command that starts a service.
package protocol ServiceMaker: OperationCommand, ServiceStarter {
  /// The effect on the other services of an end without a restart.
  var exitEffect: ServiceExitPolicy { get }

  /// Returns the service of a step. It has not started.
  ///
  /// - Throws: An error of a placeholder, or of the user.
  func service(in context: LaunchContext, with supervisor: ServiceSupervisor) throws -> Service
}

extension ServiceMaker {
  package func start(in context: LaunchContext) throws -> any PolledOperation {
    guard let supervisor = context.services as? ServiceSupervisor else { throw ServiceError.noHost }
    return try ServiceStart.start(service(in: context, with: supervisor), with: supervisor)
  }
}

/// A service in Swift as a command that the engine's poller drives.
struct ServiceLaunch: ServiceMaker {
  static let onlyWaits = true
  static let runsTask = true
  let command: any ServiceCommand

  init(_ command: any ServiceCommand) { self.command = command }

  var startsProcesses: Bool { false }
  private var options: ServiceOptions { command.serviceOptions }
  var grace: Int64? { options.shutdownGrace.nanoseconds }
  var exitEffect: ServiceExitPolicy { options.onExit.failure }

  var stepLimits: [StepLimit] {
    StepLimit.ofService(grace: options.shutdownGrace, onExit: options.onExit, restart: options.restart)
  }

  func execute(in context: LaunchContext) async throws { try await command.execute(in: context) }

  func service(in context: LaunchContext, with supervisor: ServiceSupervisor) throws -> Service {
    let (options, grace) = (options, supervisor.cancellationGrace)
    return Service(
      id: context.stepID, restart: options.restart ?? RestartPolicy(), grace: options.shutdownGrace,
      stopSignal: nil, onExit: options.onExit, startLimit: context.timeout,
      context: context
    ) { [command, start = context.session.taskStart()] in
      try ServiceTask(command, in: context, grace: grace, start: start)
    }
  }
}

extension StepLimit {
  /// Returns the limits of a service, in the words of the parameters of `RunService`.
  package static func ofService(
    grace: Duration, onExit: ServiceExitRule, restart: RestartPolicy?
  ) -> [StepLimit] {
    let restart = restart ?? RestartPolicy()
    var limits = [
      StepLimit("stop.grace", .duration(grace.nanoseconds)),
      StepLimit("onExit", .word(onExit.failure.rawValue)),
      StepLimit("restart.when", .word(restart.condition.rawValue)),
    ]
    if let success = onExit.success { limits.append(StepLimit("onExit.success", .word(success.rawValue))) }
    limits += (restart.with ?? []).map { StepLimit("restart.with", .word($0)) }
    guard restart.condition != .never else { return limits }
    limits += [
      StepLimit("restart.attempts", .count(restart.attempts)),
      StepLimit("restart.backoff", .duration(restart.backoff.nanoseconds)),
      StepLimit("restart.maxBackoff", .duration(restart.maxBackoff.nanoseconds)),
      StepLimit("restart.resetAfter", .duration(restart.resetAfter.nanoseconds)),
    ]
    return limits
  }
}

extension LaunchPlan {
  /// The indices of the steps that start services.
  package var services: [Int] {
    commands.indices.filter { onExit(ofService: $0) != nil && self[$0].skip == nil }
  }

  /// Sets the object that runs the services. Steps of this launch and of its event handlers start them.
  package mutating func keepServices(with host: any ServiceHost) {
    environment.host.services = host
    for event in events.keys { events[event]?.keepServices(with: host) }
  }

  /// For the id of each service, the ids of the services that come after it. They stop before it. The services of event
  /// handlers come after those of the launch.
  package var serviceDependents: [String: Set<String>] {
    let services = services
    var dependents = services.reduce(into: [String: Set<String>]()) { dependents, service in
      let isLater = outline.graph.followers(of: [service])
      dependents[outline[service].id] = Set(services.filter { isLater[$0] }.map { outline[$0].id })
    }
    let ofLaunch = Set(dependents.keys)
    for (service, later) in events.values.flatMap(\.serviceDependents) {
      dependents[service, default: []].formUnion(later.subtracting(ofLaunch))
      if ofLaunch.contains(service) { continue }
      for id in ofLaunch { dependents[id]?.insert(service) }
    }
    return dependents
  }

  /// For the id of each service, the ids of the services before it with no service in between.
  package var serviceNeeds: [String: [String]] {
    let services = services
    let isService = Set(services)
    return services.reduce(into: [:]) { needs, service in
      var isSeen = Set<Int>()
      var rest = Array(outline.predecessors(of: service))
      while let step = rest.popLast() {
        guard isSeen.insert(step).inserted, !isService.contains(step) else { continue }
        rest += outline.predecessors(of: step)
      }
      needs[outline[service].id] = isService.intersection(isSeen).sorted().map { outline[$0].id }
    }
  }

  /// Returns the command of a step that starts a service; `nil` for another step.
  package func serviceMaker(_ step: Int) -> (any ServiceMaker)? {
    outline[step].placement.takesNoSlot ? polledCommand(step) as? any ServiceMaker : nil
  }

  /// Returns the effect of the end of a step's service on the others; `nil` if the step starts no service.
  package func onExit(ofService step: Int) -> ServiceExitPolicy? {
    serviceMaker(step)?.exitEffect
  }
}
