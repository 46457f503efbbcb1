/// The problems in a text: the first ones by place, and the number of all problems.
///
/// A text of 1 MB can have 500,000 mistakes. Only messages that may be shown are made and stored.
package struct Diagnostics: Sendable {
  /// The maximum number of problems that are shown.
  package static let limit = 100

  /// The stored problems. They include the first ones by place.
  private(set) var kept: [Diagnostic] = []
  /// The place from which on new problems are only counted; `nil` while all are stored.
  private var horizon: SourceRange?
  /// The places of all problems, in the order in which they were added.
  private(set) var places: [SourceRange] = []
  /// The number of warnings and notes.
  private var others = (warnings: 0, notes: 0)

  package init() {}

  /// The number of all problems: errors, warnings and notes.
  package var total: Int { places.count }
  /// The number of errors.
  package var errorCount: Int { places.count - others.warnings - others.notes }
  /// The number of warnings.
  package var warningCount: Int { others.warnings }

  /// Adds a problem.
  package mutating func append(_ problem: Diagnostic) {
    count(problem.severity, at: problem.range)
    if isShown(problem.range) { keep(problem) }
  }

  /// Adds an error at a place. Calls `error` only if the error may be among the first problems.
  mutating func append(at range: SourceRange, _ error: () -> Diagnostic) {
    count(.error, at: range)
    if isShown(range) { keep(error()) }
  }

  /// Adds problems.
  package mutating func append(contentsOf problems: some Sequence<Diagnostic>) {
    for problem in problems { append(problem) }
  }

  /// Adds the problems of another part of the text.
  package mutating func append(contentsOf other: Diagnostics) {
    places += other.places
    others.warnings += other.others.warnings
    others.notes += other.others.notes
    for problem in other.kept where isShown(problem.range) { keep(problem) }
  }

  /// The first problems, sorted by place. If there are more, a note with the number of the others follows.
  package var shown: [Diagnostic] {
    let sorted = kept.sortedByPosition()
    let more = total - min(sorted.count, Self.limit)
    guard more > 0 else { return sorted }
    let place = places.sorted()[Self.limit]
    return sorted.prefix(Self.limit) + [
      Diagnostic(.note, "and \(more) more problem\(more == 1 ? "" : "s")", at: place)
    ]
  }

  /// Returns the problems after each stored one was changed by a function.
  func map(_ change: (Diagnostic) -> Diagnostic) -> Diagnostics {
    var copy = self
    copy.kept = kept.map(change)
    return copy
  }

  private mutating func count(_ severity: Diagnostic.Severity, at range: SourceRange) {
    places.append(range)
    switch severity {
    case .error: break
    case .warning: others.warnings += 1
    case .note: others.notes += 1
    }
  }

  private func isShown(_ range: SourceRange) -> Bool { horizon.map { range < $0 } ?? true }

  private mutating func keep(_ problem: Diagnostic) {
    kept.append(problem)
    guard kept.count >= 2 * Self.limit else { return }
    kept = Array(kept.sortedByPosition().prefix(Self.limit))
    horizon = kept[Self.limit - 1].range
  }
}
