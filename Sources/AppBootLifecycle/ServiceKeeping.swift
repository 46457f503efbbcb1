package import AppBoot

/// A command that starts a service. The service keeps running after the command's step has ended.
package protocol ServiceStarter: PolledCommand {
  /// Makes an object that keeps the services of a plan and of its event handlers.
  ///
  /// - Parameters:
  ///   - plan: The plan, whose steps then start their services with this object.
  ///   - configuration: The options of the host.
  ///   - session: The session, whose record gets the ends of services.
  /// - Returns: `nil` if the system has no descriptor left. The store of the host then has the error.
  static func keepServices(
    of plan: inout StartupPlan, _ configuration: LifecycleHost.Configuration, _ session: AppSession
  ) -> (any ServiceKeeping)?
}

extension ServiceStarter {
  /// True, because it starts a service.
  package var startsService: Bool { true }
}

/// An object that keeps the services of a launch: it restarts them as they declare, and stops them at the end.
///
/// If the end of a service ends the app, it cancels the launch or, after that, stops the other services.
package protocol ServiceKeeping: AnyObject, Sendable {
  /// True if all services must end.
  var isEnding: Bool { get }

  /// Begins to stop all services, each after those that come after it. A second call has no effect.
  func beginToStop()

  /// Calls a function when all services have ended: at once if they do not stop.
  func whenStopped(_ body: @escaping @Sendable () -> Void)
}

extension StartupPlan {
  /// The type of a command that starts a service in the launch or in its event handlers; `nil` if there is none.
  package var serviceStarter: (any ServiceStarter.Type)? {
    for plan in [self] + Array(events.values) {
      for step in plan.outline.indices where plan.outline[step].takesNoSlot {
        if let starter = plan.polledCommand(step) as? any ServiceStarter { return type(of: starter) }
      }
    }
    return nil
  }
}
