package import AppBootSystem

/// The environment of a launch: the window, the state, the variables, the app's libraries.
package struct LaunchEnvironment: Sendable {
  package var window: (any AppWindow)?
  package var state: any StateStore = MemoryStateStore()
  package var variables: [String: String]?
  /// The variables of the manifest's files that ``variables``, or else the process, does not have.
  package var fileVariables: [String: String] = [:]
  /// The same for the files of a step, by its index.
  package var stepVariables: [Int: [String: String]] = [:]
  /// The ids of the plan's steps whose standard output is inserted by other steps of the plan or by event handlers.
  package var insertedOutputs: [String] = []
  /// True for the handlers of an event. The outputs of their steps exist only while they run.
  package var handlesEvent = false
  package var thirdParties: [String: ThirdPartyInitializer] = [:]
  /// The app's own events that belong to scenes.
  package var sceneEvents: [DeclaredEvent] = []
  package var directory = "."
  package var isFirstLaunch = true
  /// The facts about recorded launches; `nil` if no condition needs them, or if they could not be read.
  package var recordedLaunches: RecordedLaunches?
  /// The sizes of the logs, from the manifest.
  package var logLimits = RotatingFile.Limits()
  /// The rules that say which variables are secret, from the manifest.
  package var secretRules = SecretRules()
  /// The secrets that are known so far; copies of the environment share them.
  package let secrets = Secrets()
  /// The logs of the steps' output; `nil` to keep none.
  package var logs: OutputLogs?
  /// Keeps the services that steps start; `nil` if nothing does.
  package var services: (any ServiceHost)?
  /// Takes over the open output of processes that steps leave running; `nil` to close it.
  package var drain: OutputDrain?
  /// Returns true if the reader of the launch's output is behind.
  package var isReaderBehind: @Sendable () -> Bool = { false }
  /// The values that earlier runs provided; `nil` for a run that begins without any.
  package var values: ContextValues?

  /// Returns the value of an environment variable: a given one, or else that of the process, or else that of a file.
  package func variable(_ name: String, ofStep step: Int? = nil) -> String? {
    given(name) ?? step.flatMap { stepVariables[$0]?[name] } ?? fileVariables[name]
  }

  /// Returns the variables of files that are neither given nor those of the process: these replace a file's.
  func unset(in variables: [String: String]) -> [String: String] {
    variables.isEmpty ? variables : variables.filter { given($0.key) == nil }
  }

  /// Returns the value from ``variables``, or from the process if ``variables`` is `nil`.
  private func given(_ name: String) -> String? {
    if let variables { return variables[name] }
    return ProcessEnvironment.value(of: name)
  }
}

extension LaunchEnvironment {
  /// Adds the values of secret variables of this environment to the secrets.
  func learnSecrets() {
    guard !secretRules.isEmpty else { return }
    for name in secretRules.names { learnSecret(of: name) }
    guard !secretRules.patterns.isEmpty else { return }
    learnSecrets(in: variables ?? ProcessEnvironment.all())
  }

  /// Adds the value of a variable to the secrets, if it is set.
  func learnSecret(of name: String, ofStep step: Int? = nil) {
    if let value = variable(name, ofStep: step) { secrets.add(value) }
  }

  /// Adds the values of secret variables to the secrets: of a step's `environment`, or of a file with variables.
  func learnSecrets(in variables: [String: String]) {
    guard !secretRules.isEmpty else { return }
    for (name, value) in variables where secretRules.match(name) { secrets.add(value) }
  }

  /// The names in `secrets` whose values are too short to be hidden.
  package var shortSecrets: [String] {
    secretRules.names.filter { variable($0).map(Secrets.isTooShort) ?? false }
  }
}

/// The object that runs a launch's services: it restarts them and stops them in the end.
package protocol ServiceHost: AnyObject, Sendable {}
