import AppBootSystem

/// What a launch runs with beside its commands: the window, the state, the variables, the app's libraries.
struct LaunchEnvironment: Sendable {
  var window: (any AppWindow)?
  var state: any StateStore = MemoryStateStore()
  var variables: [String: String]?
  var thirdParties: [String: ThirdPartyInitializer] = [:]
  /// The app's own events that belong to scenes.
  var sceneEvents: [DeclaredEvent] = []
  var directory = "."
  var isFirstLaunch = true
  /// The values that earlier runs provided; `nil` for a run that begins without any.
  var values: ContextValues?

  /// The value of an environment variable: of the ones given, or else of the process.
  func variable(_ name: String) -> String? {
    if let variables { return variables[name] }
    return ProcessEnvironment.value(of: name)
  }
}
