import AppBoot

/// An error that the tool reports: the message, the help and the exit code.
protocol ReportableError: Error {
  /// The mistake in one line. The report shows ``problems`` in its place if there are any.
  var message: String { get }
  /// The mistakes in a text, with their places.
  var problems: (diagnostics: [Diagnostic], source: SourceText)? { get }
  /// The exit code of a tool that ends with the error.
  var exit: ToolExit { get }

  /// Returns the next thing to do in one line; `nil` if the message says it.
  func help(tool: String) -> String?
}

extension ReportableError {
  var problems: (diagnostics: [Diagnostic], source: SourceText)? { nil }
  var exit: ToolExit { .preconditionMissing }

  func help(tool: String) -> String? { nil }
}

/// An error of another type, for example one that an app's code throws.
struct OtherError: ReportableError {
  let error: any Error

  var message: String { "\(error)" }
}

extension Error {
  /// The error as the tool reports it.
  var reportable: any ReportableError { self as? any ReportableError ?? OtherError(error: self) }
}
