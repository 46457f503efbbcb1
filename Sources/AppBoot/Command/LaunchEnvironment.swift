package import AppBootBase

/// The environment of a launch: the window, the state, the variables and the libraries of the app.
package struct LaunchEnvironment: Sendable {
  /// The app's window, an `AppWindow` of `AppBootLifecycle`; `nil` if there is none.
  package var window: (any AnyObject & Sendable)?
  package var state: any StateStore = MemoryStateStore()
  package var variables: [String: String]?
  /// The variables of the manifest's environment files.
  ///
  /// They do not include those that ``variables`` has or, if that is `nil`, the process has.
  package var fileVariables: [String: String] = [:]
  /// The paths of environment files that may be missing, and are.
  package var missingFiles: [String] = []
  /// The variables of the environment files of single steps, by the index of the step. The same variables are left out.
  package var stepVariables: [Int: [String: String]] = [:]
  /// The parameters of single steps that insert environment variables, by the index of the step.
  package var parameters: [Int: VariableParameters] = [:]
  /// The ids of the plan's steps whose standard output is inserted by other steps of the plan or by event handlers.
  package var insertedOutputs: [String] = []
  /// True for the handlers of an event. The outputs of their steps are available only while they run.
  package var handlesEvent = false
  package var thirdParties: [String: ThirdPartyInitializer] = [:]
  /// The events of the app that belong to scenes.
  package var sceneEvents: [EventName] = []
  package var directory = "."
  package var isFirstLaunch = true
  /// The maximum sizes of the logs, from the manifest.
  package var logLimits = LogLimits()
  /// The limits of the history of launches, from the manifest.
  package var historyLimits = HistoryLimits()
  /// The manifest's rules that decide which variables are secret.
  package var secretRules = SecretRules()
  /// The secrets that are known so far. Copies of the environment share them.
  package let secrets = Secrets()
  /// The logs of the steps' output; `nil` to write no logs.
  package var logs: (any StepLogs)?
  /// The function that starts the programs of `unless`; `nil` if no step has one.
  package var startNeedCheck: NeedCheckStart?
  /// The host that runs the services which steps start; `nil` if there is none.
  ///
  /// It is weak, because the app owns the host, whose services keep this environment with the context of their launch.
  package weak var services: (any ServiceHost)?
  /// A function that handles an event which a command emits after its run has ended; `nil` if there is no host.
  ///
  /// It receives the event's name and payload, and returns false if the host has ended.
  package var receiveLate: (@Sendable (_ event: String, _ payload: String?) -> Bool)?
  /// The function that takes over the open output of processes that steps leave running; `nil` to close the output.
  package var drain: OutputDrain?
  /// A function that returns whether the reader of the launch's output is behind, so that a process must wait for it.
  ///
  /// It receives true for a service that is ready, whose lines are shown without -v.
  package var isReaderBehind: @Sendable (_ isShown: Bool) -> Bool = { _ in false }
  /// The source of virtual time; `nil` for real time.
  package var clock: (any LaunchClockSource)?
  /// The context values that code provides before the launch, by name.
  package var provided: [String: any Sendable] = [:]
  /// The context values that earlier runs provided; `nil` if there are none.
  package var values: ContextValues?

  package init() {}

  /// Returns the value of an environment variable; `nil` if it is not set.
  ///
  /// A value of ``variables`` or the process has priority over a value of the step's files, and that over one of the
  /// manifest's files.
  package func variable(_ name: String, ofStep step: Int? = nil) -> String? {
    given(name) ?? step.flatMap { stepVariables[$0]?[name] } ?? fileVariables[name]
  }

  /// Returns the names of the environment variables that are set, sorted.
  package func variableNames(ofStep step: Int) -> [String] {
    let given = variables ?? ProcessEnvironment.all()
    return Set(given.keys).union(fileVariables.keys).union(stepVariables[step]?.keys ?? [:].keys).sorted()
  }

  /// Returns those variables of files that would have an effect.
  ///
  /// They are those that ``variables`` does not have or, if that is `nil`, the process does not have.
  func unset(in variables: [String: String]) -> [String: String] {
    variables.isEmpty ? variables : variables.filter { given($0.key) == nil }
  }

  /// Returns the value that ``variables`` has, or the process if ``variables`` is `nil`.
  private func given(_ name: String) -> String? {
    if let variables { return variables[name] }
    return ProcessEnvironment.value(of: name)
  }
}

extension LaunchEnvironment {
  /// Adds the values of this environment's secret variables to the secrets.
  func learnSecrets() {
    for name in secretRules.names { learnSecret(of: name) }
    guard !secretRules.patterns.isEmpty else { return }
    learnSecrets(in: variables ?? ProcessEnvironment.all())
  }

  /// Adds the value of a variable to the secrets if the variable is set.
  func learnSecret(of name: String, ofStep step: Int? = nil) {
    if let value = variable(name, ofStep: step) { secrets.add(value) }
  }

  /// Adds the values of those variables that are secret to the secrets.
  package func learnSecrets(in variables: [String: String]) {
    for (name, value) in variables where secretRules.match(name) { secrets.add(value) }
  }

  /// The names in the manifest's `secrets` whose values are too short to be hidden.
  package var shortSecrets: [String] {
    secretRules.names.filter { variable($0).map(Secrets.isTooShort) ?? false }
  }
}

/// An object that runs the services of a launch. It restarts them, and stops them at the end.
package protocol ServiceHost: AnyObject, Sendable {}
