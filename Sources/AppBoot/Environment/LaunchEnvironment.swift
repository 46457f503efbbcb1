package import AppBootBase

/// The environment of a launch: the window, the state, the variables and the libraries of the app.
package struct LaunchEnvironment: Sendable {
  /// The app's window, an `AppWindow` of `AppBootLifecycle`; `nil` if there is none.
  package var window: (any AnyObject & Sendable)?
  /// The state store that the app has set; `nil` for one in memory.
  package var givenState: (any StateStore)?
  private let memory = MemoryStateStore()
  package var variables: [String: String]?
  /// The variables of the manifest's environment files.
  ///
  /// They do not include those that ``variables`` has or, if that is `nil`, the process has.
  package var fileVariables: [String: String] = [:]
  /// The paths of environment files that may be missing, and are.
  package var missingFiles: [String] = []
  /// The variables of the environment files of single steps, by the index of the step. The same variables are left out.
  package var stepVariables: [Int: [String: String]] = [:]
  /// The variables that the manifest sets; `nil` for one that it removes.
  var setVariables: [String: String?] = [:]
  /// The variables that entries set; `nil` for one that they remove. By the index of the step.
  var setStepVariables: [Int: [String: String?]] = [:]
  /// The variables that the command line sets.
  package var fixedVariables: [String: String] = [:]
  /// The ids of the plan's steps whose standard output is inserted by other steps of the plan or by event handlers.
  package var insertedOutputs: [String] = []
  /// True for the handlers of an event. The outputs of their steps are available only while they run.
  package var handlesEvent = false
  package var thirdParties: [String: ThirdPartyInitializer] = [:]
  /// The events of the app that belong to scenes.
  package var sceneEvents: [EventName] = []
  package var directory = "."
  package var isFirstLaunch = true
  /// The reason why it is unknown whether the launch is the first one; `nil` if it is known.
  package var firstLaunchProblem: String?
  /// The maximum sizes of the logs, from the manifest.
  package var logLimits = LogLimits()
  /// The limits of the history of launches, from the manifest.
  package var historyLimits = HistoryLimits()
  /// The manifest's rules that decide which variables are secret.
  package var secretRules = SecretRules()
  /// The secrets that are known so far. Copies of the environment share them.
  package let secrets = Secrets()
  /// The parts that the host of the launch provides.
  package var host = LaunchHost()
  /// The context values that code provides before the launch, by name.
  package var provided: [String: any Sendable] = [:]
  /// The context values that earlier runs provided; `nil` if there are none.
  package var values: ContextValues?

  package init() {}

  /// The state store.
  package var state: any StateStore {
    get { givenState ?? memory }
    set { givenState = newValue }
  }

  /// Returns the value of an environment variable; `nil` if it is not set.
  ///
  /// The first of these that has the variable counts: ``changes(ofStep:)``, ``variables`` or the process, the step's
  /// files, the manifest's files.
  package func variable(_ name: String, ofStep step: Int? = nil) -> String? {
    if let change = changes(ofStep: step)[name] { return change }
    return given(name) ?? step.flatMap { stepVariables[$0]?[name] } ?? fileVariables[name]
  }

  /// Returns the variables that the command line, the step's entry or the manifest sets; `nil` for removed ones.
  package func changes(ofStep step: Int?) -> [String: String?] {
    var changes = setVariables
    if let own = step.flatMap({ setStepVariables[$0] }) { changes.merge(own) { $1 } }
    for (name, value) in fixedVariables { changes[name] = .some(value) }
    return changes
  }

  /// Returns the names of the environment variables that are set, sorted.
  package func variableNames(ofStep step: Int) -> [String] {
    let given = variables ?? ProcessEnvironment.all()
    let changes = changes(ofStep: step)
    let others = Set(given.keys).union(fileVariables.keys).union(stepVariables[step]?.keys ?? [:].keys)
    return others.union(changes.keys).filter { changes[$0] != .some(nil) }.sorted()
  }

  /// Returns this environment with the variables and the secrets of another one.
  func withVariables(of other: LaunchEnvironment) -> LaunchEnvironment {
    var result = self
    (result.variables, result.fixedVariables) = (other.variables, other.fixedVariables)
    (result.fileVariables, result.missingFiles) = (other.fileVariables, other.missingFiles)
    (result.stepVariables, result.setVariables) = (other.stepVariables, other.setVariables)
    (result.setStepVariables, result.secretRules) = (other.setStepVariables, other.secretRules)
    for secret in other.secrets.values { result.secrets.add(secret) }
    return result
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
    // A value that the manifest replaces is a secret, too.
    for case let value? in [variable(name, ofStep: step), given(name)] { secrets.add(value) }
  }

  /// Adds the value of a placeholder's variable, and its default, to the secrets.
  func learnSecret(of placeholder: VariablePlaceholder, ofStep step: Int? = nil) {
    learnSecret(of: placeholder.name, ofStep: step)
    if let fallback = placeholder.fallback { secrets.add(fallback) }
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

/// The parts that the host of a launch provides: the tool, a host of an app's events, or a test.
package struct LaunchHost: Sendable {
  /// The logs of the steps' output; `nil` to write no logs.
  package var logs: (any StepLogs)?
  /// The host that runs the services which steps start; `nil` if there is none.
  ///
  /// It is weak, because the app owns the host, whose services keep this environment with the context of their launch.
  package weak var services: (any ServiceHost)?
  /// A function that handles an event which a command emits after its run has ended; `nil` if there is no host.
  ///
  /// It receives the event's name and payload, and returns false if the host has ended.
  package var receiveLate: (@Sendable (_ event: String, _ payload: String?) -> Bool)?
  /// A function that returns the declared providers of a context value in the launch; none for the launch itself.
  package var launchProviders: @Sendable (_ value: String) -> [ContextValueError.Provider] = { _ in [] }
  /// The function that takes over the open output of processes that steps leave running; `nil` to close the output.
  package var drain: OutputDrain?
  /// A function that returns whether the reader of the launch's output is behind, so that a process must wait for it.
  ///
  /// It receives true for a service that is ready, whose lines are shown without -v.
  package var isReaderBehind: @Sendable (_ isShown: Bool) -> Bool = { _ in false }
  /// The source of virtual time; `nil` for real time.
  package var clock: (any LaunchClockSource)?
}

/// An object that runs the services of a launch. It restarts them, and stops them at the end.
package protocol ServiceHost: AnyObject, Sendable {}

/// A store of small values with names. Later launches can read them.
public protocol StateStore: AnyObject, Sendable {
  /// Returns the bytes that are stored under a name; `nil` if there are none.
  ///
  /// - Throws: An error if the bytes exist but cannot be read.
  func read(_ name: String) throws -> [UInt8]?

  /// Stores bytes under a name. After an error, the previous bytes remain.
  ///
  /// - Throws: An error if the bytes cannot be stored.
  func write(_ name: String, _ bytes: [UInt8]) throws

  /// Replaces the bytes that are stored under a name. The change is atomic, so no change by another launch is lost.
  ///
  /// - Parameter change: A function that returns the new bytes. Its argument is the stored bytes; `nil` if there are
  ///   none. It must not use the store.
  /// - Throws: The error of `change`, or an error if the bytes cannot be read or stored.
  func update(_ name: String, _ change: (_ stored: [UInt8]?) throws -> [UInt8]) throws

  /// The location of the state, for messages.
  var place: String { get }
}

extension StateStore {
  /// Reads, changes and writes the bytes without a lock. It is for a store that only one launch at a time uses.
  public func update(_ name: String, _ change: (_ stored: [UInt8]?) throws -> [UInt8]) throws {
    try write(name, try change(try read(name)))
  }

  /// Returns the text that is stored under a name; `nil` if there is none, or if it is not UTF-8.
  ///
  /// - Throws: An error if the bytes exist but cannot be read.
  public func text(_ name: String) throws -> String? { try read(name).flatMap { String(validUTF8: $0) } }

  /// Stores a text under a name. After an error, the previous bytes remain.
  ///
  /// - Throws: An error if the text cannot be stored.
  public func write(_ name: String, text: String) throws { try write(name, Array(text.utf8)) }
}

/// A state store in memory, for tests and for `--no-state`. Its content is lost at the end of the process.
public final class MemoryStateStore: StateStore {
  private let values = Lock<[String: [UInt8]]>([:])

  /// Creates an empty store.
  public init() {}

  /// Returns the bytes that are stored under a name; `nil` if there are none.
  public func read(_ name: String) -> [UInt8]? { values.withLock { $0[name] } }

  /// Stores bytes under a name.
  public func write(_ name: String, _ bytes: [UInt8]) { values.withLock { $0[name] = bytes } }

  /// Replaces the bytes that are stored under a name.
  public func update(_ name: String, _ change: (_ stored: [UInt8]?) throws -> [UInt8]) throws {
    try values.withLock { $0[name] = try change($0[name]) }
  }

  /// The text `"memory"`.
  public var place: String { "memory" }
}

/// The logs of the steps' output, as the engine knows them.
package protocol StepLogs: AnyObject, Sendable {
  /// Waits until all output is written, and reports what is not in the logs.
  ///
  /// - Parameter most: The longest wait in nanoseconds; `nil` for no limit.
  func settle(within most: Int64?)
  /// Calls a function while all log files are closed, because it needs their descriptors.
  func withFilesClosed<Result>(_ body: () throws -> Result) rethrows -> Result
}

/// A function that takes over the output of a process that a step left running. It must close the descriptors.
package typealias OutputDrain = @Sendable (_ output: LeftOutput, _ step: String) -> Void

/// The open output of a process that a step left running.
package struct LeftOutput: Sendable {
  /// The read ends of the output pipes.
  package let descriptors: [Int32]
  /// The bytes of each pipe that were read but held back, because they may begin a secret.
  package let unfinished: [[UInt8]]
  /// The id of the launch.
  package let launch: String

  package init(descriptors: [Int32], unfinished: [[UInt8]], launch: String) {
    (self.descriptors, self.unfinished, self.launch) = (descriptors, unfinished, launch)
  }
}

/// A namespace for functions that name the state of a manifest. Several manifests can thus share a state directory.
///
/// State of `commands.json`, and of a launch without a file, has the name without a suffix.
package enum ManifestScope {
  /// Returns the name of a manifest's state, for example `launches` or `launches-ci.json`.
  package static func name(_ state: String, of manifest: String?) -> String {
    guard let file = key(of: manifest) else { return state }
    if isPlain(file), file.utf8.count <= 80 { return "\(state)-\(file)" }
    var hash = FNV1a()
    hash.add(file.utf8)
    return "\(state)-\(String(hash.value, radix: 16))"
  }

  /// Returns whether a name has only letters, digits, `-`, `.` and `_`, as a state store allows.
  package static func isPlain(_ name: String) -> Bool {
    name.utf8.allSatisfy { $0.isWord || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
  }

  /// Returns whether two manifests have the same state, because their files have the same name.
  package static func isSame(_ manifest: String?, _ other: String?) -> Bool {
    key(of: manifest) == key(of: other)
  }

  /// Returns the name of a manifest's file; `nil` for `commands.json`, and for a launch without a file.
  private static func key(of manifest: String?) -> String? {
    guard let manifest, manifest != SourceText.standardInput, manifest != "-" else { return nil }
    let file = FileSystem.lastComponent(manifest)
    return file == "commands.json" ? nil : file
  }
}

/// A function that starts a third-party library. It is registered under the library's name.
package typealias ThirdPartyInitializer = @Sendable (_ options: [String: String]) throws -> Void
