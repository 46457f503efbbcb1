public import AppBoot

/// A command that knows where requests lead: its table is that of the app's coordinators as well.
public protocol RoutingCommand: Command {
  /// The screen that the launch of this context leads to; `nil` where no route does.
  func route(in context: LaunchContext) throws -> AppScreen?
}

extension StartupPlan {
  /// The routes of the ``RoutingCommand``s of the launch and then of the lists, those of a scene with its own list first:
  /// the first that leads somewhere counts, of the commands that would run. They are asked when a request comes, and one that
  /// throws ends the search.
  func routes(ofScene: Bool, _ values: ContextValues) -> ScreenCoordinator.Routes {
    { request in
      var lists = events
      let own =
        ofScene ? lists.removeValue(forKey: LifecycleEventName.sceneWillConnect).map { [$0] } ?? [] : []
      let others = lists.sorted { $0.key < $1.key }.map(\.value)
      for plan in own + [self] + others where plan.commands.contains(where: { $0 is any RoutingCommand }) {
        if let screen = try plan.adapted(to: request, on: nil, values).route() { return screen }
      }
      return nil
    }
  }

  private func route() throws -> AppScreen? {
    let context = detachedContexts()
    for (step, command) in commands.enumerated() where outline[step].skip == nil {
      if let screen = try (command as? any RoutingCommand)?.route(in: context(step)) { return screen }
    }
    return nil
  }
}
