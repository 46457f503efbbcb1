/// The mistakes because of which a text is not JSON, in the order of their places.
package struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The text.
  package let source: SourceText
  /// The mistakes; never empty.
  package let diagnostics: [Diagnostic]

  /// The mistakes with their lines, as a terminal would show them.
  package var description: String {
    DiagnosticRenderer().text(diagnostics, in: source)
  }
}
