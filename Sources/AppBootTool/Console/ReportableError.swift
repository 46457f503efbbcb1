import AppBoot
import AppBootLifecycle
import AppBootRecords
import AppBootSystem

/// An error that the tool can report, with its message, its help and its exit code.
protocol ReportableError: Error {
  /// The error message in one line. If there are ``problems``, the report shows these instead.
  var message: String { get }
  /// The errors in a text with their places; `nil` for an error that is not about a text.
  var problems: (diagnostics: [Diagnostic], source: SourceText)? { get }
  /// The exit of the tool that reports this error.
  var exit: ToolExit { get }

  /// Returns advice in one line; `nil` if the message already contains it.
  func help(tool: String) -> String?
}

extension ReportableError {
  var problems: (diagnostics: [Diagnostic], source: SourceText)? { nil }
  var exit: ToolExit { .preconditionMissing }

  func help(tool: String) -> String? { nil }
}

extension ReportableError where Self: CustomStringConvertible {
  var message: String { description }
}

/// An error that no code of the tool has to match: its words and its exit code.
struct ToolError: ReportableError {
  let message: String
  let exit: ToolExit
  private let advice: @Sendable (_ tool: String) -> String?

  /// - Parameter help: Advice in one line; `nil` if the message already contains it.
  init(_ message: String, exit: ToolExit = .preconditionMissing, help: String? = nil) {
    self.init(message, exit: exit) { _ in help }
  }

  /// - Parameter help: A function that returns the advice. Its argument is the name of the tool.
  init(
    _ message: String, exit: ToolExit = .preconditionMissing,
    help: @escaping @Sendable (_ tool: String) -> String?
  ) {
    self.message = message
    self.exit = exit
    advice = help
  }

  func help(tool: String) -> String? { advice(tool) }
}

extension Error {
  /// The error itself if it is reportable; otherwise a ``ToolError`` with its description.
  var reportable: any ReportableError { self as? any ReportableError ?? ToolError("\(self)") }
}

extension SystemError: ReportableError {}

extension PlanError: ReportableError {
  var message: String { source.map { "\($0.name) is not valid" } ?? description }
  var problems: (diagnostics: [Diagnostic], source: SourceText)? { source.map { (diagnostics, $0) } }
  var exit: ToolExit { .invalidManifest }
}

extension LifecycleEventError: ReportableError {
  var exit: ToolExit { .usage }
}

extension RecordError: ReportableError {
  var problems: (diagnostics: [Diagnostic], source: SourceText)? {
    switch self {
    case .notJSON(let diagnostics, let source): (diagnostics, source)
    case .damaged(let diagnostic, let source), .otherText(let diagnostic, let source): ([diagnostic], source)
    case .notARecord, .newerVersion, .unreadable: nil
    }
  }

  var exit: ToolExit {
    if case .unreadable = self { .preconditionMissing } else { .invalidManifest }
  }
}

/// The ways in which the tool ends. Each has an exit ``code``.
enum ToolExit: Sendable, Hashable {
  /// The subcommand succeeded.
  case succeeded
  /// A command of the launch failed.
  case commandFailed
  /// The arguments are wrong.
  case usage
  /// The manifest or a record is invalid.
  case invalidManifest
  /// A file, a program or a permission is missing, or a command reported a missing precondition.
  case preconditionMissing
  /// A check found an exceeded budget or a slowdown.
  case overBudget
  /// The launch timed out.
  case deadlinePassed
  /// The tool ends by a signal. The value is its number.
  case signalled(Int32)
  /// An app's own subcommand ended. The value is its exit code.
  case own(Int32)

  /// The exit code in help: that of a signal is `128+n`.
  var label: String {
    if case .signalled = self { return "128+n" }
    return String(code)
  }

  /// The exit code. For a signal it is 128 plus the signal's number, as in shells.
  var code: Int32 {
    switch self {
    case .succeeded: 0
    case .commandFailed: 1
    case .usage: 2
    case .invalidManifest: 3
    case .preconditionMissing: 4
    case .overBudget: 5
    case .deadlinePassed: 124
    case .signalled(let signal): 128 + signal
    case .own(let code): code
    }
  }

  /// Creates the exit for the outcome of a launch. Use it only if no signal stopped the launch.
  init(_ record: LaunchRecord) {
    switch record.outcome {
    case .succeeded: self = .succeeded
    case .failed(let step) where record[step].state.failure?.isMissingPrecondition == true:
      self = .preconditionMissing
    case .failed, .cancelled, .running: self = .commandFailed
    case .timedOut: self = .deadlinePassed
    }
  }
}

/// The job of GitHub Actions in which the tool runs ("Workflow commands for GitHub Actions", GitHub).
struct GitHubActions {
  private let summaryFile: String?

  /// Creates the job of this process; returns `nil` outside of GitHub Actions.
  init?() {
    guard Self.isRunning else { return nil }
    summaryFile = ProcessEnvironment.value(of: "GITHUB_STEP_SUMMARY").flatMap { $0.isEmpty ? nil : $0 }
  }

  /// True if GitHub's runner reads the tool's output.
  static var isRunning: Bool { ProcessEnvironment.value(of: "GITHUB_ACTIONS") == "true" }

  /// True if the reader of the output is a CI runner that interprets lines as commands: GitHub's, Azure's or
  /// TeamCity's.
  static var readsCommands: Bool {
    isRunning
      || ["TF_BUILD", "TEAMCITY_VERSION"].contains { ProcessEnvironment.value(of: $0)?.isEmpty == false }
  }

  /// Returns a file's path relative to the repository's root, as annotations need it.
  ///
  /// Returns the path unchanged outside of GitHub Actions, or if the file is not in the repository.
  static func path(of name: String) -> String {
    guard isRunning, let root = ProcessEnvironment.value(of: "GITHUB_WORKSPACE").flatMap(FileSystem.resolve),
      let file = FileSystem.resolve(name), file.hasPrefix(root + "/")
    else { return name }
    return String(file.dropFirst(root.count + 1))
  }

  /// Returns the text inside markers that keep GitHub's runner from interpreting its lines as workflow commands.
  func inert(_ text: String) -> String {
    let token = SecureRandom.hexadecimal(bytes: 16)
    return "::stop-commands::\(token)\n\(text)::\(token)::\n"
  }

  /// Appends Markdown to the summary of the job. Does nothing if the job has no summary.
  func append(summary: String) throws(SystemError) {
    guard let summaryFile else { return }
    try AppendFile(summaryFile).append(Array(summary.utf8))
  }
}
