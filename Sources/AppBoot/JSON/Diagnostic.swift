/// One thing to say about a place in a manifest: what is wrong, where, and what to do about it.
public struct Diagnostic: Sendable, Equatable {
  /// How bad it is.
  public enum Severity: String, Sendable, CaseIterable {
    /// The manifest cannot be used.
    case error
    /// The manifest can be used, but probably does not say what was meant.
    case warning
    /// Something to know.
    case note
  }

  /// A second place that explains the first.
  public struct Note: Sendable, Equatable {
    /// What is to be seen there.
    public var message: String
    /// The place.
    public var range: SourceRange

    /// A remark about a place.
    public init(_ message: String, at range: SourceRange) {
      self.message = message
      self.range = range
    }
  }

  /// How bad it is.
  public var severity: Severity
  /// One line, without a full stop at its end: what is wrong.
  public var message: String
  /// The place in the text.
  public var range: SourceRange
  /// One line each: what to do.
  public var help: [String]
  /// Other places that explain this one.
  public var notes: [Note]

  /// Something to say about a place.
  public init(
    _ severity: Severity, _ message: String, at range: SourceRange,
    help: [String] = [], notes: [Note] = []
  ) {
    self.severity = severity
    self.message = message
    self.range = range
    self.help = help
    self.notes = notes
  }

  /// An error, with at most one line of help.
  public static func error(_ message: String, at range: SourceRange, help: String? = nil) -> Diagnostic {
    Diagnostic(.error, message, at: range, help: help.map { [$0] } ?? [])
  }

  /// A warning, with at most one line of help.
  public static func warning(_ message: String, at range: SourceRange, help: String? = nil) -> Diagnostic {
    Diagnostic(.warning, message, at: range, help: help.map { [$0] } ?? [])
  }

  /// The same with one more note.
  public func noting(_ message: String, at range: SourceRange) -> Diagnostic {
    var copy = self
    copy.notes.append(Note(message, at: range))
    return copy
  }
}

extension Sequence<Diagnostic> {
  /// The diagnostics in the order of their places; those of one place keep their order.
  public func sortedByPosition() -> [Diagnostic] {
    enumerated()
      .sorted { ($0.element.range, $0.offset) < ($1.element.range, $1.offset) }
      .map(\.element)
  }
}
