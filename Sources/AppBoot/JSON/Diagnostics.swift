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
