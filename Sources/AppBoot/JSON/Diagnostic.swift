/// A message about a place in a text: the problem, its place, and its correction.
package struct Diagnostic: Sendable, Equatable {
  /// The severity of a diagnostic.
  package enum Severity: String, Sendable, CaseIterable {
    /// The text cannot be used.
    case error
    /// The text can be used, but probably has a mistake.
    case warning
    /// The message is only information.
    case note
  }

  /// An explanation of a diagnostic with another place in the text.
  package struct Note: Sendable, Equatable {
    /// The explanation.
    package var message: String
    /// The place that the explanation is about.
    package var range: SourceRange

    /// Creates a note about a place.
    package init(_ message: String, at range: SourceRange) {
      self.message = message
      self.range = range
    }
  }

  /// The severity.
  package var severity: Severity
  /// The message: one line without a full stop.
  package var message: String
  /// The place in the text.
  package var range: SourceRange
  /// The corrections, each one line.
  package var help: [String]
  /// The notes about other places that explain the diagnostic.
  package var notes: [Note]

  /// Creates a diagnostic about a place.
  package init(
    _ severity: Severity, _ message: String, at range: SourceRange,
    help: [String] = [], notes: [Note] = []
  ) {
    self.severity = severity
    self.message = message
    self.range = range
    self.help = help
    self.notes = notes
  }

  /// Returns an error with at most one line of help.
  package static func error(_ message: String, at range: SourceRange, help: String? = nil) -> Diagnostic {
    Diagnostic(.error, message, at: range, help: help.map { [$0] } ?? [])
  }

  /// Returns a warning with at most one line of help.
  package static func warning(_ message: String, at range: SourceRange, help: String? = nil) -> Diagnostic {
    Diagnostic(.warning, message, at: range, help: help.map { [$0] } ?? [])
  }

  /// Returns the diagnostic with one more note.
  package func noting(_ message: String, at range: SourceRange) -> Diagnostic {
    var copy = self
    copy.notes.append(Note(message, at: range))
    return copy
  }
}

extension [Diagnostic] {
  /// Returns the diagnostics sorted by their places. Diagnostics with the same place keep their order.
  package func sortedByPosition() -> [Diagnostic] {
    indices.sorted { (self[$0].range, $0) < (self[$1].range, $1) }.map { self[$0] }
  }
}
