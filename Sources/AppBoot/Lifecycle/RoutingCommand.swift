/// A command that knows where requests lead: its table is that of the app's coordinators as well.
public protocol RoutingCommand: Command {
  /// The screen that the launch of this context leads to; `nil` where no route does.
  func route(in context: LaunchContext) throws -> Screen?
}

extension StartupPlan {
  /// The routes of the first ``RoutingCommand`` of the launch, or else of a list; looked for when a request comes.
  func routes(_ values: ContextValues) -> ScreenCoordinator.Routes {
    { request in
      let lists = events.sorted { $0.key < $1.key }.map(\.value)
      for plan in [self] + lists {
        for (step, command) in plan.commands.enumerated() {
          guard let command = command as? any RoutingCommand else { continue }
          let plan = plan.adapted(to: request, on: nil, values)
          let recorder = LaunchRecorder(plan: plan, observers: [], keepsExecutions: false)
          return try command.route(
            in: LaunchSession(plan: plan, recorder: recorder).context(step: step, attempt: 1))
        }
      }
      return nil
    }
  }
}
