package import AppBootSystem

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
  /// The facts about recorded launches; `nil` if no condition needs them, or if they could not be read.
  package var recordedLaunches: RecordedLaunches?
  /// The sizes of the logs, from the manifest.
  package var logLimits = RotatingFile.Limits()
  /// The logs of the steps' output; `nil` to keep none.
  package var logs: OutputLogs?
  /// Keeps the services that steps start; `nil` if nothing does.
  package var services: (any ServiceHost)?
  /// Takes over the open output of processes that steps leave running; `nil` to close it.
  package var drain: OutputDrain?
  /// The values that earlier runs provided; `nil` for a run that begins without any.
  package var values: ContextValues?

  /// Returns the value of an environment variable from ``variables``, or from the process if ``variables`` is `nil`.
  package func variable(_ name: String) -> String? {
    if let variables { return variables[name] }
    return ProcessEnvironment.value(of: name)
  }
}

/// The object that runs a launch's services: it restarts them and stops them in the end.
package protocol ServiceHost: AnyObject, Sendable {}
