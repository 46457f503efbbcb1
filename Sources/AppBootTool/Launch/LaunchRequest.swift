import AppBoot
import AppBootSystem

/// The launch that the command line asks for. Making it reads no file.
struct LaunchRequest: Sendable {
  let manifest: String
  let only: [String]?
  /// The steps of `--to`.
  let goals: [String]?
  let skip: [String]
  let options: LaunchOptions
  /// The event whose handlers run in place of the launch.
  let event: EventRequest?
  let timeout: Duration?
  let jobs: Int?
  /// True for `--safe-mode`.
  let forcesSafeMode: Bool
  /// True for `--isolate`.
  let isIsolated: Bool
  /// The state directory; `nil` for `--no-state`.
  let stateDirectory: String?

  init(_ arguments: ParsedArguments) throws(UsageError) {
    if arguments.isSet(.state), arguments.isSet(.noState) { throw .conflict("--state", "--no-state") }
    if arguments.isSet(.quiet), arguments.isSet(.verbose) { throw .conflict("--quiet", "--verbose") }
    manifest = arguments.manifest()
    if arguments.isSet(.only), arguments.isSet(.to) { throw .conflict("--only", "--to") }
    only = arguments.list(.only)
    goals = arguments.list(.to)
    skip = arguments.list(.skip) ?? []
    event = try EventRequest(arguments)
    if event == nil { try Self.checkURL(arguments) }
    options = LaunchOptions(
      reason: arguments.choice(.launch, as: LaunchReason.self), url: arguments.text(.url))
    timeout = arguments.duration(.timeout)
    jobs = arguments.count(.jobs)
    forcesSafeMode = arguments.isSet(.safeMode)
    isIsolated = arguments.isSet(.isolate)
    #if !os(Linux)
    if isIsolated { throw .onlyOnLinux("--isolate") }
    #endif
    stateDirectory =
      arguments.isSet(.noState) ? nil : Self.stateDirectory(arguments, manifest: manifest)
  }

  /// Checks the URL of a launch. The event of `--event` checks its own.
  private static func checkURL(_ arguments: ParsedArguments) throws(UsageError) {
    guard let url = arguments.text(.url) else { return }
    if let problem = URLText.problem(with: url) { throw .notAURL(url, problem: problem) }
    if arguments.text(.launch) == LaunchReason.normal.rawValue { throw .conflict("--url", "--launch normal") }
  }

  /// Returns the state directory: `--state`, or else `APPBOOT_STATE`, or else `.appboot` beside the manifest.
  static func stateDirectory(_ arguments: ParsedArguments, manifest: String) -> String {
    arguments.text(.state) ?? defaultState(besides: manifest)
  }

  private static func defaultState(besides manifest: String) -> String {
    if let directory = ProcessEnvironment.value(of: "APPBOOT_STATE"), !directory.isEmpty { return directory }
    return manifest == "-" ? ".appboot" : FileSystem.join(FileSystem.directory(of: manifest), ".appboot")
  }

  /// The safe mode of the next launch, by the journals of earlier ones; `nil` if it is normal.
  var safeMode: SafeMode? {
    (stateDirectory.map { GuardState.reading($0, of: manifest) } ?? GuardState()).safeMode(
      isForced: forcesSafeMode)
  }

  /// Returns the recorded durations of the plan's steps, in nanoseconds by id.
  ///
  /// Returns none for an event's handlers, and if durations cannot change the order of the steps.
  func recordedDurations(for plan: StartupPlan, in state: any StateStore) -> [String: Int64] {
    event == nil && plan.hasChoice ? RecentDurations.medians(in: state, of: manifest) : [:]
  }

  /// Returns the store of the state, which touches no file before its first use.
  func state(warn: @escaping @Sendable (String) -> Void) -> any StateStore {
    stateDirectory.map { FallbackStateStore($0, warn: warn) } ?? MemoryStateStore()
  }

  /// Reads the manifest and the files that it names, and returns the plan. It touches no other file.
  func plan(_ registry: CommandRegistry, state: any StateStore, window: (any AppWindow)? = nil) throws
    -> StartupPlan
  {
    try plan(try Manifest(reading: manifest), registry, state: state, window: window)
  }

  /// Returns the plan of a manifest.
  func plan(
    _ manifest: Manifest, _ registry: CommandRegistry, state: any StateStore, window: (any AppWindow)? = nil
  ) throws -> StartupPlan {
    var builder = StartupCommandsBuilder(manifest: manifest, registry: registry)
      .setLaunchOptions(options).setState(state).skip(skip)
    if let only { builder = builder.only(only) }
    if let goals { builder = builder.upTo(goals) }
    if let timeout { builder = builder.setTimeout(timeout) }
    if let window { builder = builder.setWindow(window) }
    let plan = try builder.build()
    guard let event else { return plan }
    return try event.plan(in: plan, registry, timeout: timeout)
  }
}
