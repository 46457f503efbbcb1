import AppBoot
import AppBootLifecycle
import AppBootReports
import AppBootSystem

/// The context of a subcommand: the tool's name, the registered commands, and the output streams.
struct ToolContext: Sendable {
  /// The executable's name in messages.
  let name: String
  let version: String
  let registry: CommandRegistry
  /// A function that makes the plan in code that is launched without a manifest; `nil` if the tool has none.
  var plan: (@Sendable () throws -> LaunchPlan)?
  /// A function that makes the app's listeners, responders and windows; `nil` if the app has none.
  var lifecycle: (@Sendable () -> LifecycleHost.Configuration)?
  /// The app's observers of launches and of event handlers.
  var observers: [any LaunchObserver] = []
  /// The app's own subcommands.
  var ownSubcommands: [ToolSubcommand] = []
  /// The choice of colours by the arguments.
  var color = ColorChoice.auto
  /// The arguments of the tool, without the executable's name.
  var arguments: [String] = []
  /// True if this process runs nothing but the tool. A launch may then adopt orphans, and end all descendants.
  var ownsProcess = false
  /// The signal settings at the process's start; `nil` unless a command line follows `--`.
  var inheritedSignals: InheritedSignals?
  /// The log of this process; `nil` unless it is a run in the background.
  var log: DetachedLog?
  /// Standard output, for results.
  let output = StandardOutput(descriptor: 1)
  /// The secrets of the manifest, which an argument can contain; `nil` before they are known.
  private let secrets = Lock<Secrets?>(nil)
  /// Standard error, for messages.
  let errors = StandardOutput(descriptor: 2, limit: 0)

  /// The style of text on standard output.
  var outputStyle: TextStyle { style(of: 1) }

  /// The style of text on standard error.
  var errorStyle: TextStyle { style(of: 2) }

  /// True if standard output is a terminal.
  var isTerminal: Bool { Terminal.isTerminal(output.descriptor) }

  private func style(of descriptor: Int32) -> TextStyle {
    let isTerminal = Terminal.isTerminal(descriptor)
    let width = log?.columns ?? Terminal.width(of: descriptor) ?? (isTerminal ? 80 : nil)
    var style = TextStyle(
      width: width, usesColor: color.usesColor(isTerminal: isTerminal), usesASCII: !Terminal.isUTF8Locale)
    style.breaksWorkflowCommands = GitHubActions.readsCommands
    return style
  }

  /// Replaces the tool by another program.
  ///
  /// - Parameter secrets: The secrets of the launch, which are masked in the error's message.
  /// - Throws: ``ToolError`` if the program cannot be started.
  func replace(by command: [String], hiding secrets: Secrets) throws -> Never {
    try output.settle()
    warnOfDroppedOutput()
    try errors.settle()
    do {
      try CurrentProcess.replace(by: command, signals: inheritedSignals ?? .current())
    } catch {
      throw ToolError(
        secrets.masking("the launch succeeded, but the command after -- could not be started: \(error)"))
    }
  }

  // MARK: - Streams

  /// Writes the buffered output. If a background thread writes the output, does not wait for it.
  func flush() {
    try? output.flush()
    try? errors.flush()
  }

  /// Waits until all output is written.
  ///
  /// - Parameter most: The maximum wait for each stream in nanoseconds. If it is `nil`, the wait is limited only after
  ///   ``hurry()``.
  func settle(within most: Int64? = nil) {
    try? output.settle(within: most)
    try? errors.settle(within: most)
  }

  /// Writes the last line on standard error before a signal ends the process. Waits for its reader at most a second.
  func endErrors(with line: String?) {
    if let line { errors.offer("\(line)\n") }
    // The live line is erased if the terminal takes that at once.
    settleTerminal(within: 100_000_000)
    try? errors.settle(within: line == nil ? 0 : 1_000_000_000)
  }

  /// Flushes both streams. Waits until output for the terminal is written, at most for a number of nanoseconds.
  func settleTerminal(within most: Int64) {
    flush()
    // Streams to a terminal share a writer, so the wait for one is the wait for both.
    let stream = [output, errors].first { Terminal.isTerminal($0.descriptor) }
    try? stream?.settle(within: most)
  }

  /// Limits the wait for slow readers at the end of the process, because a signal ends it. Also calls ``acceptAll()``.
  func hurry() {
    acceptAll()
    output.hurry()
    errors.hurry()
  }

  /// Allows programs to print while they end, even if a reader of the output is slow.
  func acceptAll() {
    output.acceptAll()
    errors.acceptAll()
  }

  /// True if a reader of the output is slow, so that no more output should be produced.
  var isBehind: Bool { output.isBehind || errors.isBehind }

  // MARK: - Messages

  /// Writes an error with its help to standard error.
  func report(_ error: any Error) {
    let error = error.reportable
    let style = errorStyle
    if let (diagnostics, source) = error.problems {
      return errors.write(DiagnosticRenderer(style).text(diagnostics, in: source))
    }
    let secrets = secrets.withLock(\.self) ?? Secrets()
    let message = style.visible(secrets.masking(error.message))
    write("\(name): \(style.paint("error:", .failure)) \(message)", style)
    guard let help = error.help(tool: name) else { return }
    write("\(style.paint("help:", .accent)) \(style.visible(secrets.masking(help)))", style)
  }

  /// Writes a message about something that the user requested to standard error.
  ///
  /// - Parameter keepsLines: True if further lines of the message are lines of the output, indented as in a report.
  func inform(_ message: String, keepsLines: Bool = false) {
    let style = errorStyle
    write("\(name): \(keepsLines ? style.block(message) : style.visible(message))", style)
  }

  /// Writes a warning if output was dropped because its reader was too slow.
  func warnOfDroppedOutput() {
    let count = output.dropped + errors.dropped
    guard count > 0 else { return }
    warn(
      "the reader of standard output or standard error was too slow: \(count) pieces of output were dropped; "
        + "read the record or the logs instead")
  }

  /// Writes a warning to standard error.
  ///
  /// - Parameter keepsLines: True if further lines of the message are lines of the warning, indented as in a report.
  func warn(_ message: String, keepsLines: Bool = false) {
    let style = errorStyle
    let text = keepsLines ? style.block(message) : style.visible(message)
    write("\(name): \(style.paint("warning:", .warning)) \(text)", style)
  }

  /// Makes errors show `***` in place of the secrets that a manifest names, if it can be read.
  func learnSecrets(of manifest: String) {
    // A pipe cannot be read again.
    guard FileSystem.kind(of: manifest) == .regular, let manifest = try? Manifest(reading: manifest) else {
      return
    }
    let builder = StartupCommandsBuilder(manifest: manifest, registry: registry)
    _ = builder.checked()
    secrets.withLock { $0 = builder.environment.secrets }
  }

  /// Writes a message to standard error, wrapped between words.
  private func write(_ message: String, _ style: TextStyle) {
    // Only the first line is the tool's. The others are output, whose line breaks stay.
    let lines = message.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    let rest = lines.count > 1 ? "\n\(lines[1])" : ""
    errors.write(style.wrapped(String(lines[0]), indent: 2) + rest + "\n")
  }

  /// Warns if another user may have changed a state directory or a folder in it. Launches do not use such directories.
  func warnIfUntrusted(_ state: String, _ folder: String) {
    do throws(SystemError) {
      try FileSystem.checkOwn(directory: state)
      try FileSystem.checkOwn(directory: FileSystem.join(state, folder), followingLinks: false)
    } catch {
      warn("another user may have changed the \(folder) shown here: a launch \(error)")
    }
  }
}

extension TextStyle {
  /// Returns a text of several lines that a terminal can show. The lines after the first are indented.
  func block(_ text: String) -> String {
    let lines = lines(text)
    return lines[0] + lines.dropFirst().map { "\n  \($0)" }.joined()
  }
}

/// The choice of colours by the option `--color`.
enum ColorChoice: String, Sendable, CaseIterable {
  case auto, always, never

  /// Returns whether text is coloured.
  ///
  /// `auto` means no colours with `NO_COLOR` (no-color.org), otherwise colours with `FORCE_COLOR` (force-color.org),
  /// and otherwise colours on a terminal whose `TERM` is not `dumb`.
  func usesColor(isTerminal: Bool) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto:
      if ProcessEnvironment.value(of: "NO_COLOR")?.isEmpty == false { return false }
      if let force = ProcessEnvironment.value(of: "FORCE_COLOR"), !["", "0", "false"].contains(force) {
        return true
      }
      return isTerminal && Terminal.type != "dumb"
    }
  }
}

extension DiagnosticRenderer {
  /// Creates a renderer with the style's colours and characters. Its excerpts of the source fit the style's width.
  init(_ style: TextStyle) {
    // An excerpt also needs 8 columns for the line number, and an ellipsis at each end that was cut.
    let frame = 8 + 2 * (style.usesASCII ? 3 : 1)
    self.init(
      usesColor: style.usesColor, usesASCII: style.usesASCII,
      excerptWidth: min(100, style.width.map { $0 - frame } ?? 100))
    breaksWorkflowCommands = style.breaksWorkflowCommands
  }
}

/// A subcommand that an app adds to its tool.
///
/// ```swift
/// let migrate = ToolSubcommand("migrate", help: "Migrates the database.") { arguments in
///   try await Database.open().migrate(to: arguments.first)
///   return 0
/// }
/// ```
public struct ToolSubcommand: Sendable {
  /// The name on the command line.
  public let name: String
  /// The line in the tool's help.
  public let help: String
  /// The implementation, which gets the arguments after the name and returns the exit code.
  let run: @MainActor @Sendable ([String]) async throws -> Int32

  /// Creates a subcommand.
  ///
  /// - Parameters:
  ///   - name: The name on the command line. A name that another subcommand has is a usage error.
  ///   - help: One sentence for the tool's help.
  ///   - run: A function that gets the arguments after the name, and returns the exit code. An error is printed, and
  ///     the exit code is 1. It is not called if the first argument is `--help` or `-h`: the tool then prints the help.
  public init(
    _ name: String, help: String,
    run: @escaping @MainActor @Sendable (_ arguments: [String]) async throws -> Int32
  ) {
    (self.name, self.help, self.run) = (name, help, run)
  }
}

/// The error of a subcommand that needs the main actor while a synchronous call in a task blocks it.
struct SubcommandBlocked: Error, CustomStringConvertible {
  let subcommand: String

  var description: String {
    "\(subcommand) needs the main actor, which this synchronous call blocks: use await run()"
  }
}

/// The log of a run in the background, in the state directory.
///
/// A run that becomes the app with the directory gives its log the name. Until then, the file is a temporary one: of
/// several runs at once, only one becomes the app. The process that started the others shows their output.
struct DetachedLog: Sendable {
  static let name = "detached.log"
  /// The variables of the run in the background with the values of the properties. The first one marks it.
  private static let (pathVariable, columnsVariable) = ("APPBOOT_DETACHED", "APPBOOT_DETACHED_COLUMNS")

  /// The path of the temporary file.
  let temporaryPath: String
  /// The columns of the terminal on which the output is shown; `nil` if it is shown elsewhere.
  let columns: Int?

  /// Returns the log of this process; `nil` if it is not a run in the background. Steps do not inherit the variables.
  static func ofThis() -> DetachedLog? {
    guard let path = ProcessEnvironment.value(of: pathVariable) else { return nil }
    let columns = ProcessEnvironment.value(of: columnsVariable).flatMap { Int($0) }
    ProcessEnvironment.set(pathVariable, to: nil)
    ProcessEnvironment.set(columnsVariable, to: nil)
    return DetachedLog(temporaryPath: path, columns: columns)
  }

  /// The variables that tell the run about its log.
  var variables: [String: String] {
    var variables = [Self.pathVariable: temporaryPath]
    variables[Self.columnsVariable] = columns.map { String($0) }
    return variables
  }

  /// Gives the file the name, in place of the log of an earlier app.
  func keep() { _ = systemRename(temporaryPath, FileSystem.path(Self.name, beside: temporaryPath)) }
}
