extension Diagnostic {
  /// Returns the error for a text that is not one of the allowed cases of a key.
  static func notOneOf(_ cases: [String], _ text: String, _ name: String, _ range: SourceRange) -> Diagnostic
  {
    let closest = ClosestName.to(text, among: cases).map { "did you mean \"\($0)\"?" }
    return Diagnostic(
      .error, "\"\(name)\" cannot be \"\(text.excerpt)\"", at: range,
      help: [closest, "it is \(cases.count == 1 ? "" : "one of ")\(cases.quotedList)"].compactMap(\.self))
  }

  /// Returns the error for the text of a key that is not a duration.
  static func durationProblem(_ error: DurationTextError, _ name: String, _ range: SourceRange) -> Diagnostic
  {
    .error("\"\(name)\" is not a duration: \(error.description)", at: range, help: error.help)
  }
}
