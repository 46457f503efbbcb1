/// Why a text is not JSON: all mistakes that were found, in the order of their places.
public struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The text.
  public let source: SourceText
  /// The mistakes; never empty.
  public let diagnostics: [Diagnostic]

  /// The mistakes with their lines, as a terminal would show them.
  public var description: String {
    DiagnosticRenderer().text(diagnostics, in: source)
  }
}
