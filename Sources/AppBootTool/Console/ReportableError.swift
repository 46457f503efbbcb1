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

/// A wrapper of an error that is not reportable, for example one that an app's code throws.
struct OtherError: ReportableError {
  let error: any Error

  var message: String { "\(error)" }
}

extension Error {
  /// The error itself if it is reportable; otherwise an ``OtherError`` with it.
  var reportable: any ReportableError { self as? any ReportableError ?? OtherError(error: self) }
}
