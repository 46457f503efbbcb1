import AppBootSystem

/// The environment of a launch: the window, the state, the variables, the app's libraries.
package struct LaunchEnvironment: Sendable {
  package var window: (any AppWindow)?
  package var state: any StateStore = MemoryStateStore()
  package var variables: [String: String]?
  package var thirdParties: [String: ThirdPartyInitializer] = [:]
  /// The app's own events that belong to scenes.
  package var sceneEvents: [DeclaredEvent] = []
  package var directory = "."
  package var isFirstLaunch = true
  /// The values that earlier runs provided; `nil` for a run that begins without any.
  package var values: ContextValues?

  /// Returns the value of an environment variable: a given one, or else that of the process.
  package func variable(_ name: String) -> String? {
    if let variables { return variables[name] }
    return ProcessEnvironment.value(of: name)
  }
}
