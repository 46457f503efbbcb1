import AppBoot

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
