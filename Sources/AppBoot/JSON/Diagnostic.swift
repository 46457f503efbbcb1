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

extension Diagnostic {
  /// Returns the error for an unknown key. The error suggests a known key that is close to it, if there is one.
  static func unknownKey(_ name: String, _ range: SourceRange, among known: [String], of what: String)
    -> Diagnostic
  {
    var help: [String] = []
    if let match = Synonym.suggestion(for: name, among: known) {
      help.append("did you mean \"\(match)\"?")
    }
    let list = known.isEmpty ? "it has no keys" : "its keys are \(known.joined(separator: ", "))"
    help.append("\(list); custom keys begin with \"x-\"")
    return Diagnostic(.error, "unknown key \"\(name.excerpt)\" in \(what)", at: range, help: help)
  }
}

extension SourceRange {
  /// The place of the opening bracket or brace of a container.
  var opening: SourceRange { SourceRange(start: start, end: start + 1) }
}

extension JSONValue {
  /// The value for an error message: a number as it is written, any other value as its kind.
  var found: String { kind == .number ? text.excerpt : kind.description }
}

extension Diagnostic {
  /// Returns the error for a text that is not one of the allowed cases of a key.
  static func notOneOf(_ cases: [String], _ text: String, _ name: String, _ range: SourceRange) -> Diagnostic
  {
    let closest = Synonym.suggestion(for: text, among: cases).map { "did you mean \"\($0)\"?" }
    let beginning = cases.count == 1 ? "the only text allowed is" : "it is one of"
    return Diagnostic(
      .error, "\"\(name)\" cannot be \"\(text.excerpt)\"", at: range,
      help: [closest, "\(beginning) \(cases.quotedList)"].compactMap(\.self))
  }

  /// Returns the error for the text of a key that is not a duration.
  static func durationProblem(_ error: DurationTextError, _ name: String, _ range: SourceRange) -> Diagnostic
  {
    .error("\"\(name)\" is not a duration: \(error.description)", at: range, help: error.help)
  }
}

extension [Diagnostic] {
  /// Returns the diagnostics of a text as `file:line:column: error: …`, each with its help and its notes.
  package func text(in source: SourceText) -> String {
    let files = SourceFiles(source)
    return text { range in
      let (lines, range) = files.place(of: range)
      return "\(lines.source.name):\(lines.location(of: Int(range.start)))"
    }
  }

  /// Returns the diagnostics as lines that are safe for a terminal.
  ///
  /// - Parameter place: A function that returns the name of a place.
  func text(_ place: (SourceRange) -> String) -> String {
    flatMap { problem in
      let head = "\(place(problem.range)): \(problem.severity.rawValue): \(problem.message)"
      let help = problem.help.map { "help: \($0)" }
      let notes = problem.notes.map { "\(place($0.range)): note: \($0.message)" }
      return ([head] + help + notes).map { VisibleText.of($0) + "\n" }
    }.joined()
  }
}

/// The problems in a text: the first ones that were found, and the number of all problems.
///
/// A text of 1 MB can have 500,000 mistakes. Only messages that are shown are made and stored.
package struct Diagnostics: Sendable {
  /// The maximum number of problems that are shown.
  package static let limit = 100

  /// The first problems, in the order in which they were added.
  private var kept: [Diagnostic] = []
  /// The places of all problems, in the order in which they were added.
  private(set) var places: [SourceRange] = []
  /// The number of warnings.
  package private(set) var warningCount = 0

  package init() {}

  /// The number of all problems: errors and warnings.
  package var total: Int { places.count }
  /// The number of errors.
  package var errorCount: Int { places.count - warningCount }

  /// Adds a problem.
  package mutating func append(_ problem: Diagnostic) {
    places.append(problem.range)
    if problem.severity == .warning { warningCount += 1 }
    if kept.count < Self.limit { kept.append(problem) }
  }

  /// Adds an error at a place. Calls `error` only if the error is shown.
  mutating func append(at range: SourceRange, _ error: () -> Diagnostic) {
    if kept.count < Self.limit { append(error()) } else { places.append(range) }
  }

  /// Adds problems.
  package mutating func append(contentsOf problems: some Sequence<Diagnostic>) {
    for problem in problems { append(problem) }
  }

  /// Adds the problems of another part of the text.
  package mutating func append(contentsOf other: Diagnostics) {
    places += other.places
    warningCount += other.warningCount
    kept += other.kept.prefix(Self.limit - kept.count)
  }

  /// The first problems, sorted by place. If there are more, a note with the number of the others follows.
  package var shown: [Diagnostic] {
    let more = total - kept.count
    let sorted = kept.sortedByPosition()
    guard more > 0 else { return sorted }
    return sorted + [
      Diagnostic(.note, "and \(more) more problem\(more == 1 ? "" : "s")", at: places[kept.count])
    ]
  }

  /// Returns the problems after each stored one was changed by a function.
  func map(_ change: (Diagnostic) -> Diagnostic) -> Diagnostics {
    var copy = self
    copy.kept = kept.map(change)
    return copy
  }
}
