/// An error that reports that a text is not JSON. It has the mistakes in the order of their places.
package struct JSONError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The text that is not JSON.
  package let source: SourceText
  /// The mistakes; at least one.
  package let diagnostics: [Diagnostic]

  /// The mistakes with their lines, as a terminal shows them.
  package var description: String {
    DiagnosticRenderer().text(diagnostics, in: source)
  }
}
