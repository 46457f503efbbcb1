package import AppBoot

/// A command that maps requests, for example a URL to open, to screens. Screen coordinators use its routes too.
package protocol RoutingCommand: Command {
  /// Returns the screen for the request in the context's launch options; `nil` if no route matches the request.
  func route(in context: LaunchContext) throws -> AppScreen?
}

extension StartupPlan {
  /// Returns a function that asks each ``RoutingCommand`` of the plan for the screen of a request.
  ///
  /// The function asks the commands of the launch first, then those of the event handlers. For a scene, it asks the
  /// commands of `sceneWillConnect` before all others. It returns the first screen found, and throws the first error.
  func routes(ofScene: Bool, _ values: ContextValues) -> ScreenCoordinator.Routes {
    { request in
      var handlers = events
      let own =
        ofScene ? handlers.removeValue(forKey: EventName.sceneWillConnect.name).map { [$0] } ?? [] : []
      let others = handlers.sorted { $0.key < $1.key }.map(\.value)
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
