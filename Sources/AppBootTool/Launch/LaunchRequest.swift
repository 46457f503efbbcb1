import AppBoot
import AppBootAnalysis
import AppBootLifecycle
import AppBootRecords
import AppBootSystem

/// The request for a launch from the command line. Creating it reads no file.
struct LaunchRequest: Sendable {
  let manifest: String
  /// True if the launch is that of the tool's plan in code instead of a manifest.
  let usesPlan: Bool
  let only: [String]?
  /// The step ids of `--to`; `nil` without the option.
  let goals: [String]?
  /// True if ``goals`` are positional arguments.
  let hasStepArguments: Bool
  let skip: [String]
  let options: LaunchOptions
  /// The event of `--event`, whose handlers run instead of the launch; `nil` without the option.
  let event: EventRequest?
  let timeout: Duration?
  /// The number of jobs; one for a shuffled launch without `--jobs`.
  let jobs: Int?
  /// The seed of a random start order; `nil` without `--shuffle`.
  let seed: Int?
  /// The labels of the launch, sorted by name.
  let labels: [LaunchLabel]
  /// True if `--safe-mode` was given.
  let forcesSafeMode: Bool
  /// The variables of `--env` and `--env-file`.
  var fixedVariables: [String: String] = [:]
  /// The path of the state directory; `nil` if `--no-state` was given.
  let stateDirectory: String?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    try arguments.check(.state, excludes: .noState)
    try arguments.check(.quiet, excludes: .verbose)
    manifest = arguments.manifest()
    usesPlan = arguments.usesPlan
    try arguments.check(.only, excludes: .to)
    only = arguments[.only]
    goals = arguments[.to]
    hasStepArguments = arguments.hasSteps
    skip = arguments[.skip] ?? []
    event = try EventRequest(arguments)
    if event == nil { try Self.checkURL(arguments) }
    options = LaunchOptions(reason: arguments[.launch], url: arguments[.url])
    timeout = arguments[.timeout]
    seed = arguments.isSet(.shuffle) ? arguments[.shuffle] ?? .random(in: ValueKind.counts) : nil
    jobs = arguments[.jobs] ?? seed.map { _ in 1 }
    labels = try LabelArguments.labels(arguments, seed: seed)
    forcesSafeMode = arguments.isSet(.safeMode)
    stateDirectory =
      arguments.isSet(.noState) ? nil : Self.stateDirectory(arguments, manifest: manifest)
  }

  /// Checks the value of `--url`. With `--event`, the event checks it instead.
  private static func checkURL(_ arguments: ParsedArguments) throws(UsageError) {
    guard let url = arguments[.url] else { return }
    if let problem = URLText.problem(with: url) { throw .notAURL(url, problem: problem) }
    if arguments[.launch] == .normal { throw .conflict("--url", "--launch normal") }
  }

  /// Returns the state directory: `--state`, or else `APPBOOT_STATE`, or else `.appboot` in the manifest's directory.
  static func stateDirectory(_ arguments: ParsedArguments, manifest: String) -> String {
    arguments[.state] ?? defaultState(besides: manifest)
  }

  /// Returns `APPBOOT_STATE`, or else `.appboot` in the manifest's directory.
  static func defaultState(besides manifest: String) -> String {
    if let directory = ProcessEnvironment.value(of: "APPBOOT_STATE"), !directory.isEmpty { return directory }
    return manifest == "-" ? ".appboot" : FileSystem.join(FileSystem.directory(of: manifest), ".appboot")
  }

  /// The safe mode of the next launch; `nil` if it is a normal launch. The journals of earlier launches decide.
  var safeMode: SafeMode? {
    (stateDirectory.map { GuardState.reading($0, of: manifest) } ?? GuardState()).safeMode(
      isForced: forcesSafeMode)
  }

  /// Returns the recorded durations of the plan's steps in nanoseconds, by step id.
  ///
  /// Returns an empty dictionary for an event's handlers, and if the durations cannot change the order of the steps.
  func recordedDurations(for plan: LaunchPlan, in state: any StateStore) -> [String: Int64] {
    event == nil && plan.hasChoice ? RecentDurations.medians(in: state, of: manifest) : [:]
  }

  /// Returns the state store. It reads and writes no file before its first use.
  func state(warn: @escaping @Sendable (String) -> Void) -> any StateStore {
    stateDirectory.map { FallbackStateStore($0, warn: warn) } ?? MemoryStateStore()
  }

  /// Returns the plan of the manifest or of the tool. Reads the manifest, the files that it names and the state.
  func plan(_ tool: ToolContext, state: any StateStore, window: (any AppWindow)? = nil) throws -> LaunchPlan {
    guard usesPlan, let make = tool.plan else {
      return try plan(try Manifest(reading: manifest), tool.registry, state: state, window: window)
    }
    let given = try make()
    var plan = given.placed { environment in
      environment.givenState = environment.givenState ?? state
      environment.window = environment.window ?? window
      environment.fixedVariables.merge(fixedVariables) { $1 }
      environment.learnSecrets(in: fixedVariables)
    }
    plan = plan.adapted(to: options == LaunchOptions() ? plan.options : options, on: nil, nil)
    plan = try plan.selecting(selection)
    if let timeout { plan.outline.timeoutTime = max(1, timeout.nanoseconds) }
    return try handlers(of: plan, declaring: tool.registry.events + plan.codedEvents)
  }

  /// Returns the plan of a manifest.
  func plan(
    _ manifest: Manifest, _ registry: CommandRegistry, state: any StateStore, window: (any AppWindow)? = nil
  ) throws -> LaunchPlan {
    var builder = StartupCommandsBuilder(manifest: manifest, registry: registry)
      .launchOptions(options).state(state).window(window).with {
        $0.environment.fixedVariables = fixedVariables
      }
    builder.selection = selection
    if let timeout { builder = builder.timeout(timeout) }
    return try handlers(of: try builder.build(), declaring: registry.events)
  }

  private var selection: StepSelection {
    var selection = StepSelection(only: only.map { Set($0) }, skip: Set(skip), goals: goals)
    selection.areArguments = hasStepArguments
    return selection
  }

  /// Returns the plan of the handlers of `--event`; without that option the plan itself.
  private func handlers(of plan: LaunchPlan, declaring events: [EventName]) throws -> LaunchPlan {
    guard let event else { return plan }
    return try event.plan(in: plan, declaring: events, timeout: timeout)
  }
}

/// The event that the arguments describe, with its payload, URL and scene.
struct EventRequest: Sendable, Hashable {
  let name: String
  let payload: String?
  let url: String?
  let scene: String?

  /// Creates the event of the option `--event`; returns `nil` without the option.
  init?(_ arguments: ParsedArguments) throws(UsageError) {
    guard let name = arguments[.event] else {
      if arguments.isSet(.payload) { throw .needs("--payload", option: "--event") }
      if arguments.isSet(.scene) { throw .needs("--scene", option: "--event") }
      return nil
    }
    try arguments.check(.event, excludes: .launch)
    self.init(name: name, arguments)
  }

  init(name: String, _ arguments: ParsedArguments) {
    self.name = name
    payload = arguments[.payload]
    url = arguments[.url]
    scene = arguments[.scene]
  }

  /// Returns the text of the payload. If the option's value is `-`, reads it from standard input.
  ///
  /// - Throws: `SystemError`, or `LifecycleEventError` if the payload is not UTF-8.
  func payloadText() throws -> String? {
    guard payload == "-" else { return payload }
    guard let text = String(validUTF8: try FileSystem.readStandardInput()) else {
      throw LifecycleEventError.payloadNotJSON(event: name, reason: "it is not UTF-8")
    }
    return text
  }

  /// Returns a plan of the event's handlers.
  ///
  /// - Parameter timeout: The timeout of the plan; `nil` for the manifest's timeout.
  /// - Throws: `LifecycleEventError`, or ``UsageError/noHandlers(event:known:)``.
  func plan(in launch: LaunchPlan, declaring events: [EventName], timeout: Duration?) throws -> LaunchPlan {
    let event = try LifecycleEvent(
      name: name, payload: try payloadText(), url: url, scene: scene.map { SceneID($0) },
      declared: events)
    guard let plan = launch.plan(for: event) else {
      throw UsageError.noHandlers(event: name, known: launch.events.keys.sorted())
    }
    return plan.alone(timeout: timeout)
  }
}

extension LaunchPlan {
  /// Returns the plan without its event handlers.
  ///
  /// - Parameter timeout: The new timeout of the plan; `nil` to leave its timeout unchanged.
  fileprivate func alone(timeout: Duration?) -> LaunchPlan {
    var plan = self
    plan.events = [:]
    if let timeout { plan.outline.timeoutTime = timeout.nanoseconds }
    return plan
  }
}

extension ParsedArguments {
  /// Returns the variables of `--env` and `--env-file`.
  ///
  /// - Throws: ``UsageError`` for a value that is not `NAME=VALUE`; ``ToolError`` for a file with a mistake.
  func variables() throws -> [String: String] {
    var variables: [String: String] = [:]
    for path in self[.environmentFiles] ?? [] {
      let file = EnvironmentFile(parsing: try FileSystem.readFile(path))
      if let problem = file.problems.first {
        throw ToolError("\"\(path)\", line \(problem.line): \(problem.text)", exit: .usage)
      }
      variables.merge(file.variables) { $1 }
    }
    for text in self[.environment] ?? [] {
      let (name, value) = text.splitAtEquals()
      guard let value, EnvironmentFile.isName(name.utf8) else { throw UsageError.notAVariable }
      variables[name] = value
    }
    return variables
  }
}
