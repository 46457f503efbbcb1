public import AppBoot
import AppBootSystem

/// A command that records launches: the first one, their number, the last version and the last upgrade.
public struct RecordLaunch: UndoableCommand {
  /// The command's name in a manifest. A constant is faster than the default, which the runtime derives from the type.
  public static let name = "RecordLaunch"

  /// The command's one-line description, for the catalogue and help.
  public static let abstract =
    "Records launches: the first one, their number, the last version and the last upgrade."

  /// The command's rules and effects, for the catalogue and help.
  public static let discussion = """
    A launch is recorded when this step runs. The conditions "launchCount" and "upgrade" are decided before, when the \
    launch is planned: they compare the state of the last recorded launch with this one. So steps above this one can \
    have them too. Put it after the steps of an upgrade: if one of them fails, the next launch is the upgrade again.

    "upgrade" holds if the version is newer than the last recorded one. Versions such as 1.10.2 or v2 are compared \
    number by number; any other version counts as newer if it is not the same. It does not hold if no earlier launch \
    had a version.

    Commands that come after it read "launchCount" and, if an earlier launch had a version, "lastVersion" from the \
    context; texts have them as {context.launchCount} and {context.lastVersion}.

    The state has it as "recorded-launches.json". Launches at the same time are all counted; those of `check` too. \
    With --no-state each launch is the first one. Its undo removes the launch from the record.
    """

  /// The names of the context values that the command provides.
  public static let provides = ContextKeys(.launchCount, .lastVersion)

  /// The version of the app; `nil` to record no version.
  @Parameter(
    "The version of the app, for \"upgrade\"; may hold {env.NAME}.", schema: .optional(TextParameter.schema))
  public var version: String?

  /// Creates the command without a version.
  public init() {}

  /// Creates a command that records the launch of a version of the app.
  public init(version: String) { self.version = version }

  /// Rejects an empty version and invalid placeholders.
  public func validate(_ validation: inout ParameterValidation) {
    if let problem = version.flatMap(TextParameter.problem) { validation.reject(problem, at: "version") }
  }

  /// Adds the launch to the log. Provides the number of this launch and the version of the previous one.
  ///
  /// - Throws: An error for a variable that is not set; ``LaunchLog/Damage``; the error of the state store.
  public func execute(in context: LaunchContext) throws {
    let version = try version.map { try TextParameter.value(of: $0, in: context) }
    var (before, log) = (LaunchLog(), LaunchLog())
    try context.state.update(LaunchLog.stateName) { stored in
      before = try LaunchLog(stored, in: context.state)
      log = before
      log.add(version: version, at: WallClock.timestamp())
      return Array("\(log.json)\n".utf8)
    }
    context.provide(LaunchLog.Addition(before: before, after: log), for: Self.addition(in: context))
    let lastVersion = before.version
    context.provide(log.count, for: .launchCount)
    if let lastVersion { context.provide(lastVersion, for: .lastVersion) }
    let isUpgrade = LaunchLog.isUpgrade(from: lastVersion, to: version)
    let words = isUpgrade ? ", upgrade from \(lastVersion ?? "") to \(version ?? "")" : ""
    context.note("launch \(log.count)\(words)")
  }

  /// Removes the launch from the log. Later launches stay in the log.
  ///
  /// - Throws: ``LaunchLog/Damage``; the error of the state store.
  public func undo(in context: LaunchContext) throws {
    guard let launch = context.value(for: Self.addition(in: context)) else { return }
    try context.state.update(LaunchLog.stateName) { stored in
      var log = try LaunchLog(stored, in: context.state)
      log.remove(launch)
      return Array("\(log.json)\n".utf8)
    }
  }

  /// Returns the key of the context value with the log before and after this step.
  private static func addition(in context: LaunchContext) -> ContextKey<LaunchLog.Addition> {
    ContextKey("launch recorded by \(context.stepID)")
  }
}

extension RecordLaunch: LaunchRecording {
  package func recordedLaunches(in environment: LaunchEnvironment) throws -> RecordedLaunches {
    let log = try LaunchLog(try environment.state.read(LaunchLog.stateName), in: environment.state)
    // A variable that is not set fails the step, with a message.
    let version = version.flatMap { text in
      try? Template(text).filled(Placeholders(environment: { environment.variable($0) }).value)
    }
    return RecordedLaunches(
      number: log.count + 1, version: version, lastVersion: log.version,
      isUpgrade: LaunchLog.isUpgrade(from: log.version, to: version))
  }
}

extension ContextKey where Value == Int {
  /// The number of this launch, which `RecordLaunch` provides.
  public static var launchCount: Self { Self("launchCount") }
}

extension ContextKey where Value == String {
  /// The version of the previous launch, which `RecordLaunch` provides.
  public static var lastVersion: Self { Self("lastVersion") }
}
