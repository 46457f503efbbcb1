package import AppBoot

/// A command that starts a service. The service keeps running after the command's step has ended.
package protocol ServiceStarter: PolledCommand {
  /// Makes an object that keeps the services of a plan and of its event handlers.
  ///
  /// - Parameters:
  ///   - plan: The plan, whose steps then start their services with this object.
  ///   - configuration: The options of the launch: observers, the grace of a cancelled task, and the sink.
  ///   - didChange: A function that is called after each change of a service. If the change ends the app, its second
  ///     argument says why. It is called on the thread of the services, and must not wait for them.
  /// - Throws: An error if the system has no descriptor left.
  static func keepServices(
    of plan: inout StartupPlan, _ configuration: StartupRunner.Configuration,
    didChange: @escaping @Sendable (any ServiceKeeping, EndedService?) -> Void
  ) throws -> any ServiceKeeping
}

extension ServiceStarter {
  /// True, because it starts a service.
  package var startsService: Bool { true }
}

/// An object that keeps the services of a launch: it restarts them as they declare, and stops them at the end.
package protocol ServiceKeeping: AnyObject, Sendable {
  /// Starts the time of the launch. Call it before the launch's first step.
  func beginLaunch()

  /// Adds the events of services during the launch to its record. Later ones are added to the sink.
  func completeLaunch(_ record: inout StartupRecord)

  /// Stops all services, and blocks the calling thread until they have ended. A service stops after those that come
  /// after it.
  func stop()

  /// Begins to stop all services, as ``stop()`` does, without waiting.
  func beginToStop()
}

/// A service whose end ends the app.
package struct EndedService: Sendable {
  /// The id of the service's step.
  package let id: String
  /// The words for its end, for example "returned".
  package let end: String
  /// True if the app has failed; false if it has finished.
  package let isFailure: Bool

  package init(id: String, end: String, isFailure: Bool) {
    (self.id, self.end, self.isFailure) = (id, end, isFailure)
  }
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
