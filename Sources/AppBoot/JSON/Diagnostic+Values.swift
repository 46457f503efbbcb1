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
