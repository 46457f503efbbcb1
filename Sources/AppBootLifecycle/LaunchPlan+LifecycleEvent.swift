public import AppBoot

extension LaunchPlan {
  /// Returns the plan for an event: this plan for the launch, and the plan of the manifest's `on` handlers for other
  /// events.
  ///
  /// Returns `nil` if the manifest has no handlers for the event. The commands find the event's reason, URL and payload
  /// in their launch options, and show screens on the given window. Their `when` conditions are evaluated for the
  /// event.
  package func plan(for event: LifecycleEvent, on window: (any AppWindow)? = nil) -> LaunchPlan? {
    plan(for: event, on: window, values: environment.values)
  }

  func plan(for event: LifecycleEvent, on window: (any AppWindow)?, values: ContextValues?) -> LaunchPlan? {
    let plan = if case .didFinishLaunching = event { self } else { handlers(of: event, values) }
    return plan?.adapted(to: event.launchOptions, on: window, values).inheriting(outline.safeMode)
  }

  /// Returns the plan of an event's handlers, which find the event among the values.
  private func handlers(of event: LifecycleEvent, _ values: ContextValues?) -> LaunchPlan? {
    guard var plan = events[event.name] else { return nil }
    let name = ContextKey<LifecycleEvent>.lifecycleEvent.name
    // Values that earlier handlers share have priority over those of the plan.
    values?.provide(event, as: name)
    plan.environment.provided[name] = event
    plan.environment.fixedVariables.merge(event.service?.variables ?? [:]) { $1 }
    return plan
  }
}

extension LaunchPlan {
  /// Returns the plan with a safe mode, unless the plan already has one. Commands can read it, but it skips no steps.
  package func inheriting(_ safeMode: SafeMode?) -> LaunchPlan {
    var plan = self
    plan.outline.safeMode = plan.outline.safeMode ?? safeMode
    return plan
  }

  /// Returns the plan with these options and context values. A window that is not `nil` replaces the plan's window.
  ///
  /// The conditions of the steps are evaluated again.
  package func adapted(
    to options: LaunchOptions, on window: (any AnyObject & Sendable)?, _ values: ContextValues?
  ) -> LaunchPlan {
    var plan = self
    plan.environment.window = window ?? environment.window
    plan.environment.values = values
    let facts = LaunchCondition.Facts(options: options, environment: plan.environment)
    plan.outline.options = options
    for index in plan.indices where plan.outline.steps[index].attributes.condition != nil {
      plan.outline.steps[index].applyCondition(facts)
    }
    return plan
  }
}

extension LaunchPlan {
  /// True if a step of this launch or of an event handler can run as a task, also if it is skipped now.
  var mayRunTasks: Bool { indices.contains(where: runsTask) || events.values.contains(where: \.mayRunTasks) }
}

extension ContextKey<LifecycleEvent> {
  /// The event whose handlers run, with all of its data.
  ///
  /// The launch options of the context have only the event's reason, URL and payload.
  public static var lifecycleEvent: Self { Self("lifecycleEvent") }
}

extension ContextKey<LaunchPhase> {
  /// The phase of the app before the event whose handlers run. ``LifecycleHost/state`` has the phase after it.
  public static var previousPhase: Self { Self("previousPhase") }
}

/// A command that maps requests, for example a URL to open, to screens. Screen coordinators use its routes too.
package protocol RoutingCommand: Command {
  /// Returns the screen for the request in the context's launch options; `nil` if no route matches the request.
  func route(in context: LaunchContext) throws -> AppScreen?
}

extension LaunchPlan {
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
    of plan: inout LaunchPlan, _ configuration: LifecycleHost.Configuration, _ session: AppSession
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
  /// True if all services must end, because the end of one ends the app.
  var isEnding: Bool { get }

  /// Marks the app as ending. Its services continue to run.
  func expectEnds()

  /// Begins to stop all services, each after those that come after it. A second call has no effect.
  func beginToStop()

  /// Calls a function when all services have ended: at once if they do not stop.
  func whenStopped(_ body: @escaping @Sendable () -> Void)
}

extension LaunchPlan {
  /// The type of a command that starts a service in the launch or in its event handlers; `nil` if there is none.
  package var serviceStarter: (any ServiceStarter.Type)? {
    for plan in [self] + Array(events.values) {
      for step in plan.outline.indices where plan.outline[step].placement.takesNoSlot {
        if let starter = plan.polledCommand(step) as? any ServiceStarter { return type(of: starter) }
      }
    }
    return nil
  }
}

extension LaunchContext {
  /// The window that the app has set; `nil` if there is none.
  public var window: (any AppWindow)? { windowObject as? any AppWindow }
}

extension StartupCommandsBuilder {
  /// Returns the builder with the window on which screens are shown; `nil` for none.
  public func window(_ window: (any AppWindow)?) -> Self {
    with { $0.environment.window = window }
  }
}

extension LaunchPlan {
  /// Returns the plan with the window on which screens are shown, in the launch and in event handlers; `nil` for none.
  public func window(_ window: (any AppWindow)?) -> Self {
    var plan = self
    plan.environment.window = window
    plan.events = events.mapValues { $0.window(window) }
    return plan
  }
}

extension ContextKey<WindowAppearance> {
  /// The theme and the accent colour that `Appearance` provides.
  public static var appearance: Self { Self("appearance") }
}

extension ContextKey<AppScreen> {
  /// The screen that `InitialScreen` provides.
  public static var screen: Self { Self("screen") }
}

extension AppTheme: ParameterValue {}

extension AppColor: ParameterValue {
  /// A string in the form `#RRGGBB`.
  public static var parameterType: ParameterType<AppColor> {
    let schema = ParameterSchema.pattern("^#[0-9A-Fa-f]{6}$", describedAs: "a colour such as \"#0A84FF\"")
    return ParameterType(
      schema, placeholder: AppColor(red: 0, green: 0, blue: 0), json: { $0.description.asJSON }
    ) { json, reader in
      guard let text = reader.text(json) else { return nil }
      return AppColor(text)
        ?? reader.reject(
          "\"\(text)\" is not a colour: write # and six hexadecimal digits, as in \"#0A84FF\"", json)
    }
  }
}
